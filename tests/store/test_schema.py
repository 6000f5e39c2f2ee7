"""The declared schema, the migrated one, the way between revisions; and every key leads with the user."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator

import pytest
import sqlalchemy as sa

from palace import UserSession
from palace.db.database import Database
from palace.db.schema import HEAD, OutdatedSchema, Schema
from palace.db.tables import Base
from palace.errors import SchemaMismatch
from tests.catalog import CATALOG, catalog
from tests.hosts import Host
from tests.hosts.reach import TEMPLATE


@pytest.fixture
def owner_url(host: Host) -> Iterator[str]:
    """URL of an empty database of the test's own, as its owner."""
    name = f"schema_{uuid.uuid4().hex[:10]}"
    host.create_database(name)
    yield host.owner_url(name).replace("postgresql://", "postgresql+psycopg://")
    host.drop_database(name)


@pytest.fixture
def migrated_url(host: Host) -> Iterator[str]:
    """URL of a migrated one."""
    name = f"schema_{uuid.uuid4().hex[:10]}"
    host.create_database(name, template=TEMPLATE)
    yield host.owner_url(name).replace("postgresql://", "postgresql+psycopg://")
    host.drop_database(name)


@pytest.mark.slow
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


def test_an_empty_database_is_outdated_and_names_the_command(owner_url: str) -> None:
    engine = sa.create_engine(owner_url, poolclass=sa.NullPool)
    with engine.connect() as connection, pytest.raises(OutdatedSchema, match="palace db upgrade"):
        Schema("palace").check(connection)


def test_a_newer_schema_is_refused_for_reading_and_for_migrating(migrated_url: str) -> None:
    schema, owner_url = Schema("palace"), migrated_url
    engine = sa.create_engine(owner_url, poolclass=sa.NullPool)
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE palace.schema_revision SET version_num = '9999'"))
    with engine.connect() as connection, pytest.raises(SchemaMismatch, match="newer than this program"):
        schema.check(connection)
    with pytest.raises(SchemaMismatch, match="newer than this program"):
        schema.upgrade(owner_url)


@pytest.mark.nightly
def test_two_palaces_share_a_database_in_schemas_of_their_own(owner_url: str) -> None:
    Schema("palace").upgrade(owner_url)
    Schema("other").upgrade(owner_url)
    engine = sa.create_engine(owner_url, poolclass=sa.NullPool)
    with engine.connect() as connection:
        assert Schema("palace").revision(connection) == Schema("other").revision(connection) == HEAD
        body = sa.text("SELECT prosrc FROM pg_proc WHERE oid = 'other.keyword_candidates'::regproc")
        assert "other.passage" in connection.execute(body).scalar_one()


@pytest.mark.slow
def test_an_older_version_gets_decisions_with_types_that_it_knows(migrated_url: str) -> None:
    engine = sa.create_engine(migrated_url, poolclass=sa.NullPool)
    named = """'{"name": "kvist", "type": "unknown", "other": "quist", "other_type": "unknown"}'"""
    user = "WITH made AS (INSERT INTO palace.palace_user (name) VALUES ('anna') RETURNING id)"
    with engine.begin() as connection:
        connection.exec_driver_sql(
            f"{user} INSERT INTO palace.entity_decision (user_id, verb, decided) SELECT id, 'merge', {named} FROM made"
        )
    Schema("palace").downgrade(migrated_url, "0027")
    with engine.connect() as connection:
        decided = connection.exec_driver_sql("SELECT decided FROM palace.entity_decision").scalar_one()
    assert decided == {"name": "kvist", "type": "organisation", "other": "quist", "other_type": "organisation"}


LAST = "ix_project_wing_user_id_wing_id"
"""What the last migration makes last."""


