"""Functions that run as the owner run nothing of their caller's, whatever the caller puts in their way."""

from __future__ import annotations

from itertools import product

import psycopg
import pytest

from tests.privileges.conftest import Careless, Connection
from tests.privileges.shadows import KINDS, Definer, attack, list_definers


@pytest.fixture
def definers(attacker: Connection) -> list[Definer]:
    """Every function that runs as its owner."""
    found = list_definers(attacker)
    assert {"keyword_candidates", "named_places", "refresh_statistics"} <= {definer.name for definer in found}
    return found


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
