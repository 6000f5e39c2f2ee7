"""Nothing stands in the way of spreading users over machines: keys, policies, functions, statements name the user."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
import sqlalchemy as sa

from palace import UserSession
from palace.db.database import Database

REFERENCE = {
    "palace_user": "who there is: small, asked for by name; every machine would have all of it",
    "embedding_generation": "models, nobody's; every machine would have all of it",
}
"""Tables that are not spread, and why."""


@pytest.fixture
def catalog(database: Database) -> Iterator[sa.Connection]:
    with database.without_user() as connection:
        yield connection


def test_every_key_and_index_of_a_table_with_users_rows_leads_with_the_user(catalog: sa.Connection) -> None:
    query = sa.text(
        "SELECT t.relname, i.relname,"
        " (SELECT attname FROM pg_attribute WHERE attrelid = t.oid AND attnum = x.indkey[0])"
        " FROM pg_index AS x JOIN pg_class AS t ON t.oid = x.indrelid JOIN pg_class AS i ON i.oid = x.indexrelid"
        " WHERE t.relnamespace = CAST('palace' AS regnamespace) AND t.relname <> 'schema_revision'"
    )
    rows = [row for row in catalog.execute(query).all() if "hnsw" not in row[1]]
    assert len(rows) > 40
    assert [row for row in rows if row[0] not in REFERENCE and row[2] != "user_id"] == []


def test_every_foreign_key_between_tables_with_users_rows_names_the_user_on_both_sides(catalog: sa.Connection) -> None:
    query = sa.text(
        "SELECT conname, CAST(CAST(confrelid AS regclass) AS text),"
        " (SELECT attname FROM pg_attribute WHERE attrelid = conrelid AND attnum = conkey[1]),"
        " (SELECT attname FROM pg_attribute WHERE attrelid = confrelid AND attnum = confkey[1])"
        " FROM pg_constraint WHERE contype = 'f' AND connamespace = CAST('palace' AS regnamespace)"
    )
    rows = catalog.execute(query).all()
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


def test_every_function_is_told_the_user_first_and_asks_no_setting_for_rows(catalog: sa.Connection) -> None:
    query = sa.text(
        "SELECT proname, proargnames[1], CAST(proargtypes[0] AS regtype) = CAST('bigint' AS regtype), prosrc"
        " FROM pg_proc WHERE pronamespace = CAST('palace' AS regnamespace)"
    )
    rows = catalog.execute(query).all()
    weighing = {"stemmers_of", "weigh_words_of_languages", "weigh_words"}
    assert {row.proname for row in rows} == {"keyword_candidates", "named_places", "refresh_statistics", *weighing}
    for name, first, is_number, body in rows:
        assert (name, first, is_number) == (name, "whose", True)
        assert not re.search(r"user_id\s*=\s*\(?\w*\(?current_setting", body), name
        compared = re.findall(r"user_id = (\S+)", body)
        assert {side.rstrip(";)") for side in compared} <= {"whose", "d.user_id"}, name
