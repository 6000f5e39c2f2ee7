"""Functions that run as the owner run nothing of their caller's, whatever the caller puts in their way."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product

import psycopg
import pytest

from tests.hosts import RUNTIME
from tests.privileges.conftest import Careless, Connection
from tests.privileges.shadows import KINDS, RUNNING, SAMPLES, Definer, attack, list_definers

OPEN_PATH = "SET search_path = palace, public"


OPENINGS = {
    "views": (OPEN_PATH, "SELECT count(*) FROM drawer"),
    "tables": (OPEN_PATH, "SELECT count(*) FROM drawer"),
    "types": (OPEN_PATH, "SELECT count('lantern'::tsquery)"),
    "functions": ("SET search_path = public, pg_catalog", "SELECT length(lower('A'))"),
    "operators": ("SET search_path = public, pg_catalog", "SELECT length('a' || 'b'::text)"),
    "text search": ("SET search_path = public, pg_catalog", "SELECT length(to_tsvector('simple', 'a lantern'))"),
}
"""A function's path and body through which each kind of shadow comes in."""


@pytest.fixture
def definers(attacker: Connection) -> list[Definer]:
    """Every function that runs as its owner."""
    found = list_definers(attacker)
    assert {"keyword_candidates", "named_places", "refresh_statistics"} <= {definer.name for definer in found}
    return found


@contextmanager
def opening(careless: Careless, kind: str) -> Iterator[Definer]:
    """Have a function that is open to one kind of shadow, made by the owner."""
    path, body = OPENINGS[kind]
    with careless.owner() as connection:
        connection.execute(
            f"CREATE FUNCTION palace.opening() RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER {path}"
            f" AS $$ BEGIN RETURN ({body}); END $$".encode()
        )
    try:
        with careless.attacker() as connection:
            found = next(definer for definer in list_definers(connection) if definer.name == "opening")
            connection.rollback()
        yield found
    finally:
        with careless.owner() as connection:
            connection.execute(b"DROP FUNCTION palace.opening()")


def _named(connection: Connection, name: str) -> Definer:
    """Find a function; its former version, where that is there."""
    found = [definer for definer in list_definers(connection) if definer.name == name]
    return min(found, key=lambda definer: len(definer.arguments))


def test_each_kind_of_shadow_comes_in_where_a_function_is_open_to_it(careless: Careless) -> None:
    for kind in KINDS:
        with opening(careless, kind) as function, careless.attacker() as attacker, careless.attacker() as undisturbed:
            expected, found = attack(undisturbed, function, whose=None), attack(attacker, function, kind, whose=None)
            undisturbed.rollback()
            attacker.rollback()
        assert function.owner in found.ran_as if kind in RUNNING else found.rows != expected.rows, kind


def test_the_statistics_function_looks_at_the_palaces_own_tables(attacker: Connection, careless: Careless) -> None:
    assert _analysed(attacker, careless) > 0


def _analysed(connection: Connection, careless: Careless) -> float:
    """Give how many drawers the planner knows of after a refresh, with tables of the same names in the way."""
    connection.execute(b"RESET ROLE")
    definer = _named(connection, "refresh_statistics")
    outcome = attack(connection, definer, "tables", whose=careless.attacker_id)
    assert outcome.refusal == ""
    query = b"SELECT greatest(reltuples, 0) FROM pg_catalog.pg_class WHERE oid = 'palace.drawer'::pg_catalog.regclass"
    (known,) = connection.execute(query).fetchone() or (0,)
    return float(known)


@pytest.mark.slow
def test_no_function_runs_or_believes_what_its_caller_has_made(
    definers: list[Definer], attacker: Connection, careless: Careless
) -> None:
    wrong = []
    for definer in definers:
        with careless.attacker() as undisturbed:
            expected = attack(undisturbed, definer, whose=careless.attacker_id)
            undisturbed.rollback()
        for kind in KINDS:
            with attacker.transaction(force_rollback=True):
                found = attack(attacker, definer, kind, whose=careless.attacker_id)
            is_sound = (found, found.refusal, found.ran_as) == (expected, "", frozenset())
            wrong += [] if is_sound else [(definer.name, kind, found, expected)]
    assert wrong == []


def test_the_keyword_function_still_finds_what_it_should_under_attack(attacker: Connection, careless: Careless) -> None:
    shadows = [kind for kind in KINDS if kind != "tables"]
    found = attack(attacker, _named(attacker, "keyword_candidates"), *shadows, whose=careless.attacker_id)
    assert len(found.rows) == 2


STEAL = """
CREATE FUNCTION pg_temp.spy() RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    IF current_user <> session_user AND current_user <> 'palace_app' THEN
        CREATE POLICY stolen ON palace.drawer USING (true);
        RAISE NOTICE 'stolen';
    END IF;
    RETURN true;
END $$
"""
"""What an attacker does who was let in: a policy for everybody."""


def _stolen(connection: Connection, careless: Careless) -> list[str]:
    """Read all drawers there are to be read, after the attack that reads somebody else's."""
    connection.execute(STEAL.encode())
    connection.execute(b"CREATE VIEW pg_temp.passage AS SELECT p.* FROM palace.passage AS p WHERE pg_temp.spy()")
    connection.execute(b"GRANT ALL ON pg_temp.passage TO PUBLIC")
    connection.execute(_named(connection, "keyword_candidates").call(careless.attacker_id).encode())
    return [str(row[0]) for row in connection.execute(b"SELECT content FROM palace.drawer ORDER BY id").fetchall()]


