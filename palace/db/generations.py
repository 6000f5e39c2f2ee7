"""A user's embedding generations, and switching from one to the next.

Lock order: the user's ``user_generation`` rows come first in any transaction that files or switches. Miners take them
shared, a switch takes them exclusively, so none can file between its check for pending vectors and its change.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import select, text
from sqlalchemy.dialects.postgresql import insert

from palace.db.database import UserSession
from palace.db.driver import Answer, TextResult
from palace.db.locks import Guarded, wait_alone
from palace.db.tables import Drawer, EmbeddingGeneration, PassageEmbedding, UserGeneration
from palace.db.vectors import INDEX
from palace.errors import EmbeddingError
from palace.models import Generation, GenerationStatus

LARGEST_DIMENSION = 4000
"""The most dimensions of an HNSW index over half-precision vectors."""

_COLUMNS = (
    EmbeddingGeneration.id,
    EmbeddingGeneration.model,
    EmbeddingGeneration.dimension,
    EmbeddingGeneration.normalised,
)

_FIND = text(
    # As text: every recall runs it, and building a SQLAlchemy expression takes longer than the answer.
    "SELECT g.id, g.model, g.dimension, g.normalised FROM embedding_generation AS g"
    " JOIN user_generation AS u ON u.generation_id = g.id"
    " WHERE u.user_id = :user_id AND u.state = :state ORDER BY g.id LIMIT 1"
)

_MINE = text("SELECT g.generation_id FROM user_generation AS g WHERE g.user_id = :user_id ORDER BY g.generation_id")
_HOLD = text(f"{_MINE.text} FOR SHARE")


class Sizes(NamedTuple):
    """How much of a user's is compared with a query."""

    drawers: int
    vectors: int
    """Passages and sentences, those of tools included, though they have no vector."""
    is_indexed: bool
    """Whether the vectors of the active generation have a valid HNSW index."""


class Basis(NamedTuple):
    """What recall needs to know of a palace before it searches."""

    generation: Generation | None
    """The active generation; None before anything was mined."""
    stored: dict[tuple[str, str], object]
    """The stored settings of the user and of one agent, as ``held_settings`` returns them."""
    sizes: Sizes


def get_basis(session: UserSession, agent: str = "") -> Basis:
    """Return the user's active generation, settings and sizes, with one statement."""
    return ask_basis(session, agent).get()


def ask_basis(session: UserSession, agent: str = "") -> Answer[Basis]:
    """As ``get_basis``, read together with others."""
    return session.ask("basis", {"index": INDEX, "agent": agent}, _read_basis)


def _read_basis(rows: TextResult) -> Basis:
    row = rows.one()
    active = None if row.id is None else Generation(row.id, row.model, row.dimension, row.normalised)
    stored = {(of, name): value for of, name, value in row.stored or ()}
    return Basis(active, stored, Sizes(row.drawers, row.vectors, row.is_indexed))


def ensure_generation(session: UserSession, *, model: str, dimension: int, normalised: bool) -> Generation:
    """Return the palace's generation of a model, created if missing.

    Raises:
        EmbeddingError: the palace cannot store or compare vectors of this dimension or length.
    """
    if not normalised or not 1 <= dimension <= LARGEST_DIMENSION:
        raise EmbeddingError(
            f"{model} gives vectors of {dimension} numbers{'' if normalised else ' and any length'}: a palace holds"
            f" vectors of unit length with up to {LARGEST_DIMENSION} numbers"
        )
    shape = {"model": model, "dimension": dimension, "normalised": normalised}
    found = select(*_COLUMNS).filter_by(**shape)
    row = session.execute(found).one_or_none()
    if row is None:
        session.execute(insert(EmbeddingGeneration).values(**shape).on_conflict_do_nothing())
        row = session.execute(found).one()
    return Generation(*row)


