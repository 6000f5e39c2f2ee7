"""A generation's HNSW index: made when a user first has too many passages to compare them all.

It is the one object made at run time, by the owner, outside a transaction; the schema's catalog does not declare it.
"""

from __future__ import annotations

import sqlalchemy as sa

from palace.records import Generation
from palace.store.database import Database, UserSession

M = 16
EF_CONSTRUCTION = 64
LARGEST_INDEXED_DIMENSION = 4000


def index_name(generation_id: int) -> str:
    """Name the index of a generation."""
    return f"ix_passage_embedding_hnsw_{int(generation_id)}"


def has_index(session: UserSession, generation_id: int) -> bool:
    """Tell whether a generation's index is there and valid."""
    query = sa.text("SELECT coalesce((SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(:name)), false)")
    return bool(session.execute(query, {"name": index_name(generation_id)}).scalar_one())


def build_index(database: Database, generation: Generation) -> None:
    """Build a generation's index while everybody goes on writing; a broken one of an earlier try is dropped first."""
    name, dimension = index_name(generation.id), int(generation.dimension)
    engine = sa.create_engine(database.owner_url(), poolclass=sa.NullPool, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(sa.text(f"SET search_path = {database.schema.search_path}"))
        connection.execute(sa.text("SET maintenance_work_mem = '256MB'"))
        valid = sa.text("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(:name)")
        found = connection.execute(valid, {"name": name}).scalar_one_or_none()
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
