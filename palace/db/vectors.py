"""A user's HNSW index over binary quantisations, built once they have too many passages for an exact scan.

Each such user has their own, so that no search reads another's rows, and filing costs users without one nothing. It is
the one object created at run time, by the owner, outside a transaction; the declared schema lacks it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from palace.db.counts import count_vectors
from palace.db.database import UserDatabase, UserSession, owner_connection
from palace.db.embedded.cluster import MEGABYTE, usable_memory
from palace.db.locks import claim_indexes
from palace.db.refusals import interruptible
from palace.db.tables import Drawer, PassageEmbedding
from palace.models import Generation, PassageKey, indexed_text

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

M = 16
EF_CONSTRUCTION = 64
LEAST_MEMORY = 256 * MEGABYTE
MOST_MEMORY = 1024 * MEGABYTE
"""Limit for a shared server, whose memory is not known here."""

PER_VECTOR = 800
"""Bytes that a vector takes in a graph being built, besides its own bit for each dimension; measured."""

MOST_INDEXES = 100
"""Limit for one schema: every statement about vectors considers each index. Beyond it, recall scans a user's codes."""

MOST_SMALL_INDEXES = 20
"""Limit up to which a user with at most ``LARGE`` vectors gets one, which saves two milliseconds a recall."""

LARGE = 50_000

INDEX = "ix_passage_embedding_hnsw"
"""The beginning of each index's name, before the ids of generation and user."""

_NAME = re.compile(rf"{INDEX}_([0-9]+)_([0-9]+)")
"""The beginning of an index's name; Postgres appends to it while rebuilding one concurrently."""


def index_name(generation_id: int, user_id: int) -> str:
    """Return the name of the index of a user's vectors in a generation."""
    return f"{INDEX}_{int(generation_id)}_{int(user_id)}"


def is_vector_index(name: str) -> bool:
    """Check whether an index is a vector index, or a copy of one that is being rebuilt."""
    return _NAME.match(name) is not None


def has_room(session: UserSession) -> bool:
    """Check whether the schema may have one more index, for this user."""
    return len(_indexes(session)) < _most(count_vectors(session))


def build_index(database: UserDatabase, generation: Generation) -> None:
    """Build the user's index of a generation concurrently, and drop the user's broken or outdated ones.

    Does nothing while another process builds or rebuilds one, nor where the schema has reached its limit.
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
    """Rebuild the user's index of a generation, and all broken ones, concurrently; return their names.

    Incomplete copies from an interrupted rebuild are dropped. Does nothing while another process builds or rebuilds
    one.
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
    """Drop all indexes of the user; does nothing while another process builds one."""
    with _owner(database) as connection:
        found = _indexes(connection) if claim_indexes(connection) else {}
        for name in (name for name in found if _user_of(name) == database.user_id):
            connection.execute(sa.text(f"DROP INDEX CONCURRENTLY {name}"))


def _most(vectors: int) -> int:
    return MOST_INDEXES if vectors > LARGE else MOST_SMALL_INDEXES


def _stale(found: Mapping[str, bool], user_id: int, name: str) -> list[str]:
    return [
        other for other, is_valid in found.items() if _user_of(other) == user_id and not (is_valid and other == name)
    ]


def _user_of(name: str) -> int:
    match = _NAME.match(name)
    assert match is not None, name
    return int(match[2])


@contextmanager
def _owner(database: UserDatabase, dimension: int = 0) -> Iterator[sa.Connection]:
    """Connect as the owner, outside any transaction, as building an index concurrently needs."""
    memory = _memory(database, dimension)
    with owner_connection(database.shared, database.shared.schema.search_path) as connection:
        connection.execute(sa.text(f"SET maintenance_work_mem = '{memory // MEGABYTE}MB'"))
        with interruptible(connection):
            yield connection


def _memory(database: UserDatabase, dimension: int) -> int:
    """Return the bytes that a build may use: enough for the whole graph, since one that outgrows them is slow."""
    vectors = database.run(count_vectors)
    most = usable_memory() // 4 if database.shared.server else MOST_MEMORY
    return max(LEAST_MEMORY, min(vectors * (dimension // 8 + PER_VECTOR), most))


def _indexes(asked: sa.Connection | UserSession) -> dict[str, bool]:
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
    """Write ``(n, dimension)`` vectors of pending passages; those forgotten or embedded meanwhile are skipped."""
    if not keys:
        return 0
    # Nine digits are all that a number of 32 bits has.
    written = f"[{','.join(['%.9g'] * vectors.shape[1])}]"
    parameters: dict[str, Any] = {
        "generation_id": generation_id,
        "drawer_ids": [key.drawer_id for key in keys],
        "ordinals": [key.ordinal for key in keys],
        "vectors": [written % tuple(vector) for vector in vectors.tolist()],
    }
    return session.run("write_embeddings", parameters).rowcount


def _text(speaker: str | None, content: str, row: sa.Row[Any]) -> str:
    return indexed_text(speaker, content[row.char_start : row.char_end])


def _contents(session: UserSession, drawer_ids: Sequence[int]) -> dict[int, tuple[str | None, str]]:
    # Read each text once: cutting passages in SQL would decompress a long drawer for each of them.
    rows = session.execute(session.select(Drawer.id, Drawer.speaker, Drawer.content).where(Drawer.id.in_(drawer_ids)))
    return {row.id: (row.speaker, row.content) for row in rows}