def find_generation(session: UserSession, state: str) -> Generation | None:
    """Return the user's generation in a state, "active" or "filling"; None without one."""
    row = session.execute(_FIND, {"state": state}).first()
    return Generation(*row) if row else None


def activate_first(session: UserSession, generation: Generation) -> None:
    """Make a generation the active one of a user who has none; the first of several transactions wins.

    What was filed before becomes pending in it.
    """
    wait_alone(session, Guarded.GENERATIONS)
    row = {"generation_id": generation.id, "state": "active"}
    if session.insert(insert(UserGeneration).on_conflict_do_nothing(), row).rowcount:
        session.run("fill_generation", {"generation_id": generation.id})


def hold_generations(session: UserSession) -> tuple[int, ...]:
    """Share-lock the user's generations until the transaction ends; return their ids, to which filing must write."""
    if not session.values(_HOLD):
        # No row to lock: the transaction that creates the first generation waits for this one, or goes first.
        wait_alone(session, Guarded.GENERATIONS)
    # Read again: a statement that waited for a switch to start does not see the generation it added.
    return tuple(session.values(_MINE))


def start_filling(session: UserSession, generation: Generation) -> None:
    """Start to fill a generation beside the active one: all the user's passages become pending in it."""
    lock_generations(session)
    session.add(UserGeneration, [{"generation_id": generation.id, "state": "filling"}])
    session.run("fill_generation", {"generation_id": generation.id})


def flip_to(session: UserSession, generation: Generation) -> bool:
    """Make the filling generation active and delete the vectors of the old one; False while anything is pending."""
    lock_generations(session)
    if count_pending(session, generation.id):
        return False
    old = session.select(UserGeneration.generation_id).where(UserGeneration.generation_id != generation.id)
    for generation_id in session.values(old):
        session.delete(PassageEmbedding, PassageEmbedding.generation_id == generation_id)
    session.delete(UserGeneration, UserGeneration.generation_id != generation.id)
    session.update(UserGeneration, state="active")
    return True


def drop_filling(session: UserSession) -> None:
    """Delete the generations being filled, with the vectors they have so far."""
    lock_generations(session)
    filling = session.select(UserGeneration.generation_id).where(UserGeneration.state == "filling")
    ids = session.values(filling)
    for table in (PassageEmbedding, UserGeneration):
        session.delete(table, table.generation_id.in_(ids))


def lock_generations(session: UserSession) -> None:
    """Lock the user's generations exclusively; waits for miners that hold them."""
    query = session.select(UserGeneration.generation_id).order_by(UserGeneration.generation_id).with_for_update()
    session.execute(query).all()


def count_pending(session: UserSession, generation_id: int, *, conversations: Sequence[int] | None = None) -> int:
    """Count passages without a vector in a generation; of some conversations, or of all the user's."""
    waiting = [PassageEmbedding.generation_id == generation_id, PassageEmbedding.embedding.is_(None)]
    if conversations is not None:
        drawers = session.select(Drawer.id).where(Drawer.conversation_id.in_(conversations))
        waiting.append(PassageEmbedding.drawer_id.in_(drawers))
    return session.count(PassageEmbedding, *waiting)


def list_generations(session: UserSession) -> tuple[GenerationStatus, ...]:
    """List the user's generations with the number of their vectors, the active one first."""
    query = (
        session.select(UserGeneration.state, *_COLUMNS)
        .join(EmbeddingGeneration, EmbeddingGeneration.id == UserGeneration.generation_id)
        .order_by(UserGeneration.state, EmbeddingGeneration.id)
    )
    return tuple(_status(session, Generation(*row[1:]), row[0]) for row in session.execute(query).all())


def _status(session: UserSession, generation: Generation, state: str) -> GenerationStatus:
    embedded = (PassageEmbedding.generation_id == generation.id, PassageEmbedding.embedding.is_not(None))
    done = session.count(PassageEmbedding, *embedded)
    return GenerationStatus(generation, state, done, count_pending(session, generation.id))
