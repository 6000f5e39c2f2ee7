"""Nothing stands in the way of spreading users over machines: keys, policies, functions, statements name the user."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from palace.store.database import Database, UserSession
from palace.store.schema import migrations_folder
from palace.store.sql.texts import KEYS
from palace.store.vectors.index import index_name

REFERENCE = {
    "palace_user": "who there is: small, asked for by name; every machine would have all of it",
    "embedding_generation": "models, nobody's; every machine would have all of it",
}
"""Tables that are not spread, and why."""
CLEARED_BY_KEY = {
    "fk_drawer_user_id_room_id_closet_id": "the store empties a closet first; this is for forgetting everything",
    "fk_drawer_user_id_replaced_by": "the store would clear what cites a drawer first",
    "fk_drawer_user_id_answers": "the store would clear what cites a drawer first",
    "fk_cost_entry_user_id_conversation_id": "the store would clear what a conversation cost of it first",
    "fk_alias_user_id_entity_id": "the store would clear the aliases of an entity first",
    "fk_assertion_user_id_superseded_by": "the store would fold anew what a drawer succeeds first",
    "fk_relation_user_id_object_id": "the store would fold anew what has an entity as its object first",
}
"""Foreign keys that clear a column, which a distributed table refuses: made anew without it when tables are spread."""
FIRST_RULED = "0007"
"""The first migration that a cluster may have to run on tables that are spread already."""

SCRIPTS = sorted(Path("palace/store/sql").glob("*.sql"))
SOURCES = sorted(Path("palace/store").rglob("*.py"))
OURS = re.compile(r"\b(keyword_candidates|weigh_words|refresh_statistics)\(")
CLOCK = re.compile(r"\b(now|clock_timestamp|statement_timestamp|random|gen_random_uuid)\(")
VOLATILE = re.compile(r"\b(now|clock_timestamp|random|gen_random_uuid)\(")
"""What a distributed update refuses, and the start of the transaction, which is not what is meant."""
CAST_COLUMN = re.compile(r"CAST\((?!:)\S+ AS (?!vector|halfvec)\w+\)")
"""A cast of a column; of text to most types it is not immutable. That to a vector is."""
CHANGE = re.compile(r"\b(ALTER COLUMN \w+ (DROP|SET|TYPE)|ADD|DROP|RENAME COLUMN|ENABLE|FORCE)\b")
"""What a statement changes of a table; a column that loses its default is one change."""
CORRELATED = re.compile(r"WHERE \w+\.user_id = \w+\.user_id")


@pytest.fixture
def catalog(database: Database) -> Iterator[sa.Connection]:
    with database.without_user() as connection:
        yield connection


def _text(path: Path) -> str:
    return re.sub(r"--.*", "", path.read_text(encoding="utf-8"))


def _parts(text: str, begins: str) -> list[str]:
    """List the parts of a statement that begin with some words, each up to the parenthesis that it stands in."""
    found = []
    for match in re.finditer(rf"\b{begins}\b", text):
        depth, end = 0, match.end()
        while end < len(text) and depth >= 0:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        found.append(text[match.start() : end])
    return found


def test_every_key_and_index_of_a_table_with_users_rows_leads_with_the_user(catalog: sa.Connection) -> None:
    query = sa.text(
        "SELECT t.relname, i.relname,"
        " (SELECT attname FROM pg_attribute WHERE attrelid = t.oid AND attnum = x.indkey[0])"
        " FROM pg_index AS x JOIN pg_class AS t ON t.oid = x.indrelid JOIN pg_class AS i ON i.oid = x.indexrelid"
        " WHERE t.relnamespace = CAST('palace' AS regnamespace) AND t.relname <> 'schema_revision'"
    )
    made_while_running = index_name(1, 1).rsplit("_", 2)[0]
    rows = [row for row in catalog.execute(query).all() if not row[1].startswith(made_while_running)]
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


def test_the_foreign_keys_that_clear_a_column_are_the_ones_known_to(catalog: sa.Connection) -> None:
    query = sa.text(
        "SELECT conname FROM pg_constraint WHERE confdeltype IN ('n', 'd')"
        " AND connamespace = CAST('palace' AS regnamespace)"
    )
    assert set(catalog.execute(query).scalars()) == set(CLEARED_BY_KEY)


def test_no_policy_has_a_statement_in_it(catalog: sa.Connection) -> None:
    query = sa.text("SELECT tablename, concat(qual, with_check) FROM pg_policies WHERE schemaname = 'palace'")
    rows = catalog.execute(query).all()
    assert len(rows) >= 40
    assert [row for row in rows if "SELECT" in row[1].upper()] == []


@pytest.mark.parametrize("table", ["drawer", "passage", "passage_embedding", "term_count"])
def test_a_policy_is_looked_at_once_for_a_statement(table: str, session: UserSession) -> None:
    query = sa.text(f"EXPLAIN SELECT * FROM {table} WHERE user_id = {session.user_id}")
    plan = "\n".join(session.connection.execute(query).scalars())
    assert re.search(r"One-Time Filter: .*current_setting\('palace.user_id'", plan), plan
    assert "InitPlan" not in plan
    assert "SubPlan" not in plan
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


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_a_statement_keeps_to_what_a_cluster_routes(path: Path) -> None:
    text = _text(path)
    for insert in _parts(text, "INSERT INTO"):
        # Any other is a COPY to a cluster, and that is refused where policies hold.
        assert re.search("RETURNING|ON CONFLICT", insert), insert
    for update in _parts(text, "UPDATE"):
        assert not VOLATILE.search(update), "a time is given, or the statement's own"
        assert not CAST_COLUMN.search(update), "the array is cast, not the column"
    for update in _parts(text, "DO UPDATE"):
        assert not CLOCK.search(update), "what is proposed for insertion has the time: excluded"
    assert not CORRELATED.search(text), "a sub-query names the user itself"
    if OURS.search(text):
        assert not re.search(rf"\b({'|'.join(KEYS)})\b", text), "a function of ours is called by itself"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.as_posix())
def test_a_module_keeps_to_it_too(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    assert not re.search(r"func\.(now|clock_timestamp)\(", source), "an update takes statement_timestamp"
    assert not re.search(r"set_=[^)]*func\.", source)
    assert not re.search(r"where\(\s*[A-Z]\w*\.user_id == [A-Z]\w*\.user_id", source), "a sub-query names the user"
    assert "set_config('" not in source, "SET LOCAL is passed on"
    if "from_select(" in source:
        assert re.search(r"on_conflict_do|\.returning\(", source)


def test_a_migration_changes_one_thing_of_a_table_at_a_time() -> None:
    scripts = [path for path in Path(migrations_folder(), "sql").rglob("*.sql") if path.parent.name >= FIRST_RULED]
    assert scripts
    for path in scripts:
        for statement in re.findall(r"ALTER TABLE[^;]*;", _text(path)):
            assert len(CHANGE.findall(statement)) == 1, statement


@pytest.mark.parametrize(
    "wrong",
    [
        "INSERT INTO drawer (user_id) SELECT :user_id",
        "WITH a AS (INSERT INTO drawer (user_id) SELECT :user_id) SELECT 1 AS returning",
        "UPDATE drawer SET filed_at = clock_timestamp() WHERE user_id = :user_id",
        "UPDATE drawer SET spoken_of = CAST(given.times AS tstzmultirange) FROM given WHERE user_id = :user_id",
        "INSERT INTO t SELECT 1 ON CONFLICT (user_id) DO UPDATE SET filed_at = statement_timestamp()",
        "SELECT (SELECT count(*) FROM drawer AS d WHERE d.user_id = r.user_id) FROM room AS r",
        "SELECT * FROM keyword_candidates(:user_id) JOIN drawer AS d ON d.user_id = :user_id",
    ],
)
def test_a_statement_that_does_not_is_seen(wrong: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.sql"
    path.write_text(wrong, encoding="utf-8")
    with pytest.raises(AssertionError):
        test_a_statement_keeps_to_what_a_cluster_routes(path)


def test_who_works_in_a_transaction_is_said_by_one_message_without_a_parameter(
    database: Database, user_id: int
) -> None:
    said: list[tuple[str, object]] = []

    def listen(*event: object) -> None:
        said.append((str(event[2]), event[3]))

    sa.event.listen(database._engine, "before_cursor_execute", listen)
    with database.of(user_id).transaction(flush=False):
        pass
    ((message, parameters),) = said
    assert message == (
        "SET LOCAL ROLE palace_app; SET LOCAL search_path = palace, public, palace_queue, pg_temp;"
        f" SET LOCAL palace.user_id = '{user_id}'; SET LOCAL palace.user_name = '';"
        " SET LOCAL synchronous_commit = off"
    )
    assert not parameters
