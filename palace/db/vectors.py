"""A user's HNSW index over binary quantisations: made when they first have too many passages to compare them all.

One for each such user, so that none looks at another's rows, and filing costs those without one nothing. It is the one
object made at run time, by the owner, outside a transaction; the schema's catalog does not declare it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt
import sqlalchemy as sa

from palace.db.counts import count_vectors
from palace.db.database import UserDatabase, UserSession, owner_connection
from palace.db.embedded.cluster import MEGABYTE, usable_memory
from palace.db.locks import claim_indexes
from palace.db.refusals import interruptible
from palace.db.tables import Drawer, PassageEmbedding
from palace.models import Generation, PassageKey, indexed_text

M = 16
EF_CONSTRUCTION = 64
LEAST_MEMORY = 256 * MEGABYTE
MOST_MEMORY = 1024 * MEGABYTE
"""Of a shared server, whose own memory is not known here."""

PER_VECTOR = 800
"""Bytes that a vector takes in a graph that is being built, beside its own bit for each dimension; measured."""

MOST_INDEXES = 100
"""In one schema: every statement about vectors looks at each of them. Beyond, all of a user's codes are compared."""

MOST_SMALL_INDEXES = 20
"""How many there may be for one more of fewer vectors than ``LARGE``, which gains two milliseconds a recall."""

LARGE = 50_000

_NAME = re.compile(r"ix_passage_embedding_hnsw_([0-9]+)_([0-9]+)")
"""How an index's name begins; Postgres adds to it while it rebuilds one concurrently."""


def index_name(generation_id: int, user_id: int) -> str:
    """Name the index of a user's vectors of a generation."""
    return f"ix_passage_embedding_hnsw_{int(generation_id)}_{int(user_id)}"


def is_vector_index(name: str) -> bool:
    """Tell whether an index is one of these, or a copy of one that is being rebuilt."""
    return _NAME.match(name) is not None


def has_index(session: UserSession, generation_id: int) -> bool:
    """Tell whether the user's index of a generation is there and valid."""
    query = sa.text("SELECT coalesce((SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(:name)), false)")
    return bool(session.execute(query, {"name": index_name(generation_id, session.user_id)}).scalar_one())


def has_room(session: UserSession) -> bool:
    """Tell whether the schema may have an index of the user's beside those that it has."""
    return len(_indexes(session)) < _most(count_vectors(session))


def build_index(database: UserDatabase, generation: Generation) -> None:
    """Build the user's index of a generation while everybody goes on writing; what is left of others of theirs goes.

    While another process builds or rebuilds one, nothing is done; nor where the schema has as many as it may.
    """
    name, dimension = index_name(generation.id, database.user_id), int(generation.dimension)
    most = _most(database.run(count_vectors))
    with _owner(database, dimension) as connection:
        found = _indexes(connection) if claim_indexes(connection) else {name: True}
        for other in _stale(found, database.user_id, name):
            connection.execute(sa.text(f"DROP INDEX CONCURRENTLY {other}"))
            del found[other]
        if name not in found and len(found) < most:
            connection.execute(
                sa.text(
                    f"CREATE INDEX CONCURRENTLY {name} ON passage_embedding"
                    f" USING hnsw ((code::bit({dimension})) bit_hamming_ops)"
                    f" WITH (m = {M}, ef_construction = {EF_CONSTRUCTION})"
                    f" WHERE user_id = {int(database.user_id)} AND generation_id = {int(generation.id)}"
                )
            )


def rebuild_indexes(database: UserDatabase, generation: Generation) -> tuple[str, ...]:
    """Rebuild the user's index of a generation, and every broken one, while everybody goes on; name them.

    A copy that an interrupted rebuild left half done is dropped. While another process builds or rebuilds one, nothing
    is done.
    """
    rebuilt, own = [], index_name(generation.id, database.user_id)
    with _owner(database, int(generation.dimension)) as connection:
        found = _indexes(connection) if claim_indexes(connection) else {}
        for name in [name for name, is_valid in found.items() if not is_valid or name == own]:
            if _NAME.fullmatch(name):
                connection.execute(sa.text(f"REINDEX INDEX CONCURRENTLY {name}"))
                rebuilt.append(name)
            else:
                connection.execute(sa.text(f"DROP INDEX CONCURRENTLY {name}"))
    return tuple(rebuilt)