def test_nobody_elses_drawers_can_be_read_now(attacker: Connection, careless: Careless) -> None:
    assert _stolen(attacker, careless) == ["A lantern of my own."]


VALUES = ("", "0", "-1", "1 OR true", "NULL", "{1,2}", "9223372036854775808", "'; --")


def test_a_user_that_is_none_is_told_nothing(definers: list[Definer], attacker: Connection, careless: Careless) -> None:
    users, told = (None, 0, -1, careless.attacker_id, careless.victim_id), []
    for name, value in product(("palace.user_id", "palace.user_name"), VALUES):
        attacker.execute(b"SELECT set_config('palace.user_id', '', true)")
        attacker.execute("SELECT set_config(%s, %s, true)", (name, value))
        for definer, whose in product(definers, users):
            with attacker.transaction(force_rollback=True):
                told += [(definer.name, name, value, row) for row in _asked(attacker, definer, whose) if any(row)]
    assert told == []


def _asked(connection: Connection, definer: Definer, whose: int | None) -> list[tuple[object, ...]]:
    """Call a function; give its rows, none where it refuses."""
    try:
        with connection.transaction():
            return connection.execute(definer.call(whose).encode()).fetchall()
    except psycopg.Error:
        return []


def test_a_function_refuses_to_answer_for_another_user_than_the_sessions_own(
    definers: list[Definer], attacker: Connection, careless: Careless
) -> None:
    for named in (str(careless.attacker_id), ""):
        attacker.execute("SELECT set_config('palace.user_id', %s, true)", (named,))
        for definer, whose in product(definers, (None, 0, -1, careless.victim_id)):
            with pytest.raises(psycopg.errors.InsufficientPrivilege) as refused, attacker.transaction():
                attacker.execute(definer.call(whose).encode())
            assert refused.value.diag.message_primary == f"{definer.name} answers the session's own user alone"


def test_a_session_that_names_no_user_is_refused_its_callers_too(
    definers: list[Definer], member: Connection, careless: Careless
) -> None:
    member.execute(f"SET LOCAL ROLE {RUNTIME}".encode())
    for definer in definers:
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="own user"), member.transaction():
            member.execute(definer.call(careless.attacker_id).encode())


SETTINGS = (
    "SET LOCAL search_path = pg_temp",
    "SET LOCAL search_path = ''",
    "SET LOCAL plan_cache_mode = force_custom_plan",
    "SET LOCAL default_text_search_config = 'pg_catalog.simple'",
    "SET LOCAL transform_null_equals = on",
    "SET LOCAL backslash_quote = on",
    "SET LOCAL check_function_bodies = off",
    "SET LOCAL default_tablespace = 'pg_default'",
)


def test_what_a_session_sets_makes_no_function_say_more(
    definers: list[Definer], attacker: Connection, careless: Careless
) -> None:
    for definer in definers:
        call = definer.call(careless.attacker_id).encode()
        with attacker.transaction(force_rollback=True):
            expected = attacker.execute(call).fetchall()
        for setting in SETTINGS:
            with attacker.transaction(force_rollback=True):
                attacker.execute(setting.encode())
                assert attacker.execute(call).fetchall() == expected, (definer.name, setting)


def test_a_session_that_would_rather_fail_than_be_bound_by_policies_is_told_no_more(
    definers: list[Definer], attacker: Connection, careless: Careless
) -> None:
    attacker.execute(b"SET LOCAL row_security = off")
    for definer in definers:
        with attacker.transaction(force_rollback=True):
            found = attack(attacker, definer, whose=careless.attacker_id)
        # The owner is bound by policies too, unless it is a superuser.
        assert "row-level security" in found.refusal or len(found.rows) <= 2


def test_a_call_leaves_role_path_and_user_as_they_were(
    definers: list[Definer], attacker: Connection, careless: Careless
) -> None:
    query = b"SELECT current_user, current_setting('search_path'), current_setting('palace.user_id')"
    attacker.execute(b"SET LOCAL search_path = palace, public, pg_temp")
    before = attacker.execute(query).fetchall()
    for definer in definers:
        attacker.execute(definer.call(careless.attacker_id).encode())
        assert attacker.execute(query).fetchall() == before


def test_nobody_replaces_renames_or_gives_away_a_function(definers: list[Definer], attacker: Connection) -> None:
    for definer in definers:
        name = f"{definer.schema}.{definer.name}({', '.join(definer.arguments)})"
        for attempt in (
            f"ALTER FUNCTION {name} RESET search_path",
            f"ALTER FUNCTION {name} SET search_path = pg_temp",
            f"ALTER FUNCTION {name} OWNER TO CURRENT_USER",
            f"ALTER FUNCTION {name} RENAME TO other",
            f"DROP FUNCTION {name}",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege), attacker.transaction():
                attacker.execute(attempt.encode())


def test_every_type_of_argument_has_a_sample(definers: list[Definer]) -> None:
    assert {kind for definer in definers for kind in definer.arguments} <= set(SAMPLES)
