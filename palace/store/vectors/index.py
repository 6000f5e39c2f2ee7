"""A generation's HNSW index: made when a user first has too many passages to compare them all.

It is the one object made at run time, by the owner, outside a transaction; the schema's catalog does not declare it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager

import sqlalchemy as sa

from palace.records import Generation
from palace.store.database import Database, UserSession
from palace.store.refusals import interruptible, translated

M = 16
EF_CONSTRUCTION = 64
LARGEST_INDEXED_DIMENSION = 4000
MEGABYTE = 2**20
LEAST_MEMORY = 256 * MEGABYTE
MOST_MEMORY = 1024 * MEGABYTE
"""Of a shared server, whose own memory is not known here."""

PER_VECTOR = 800
"""Bytes that a vector takes in a graph that is being built, beside its own two for each dimension; measured."""

_NAME = re.compile(r"ix_passage_embedding_hnsw_[0-9]+")
"""How an index's name begins; Postgres adds to it while it rebuilds one concurrently."""


def index_name(generation_id: int) -> str:
    """Name the index of a generation."""
    return f"ix_passage_embedding_hnsw_{int(generation_id)}"


def is_vector_index(name: str) -> bool:
    """Tell whether an index is a generation's, or a copy of one that is being rebuilt."""
    return _NAME.match(name) is not None


def has_index(session: UserSession, generation_id: int) -> bool:
    """Tell whether a generation's index is there and valid."""
    query = sa.text("SELECT coalesce((SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(:name)), false)")
    return bool(session.execute(query, {"name": index_name(generation_id)}).scalar_one())


def build_index(database: Database, generation: Generation) -> None:
    """Build a generation's index while everybody goes on writing; a broken one of an earlier try is dropped first.

    While another process builds or rebuilds one, nothing is done.
    """
    name, dimension = index_name(generation.id), int(generation.dimension)
    with _owner(database) as connection:
        found = _indexes(connection).get(name) if _claim(connection) else True
        if found is False:
            connection.execute(sa.text(f"DROP INDEX CONCURRENTLY {name}"))
        if not found:
            connection.execute(
                sa.text(
                    f"CREATE INDEX CONCURRENTLY {name} ON passage_embedding"
                    f" USING hnsw ((embedding::halfvec({dimension})) halfvec_cosine_ops)"
                    f" WITH (m = {M}, ef_construction = {EF_CONSTRUCTION})"
                    f" WHERE generation_id = {int(generation.id)}"
                )
            )


def rebuild_indexes(database: Database, generation: Generation) -> tuple[str, ...]:
    """Rebuild a generation's index, and every broken one, from the vectors while everybody goes on; name them.

    A copy that an interrupted rebuild left half done is dropped. While another process builds or rebuilds one, nothing
    is done.
    """
    rebuilt = []
    with _owner(database) as connection:
        found = _indexes(connection) if _claim(connection) else {}
        for name in [name for name, is_valid in found.items() if not is_valid or name == index_name(generation.id)]:
            if _NAME.fullmatch(name):
                connection.execute(sa.text(f"REINDEX INDEX CONCURRENTLY {name}"))
                rebuilt.append(name)
            else:
                connection.execute(sa.text(f"DROP INDEX CONCURRENTLY {name}"))
    return tuple(rebuilt)


@contextmanager
def _owner(database: Database) -> Iterator[sa.Connection]:
    """Connect as the owner, outside any transaction, as it takes to build an index concurrently."""
    with translated(database.address, database.secrets):
        engine = sa.create_engine(database.owner_url(), poolclass=sa.NullPool, isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.execute(sa.text(f"SET search_path = {database.schema.search_path}"))
            memory = _memory(database, connection)
            connection.execute(sa.text(f"SET maintenance_work_mem = '{memory // MEGABYTE}MB'"))
            with interruptible(connection):
                yield connection


def _memory(database: Database, connection: sa.Connection) -> int:
    """Give how many bytes a build may take: what the graph needs, as one that outgrows them is finished on disk."""
    query = sa.text(
        "SELECT greatest(reltuples, 0), (SELECT coalesce(max(dimension), 0) FROM embedding_generation)"
        " FROM pg_class WHERE oid = to_regclass('passage_embedding')"
    )
    vectors, dimension = map(int, connection.execute(query).one())
    most = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 4 if database.server else MOST_MEMORY
    return max(LEAST_MEMORY, min(vectors * (2 * dimension + PER_VECTOR), most))


def _claim(connection: sa.Connection) -> bool:
    """Keep others from building indexes in this schema until the connection ends; False while one does.

    Nobody waits: a build would wait in turn for the snapshot of the statement that waits for it.
    """
    claim = sa.text("SELECT pg_try_advisory_lock(hashtextextended(current_schema() || '/hnsw', 0))")
    return bool(connection.execute(claim).scalar_one())


def _indexes(connection: sa.Connection) -> dict[str, bool]:
    """Map the HNSW indexes there are, half-done copies included, to whether each is valid."""
    query = sa.text(
        "SELECT c.relname, i.indisvalid FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid"
        " WHERE i.indrelid = to_regclass('passage_embedding') AND c.relname ~ :pattern ORDER BY 1"
    )
    return dict(connection.execute(query, {"pattern": f"^{_NAME.pattern}"}).all())