def drop_indexes(database: UserDatabase) -> None:
    """Drop all indexes of the user's; one that somebody builds meanwhile stays."""
    with _owner(database) as connection:
        found = _indexes(connection) if claim_indexes(connection) else {}
        for name in (name for name in found if _user_of(name) == database.user_id):
            connection.execute(sa.text(f"DROP INDEX CONCURRENTLY {name}"))


def _most(vectors: int) -> int:
    """Give how many indexes there may be with one more of so many vectors."""
    return MOST_INDEXES if vectors > LARGE else MOST_SMALL_INDEXES


def _stale(found: Mapping[str, bool], user_id: int, name: str) -> list[str]:
    """List the user's indexes that are broken, or of another generation than the one that ``name`` is of."""
    return [
        other for other, is_valid in found.items() if _user_of(other) == user_id and not (is_valid and other == name)
    ]


def _user_of(name: str) -> int:
    match = _NAME.match(name)
    assert match is not None, name
    return int(match[2])


@contextmanager
def _owner(database: UserDatabase, dimension: int = 0) -> Iterator[sa.Connection]:
    """Connect as the owner, outside any transaction, as it takes to build an index concurrently."""
    memory = _memory(database, dimension)
    with owner_connection(database.shared, database.shared.schema.search_path) as connection:
        connection.execute(sa.text(f"SET maintenance_work_mem = '{memory // MEGABYTE}MB'"))
        with interruptible(connection):
            yield connection


def _memory(database: UserDatabase, dimension: int) -> int:
    """Give how many bytes a build may take: what the graph needs, as one that outgrows them is finished on disk."""
    vectors = database.run(count_vectors)
    most = usable_memory() // 4 if database.shared.server else MOST_MEMORY
    return max(LEAST_MEMORY, min(vectors * (dimension // 8 + PER_VECTOR), most))


def _indexes(asked: sa.Connection | UserSession) -> dict[str, bool]:
    """Map the HNSW indexes there are, half-done copies included, to whether each is valid."""
    query = sa.text(
        "SELECT c.relname, i.indisvalid FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid"
        " WHERE i.indrelid = to_regclass(:indexed) AND c.relname ~ :pattern ORDER BY 1"
    )
    return dict(asked.execute(query, {"indexed": PassageEmbedding.__tablename__, "pattern": f"^{_NAME.pattern}"}).all())


def list_pending(
    session: UserSession,
    generation_id: int,
    *,
    conversations: Sequence[int] | None,
    after: PassageKey,
    limit: int,
) -> list[tuple[PassageKey, str]]:
    """List pending passages with their texts, in key order after ``after``.

    ``conversations`` restricts them to some conversations; None means all of the user's.
    """
    parameters = {
        "generation_id": generation_id,
        "conversations": None if conversations is None else list(conversations),
        "drawer_id": after.drawer_id,
        "ordinal": after.ordinal,
        "limit": limit,
    }
    rows = session.run("pending_passages", parameters).all()
    contents = _contents(session, sorted({row.drawer_id for row in rows}))
    return [(PassageKey(row.drawer_id, row.ordinal), _text(*contents[row.drawer_id], row)) for row in rows]


def write_embeddings(
    session: UserSession, generation_id: int, keys: Sequence[PassageKey], vectors: npt.NDArray[np.float32]
) -> int:
    """Write ``(n, dimension)`` vectors of pending passages; what was forgotten or embedded meanwhile stays so."""
    if not keys:
        return 0
    parameters: dict[str, Any] = {
        "generation_id": generation_id,
        "drawer_ids": [key.drawer_id for key in keys],
        "ordinals": [key.ordinal for key in keys],
        "vectors": [str(vector.tolist()) for vector in vectors],
    }
    return session.run("write_embeddings", parameters).rowcount


def _text(speaker: str | None, content: str, row: sa.Row[Any]) -> str:
    return indexed_text(speaker, content[row.char_start : row.char_end])


def _contents(session: UserSession, drawer_ids: Sequence[int]) -> dict[int, tuple[str | None, str]]:
    # Whole contents once: cutting passages in SQL would decompress a long drawer for each of them.
    rows = session.execute(session.select(Drawer.id, Drawer.speaker, Drawer.content).where(Drawer.id.in_(drawer_ids)))
    return {row.id: (row.speaker, row.content) for row in rows}