@pytest.mark.slow
def test_a_migration_that_fails_is_one_line_and_leaves_the_schema_as_it_was(migrated_url: str) -> None:
    schema, owner_url = Schema("palace"), migrated_url
    schema.downgrade(owner_url, "0025")
    engine = sa.create_engine(owner_url, poolclass=sa.NullPool)
    with engine.begin() as connection:
        # In the way of the last thing that a migration makes.
        connection.execute(sa.text(f"CREATE INDEX {LAST} ON palace.drawer (user_id)"))
        before = schema.revision(connection), catalog(connection)
    with pytest.raises(
        SchemaMismatch, match=r"migrating the schema 'palace' failed \(.*\): the step that failed changed"
    ):
        schema.upgrade(owner_url)
    with engine.begin() as connection:
        assert (schema.revision(connection), catalog(connection)) == before
        connection.execute(sa.text(f"DROP INDEX palace.{LAST}"))
    assert schema.upgrade(owner_url) == HEAD


REFERENCE = {
    "palace_user": "who there is: small, asked for by name; every machine would have all of it",
    "embedding_generation": "models, nobody's; every machine would have all of it",
}
"""Tables that are not spread, and why."""


@pytest.fixture
def server_catalog(database: Database) -> Iterator[sa.Connection]:
    with database.without_user() as connection:
        yield connection


def test_every_key_and_index_of_a_table_with_users_rows_leads_with_the_user(server_catalog: sa.Connection) -> None:
    query = sa.text(
        "SELECT t.relname, i.relname,"
        " (SELECT attname FROM pg_attribute WHERE attrelid = t.oid AND attnum = x.indkey[0])"
        " FROM pg_index AS x JOIN pg_class AS t ON t.oid = x.indrelid JOIN pg_class AS i ON i.oid = x.indexrelid"
        " WHERE t.relnamespace = CAST('palace' AS regnamespace) AND t.relname <> 'schema_revision'"
    )
    rows = [row for row in server_catalog.execute(query).all() if "hnsw" not in row[1]]
    assert len(rows) > 40
    assert [row for row in rows if row[0] not in REFERENCE and row[2] != "user_id"] == []


def test_every_foreign_key_between_tables_with_users_rows_names_the_user_on_both_sides(
    server_catalog: sa.Connection,
) -> None:
    query = sa.text(
        "SELECT conname, CAST(CAST(confrelid AS regclass) AS text),"
        " (SELECT attname FROM pg_attribute WHERE attrelid = conrelid AND attnum = conkey[1]),"
        " (SELECT attname FROM pg_attribute WHERE attrelid = confrelid AND attnum = confkey[1])"
        " FROM pg_constraint WHERE contype = 'f' AND connamespace = CAST('palace' AS regnamespace)"
    )
    rows = server_catalog.execute(query).all()
    assert len(rows) > 30
    assert [row for row in rows if row[1] not in REFERENCE and row[2:] != ("user_id", "user_id")] == []
    assert {row[2:] for row in rows if row[1] == "palace_user"} == {("user_id", "id")}


def test_a_policy_is_looked_at_once_for_a_statement(session: UserSession) -> None:
    for table in ("drawer", "passage", "passage_embedding", "term_count"):
        query = sa.text(f"EXPLAIN SELECT * FROM {table} WHERE user_id = {session.user_id}")
        plan = "\n".join(session.connection.execute(query).scalars())
        assert re.search(r"One-Time Filter: .*current_setting\('palace.user_id'", plan), plan
        assert not re.search("InitPlan|SubPlan", plan)
        assert plan.count("current_setting") == 1


def test_every_function_is_told_the_user_first_and_asks_no_setting_for_rows(server_catalog: sa.Connection) -> None:
    query = sa.text(
        "SELECT proname, proargnames[1], CAST(proargtypes[0] AS regtype) = CAST('bigint' AS regtype), prosrc"
        " FROM pg_proc WHERE pronamespace = CAST('palace' AS regnamespace)"
    )
    rows = server_catalog.execute(query).all()
    weighing = {"stemmers_of", "weigh_words_of_languages", "weigh_words"}
    assert {row.proname for row in rows} == {"keyword_candidates", "named_places", "refresh_statistics", *weighing}
    for name, first, is_number, body in rows:
        assert (name, first, is_number) == (name, "whose", True)
        assert not re.search(r"user_id\s*=\s*\(?\w*\(?current_setting", body), name
        compared = re.findall(r"user_id = (\S+)", body)
        assert {side.rstrip(";)") for side in compared} <= {"whose", "d.user_id"}, name
