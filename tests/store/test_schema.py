"""The declared schema, the migrated one, and the way between revisions."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from palace.errors import SchemaMismatch
from palace.store.embedded.server import OWNER_ROLE, EmbeddedServer
from palace.store.schema import HEAD, OutdatedSchema, Schema, migrations_folder
from palace.tables import Base
from palace.tables import objects as _objects  # noqa: F401 — declares policies and functions on the metadata

CATALOG = {
    "columns": """
        SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attstorage,
               pg_get_expr(d.adbin, d.adrelid)
        FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid LEFT JOIN pg_attrdef d
             ON d.adrelid = a.attrelid AND d.adnum = a.attnum
        WHERE c.relnamespace = :schema ::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped""",
    "constraints": """
        SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
        WHERE connamespace = :schema ::regnamespace AND contype <> 'n'""",
    "indexes": "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = :schema",
    "policies": """
        SELECT tablename, policyname, permissive, roles::text, cmd, qual, with_check FROM pg_policies
        WHERE schemaname = :schema""",
    "security": """
        SELECT relname, relrowsecurity, relforcerowsecurity, relacl::text FROM pg_class
        WHERE relnamespace = :schema ::regnamespace AND relkind = 'r'""",
    "functions": """
        SELECT proname, pg_get_functiondef(oid), proacl::text FROM pg_proc
        WHERE pronamespace = :schema ::regnamespace""",
    "text search": """
        SELECT c.cfgname, m.maptokentype, m.mapseqno, m.mapdict::regdictionary::text, d.dictinitoption
        FROM pg_ts_config c JOIN pg_ts_config_map m ON m.mapcfg = c.oid JOIN pg_ts_dict d ON d.oid = m.mapdict
        WHERE c.cfgnamespace = :schema ::regnamespace""",
}


@pytest.fixture
def owner_url(server: EmbeddedServer) -> Iterator[str]:
    """URL of an empty database of the test's own, as its owner."""
    name = f"schema_{uuid.uuid4().hex[:10]}"
    url = server.url(OWNER_ROLE, "postgres").replace("postgresql://", "postgresql+psycopg://")
    engine = sa.create_engine(url, isolation_level="AUTOCOMMIT", poolclass=sa.NullPool)
    with engine.connect() as connection:
        connection.execute(sa.text(f"CREATE DATABASE {name}"))
    yield server.url(OWNER_ROLE, name).replace("postgresql://", "postgresql+psycopg://")
    with engine.connect() as connection:
        connection.execute(sa.text(f"DROP DATABASE {name} WITH (FORCE)"))


def catalog(connection: sa.Connection) -> dict[str, list[tuple[str, ...]]]:
    """Read everything that makes a schema what it is, apart from the revision table."""
    connection.execute(sa.text("SET search_path = palace, public"))
    found = {}
    for name, query in CATALOG.items():
        text = query.replace(":schema ::regnamespace", "'palace'::regnamespace").replace(":schema", "'palace'")
        rows = sorted(tuple(map(repr, row)) for row in connection.execute(sa.text(text)))
        found[name] = [row for row in rows if "schema_revision" not in "".join(row)]
    return found


def test_the_migrated_schema_is_the_declared_one(owner_url: str) -> None:
    schema = Schema("palace")
    schema.upgrade(owner_url)
    engine = sa.create_engine(owner_url, poolclass=sa.NullPool)
    with engine.connect() as connection:
        migrated = catalog(connection)
    schema.downgrade(owner_url)
    with engine.begin() as connection:
        connection.execute(sa.text("SET search_path = palace, public"))
        Base.metadata.create_all(connection)
        declared = catalog(connection)
    assert len(migrated["columns"]) > 80
    for name in CATALOG:
        assert migrated[name] == declared[name], name


def test_a_downgrade_leaves_nothing_and_the_way_up_is_open_again(owner_url: str) -> None:
    schema = Schema("palace")
    schema.upgrade(owner_url)
    engine = sa.create_engine(owner_url, poolclass=sa.NullPool)
    with engine.connect() as connection:
        first = catalog(connection)
    schema.downgrade(owner_url)
    with engine.connect() as connection:
        assert not any(rows for rows in catalog(connection).values())
    schema.upgrade(owner_url)
    with engine.connect() as connection:
        assert catalog(connection) == first


def test_the_head_is_the_newest_migration() -> None:
    scripts = sorted(Path(migrations_folder(), "versions").glob("*.py"))
    assert scripts[-1].name.split("_")[0] == HEAD


def test_an_empty_database_is_outdated_and_names_the_command(owner_url: str) -> None:
    engine = sa.create_engine(owner_url, poolclass=sa.NullPool)
    with engine.connect() as connection, pytest.raises(OutdatedSchema, match="palace db upgrade"):
        Schema("palace").check(connection)


def test_a_newer_schema_is_refused_for_reading_and_for_migrating(owner_url: str) -> None:
    schema = Schema("palace")
    schema.upgrade(owner_url)
    engine = sa.create_engine(owner_url, poolclass=sa.NullPool)
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE palace.schema_revision SET version_num = '9999'"))
    with engine.connect() as connection, pytest.raises(SchemaMismatch, match="newer than this program"):
        schema.check(connection)
    with pytest.raises(SchemaMismatch, match="newer than this program"):
        schema.upgrade(owner_url)


def test_two_palaces_share_a_database_in_schemas_of_their_own(owner_url: str) -> None:
    Schema("palace").upgrade(owner_url)
    Schema("other").upgrade(owner_url)
    engine = sa.create_engine(owner_url, poolclass=sa.NullPool)
    with engine.connect() as connection:
        assert Schema("palace").revision(connection) == Schema("other").revision(connection) == HEAD
        body = sa.text("SELECT proconfig FROM pg_proc WHERE oid = 'other.keyword_candidates'::regproc")
        assert "search_path=other, public" in connection.execute(body).scalar_one()
