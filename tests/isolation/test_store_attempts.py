"""A stranger calls every function of the store with the victim's ids, once for each of the two layers."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

import palace.db
from palace import Palace, PalaceError, UserSession
from palace.db.driver import Answer
from tests.isolation.conftest import Worlds, both_layers, predicates_alone
from tests.isolation.loot import hints_of, own_ids
from tests.isolation.world import World, rows_of

Function = Callable[..., Any]
Twins = tuple[Palace, Palace]


def store_functions() -> Iterator[tuple[str, Function]]:
    """Give every public function of the store that works in a user's transaction, by its path."""
    for found in pkgutil.walk_packages(palace.db.__path__, "palace.db."):
        module = importlib.import_module(found.name)
        for name, function in vars(module).items():
            if inspect.isfunction(function) and function.__module__ == found.name and not name.startswith("_"):
                if inspect.isgeneratorfunction(inspect.unwrap(function)) and not inspect.isgeneratorfunction(function):
                    continue  # a frame around other functions gives nothing itself
                parameters = list(inspect.signature(function).parameters.values())
                if parameters and parameters[0].annotation == "UserSession":
                    yield f"{found.name.removeprefix('palace.db.')}.{name}", function


FUNCTIONS = dict(store_functions())


@pytest.fixture
def twins(worlds: Worlds) -> Iterator[Twins]:
    """Two strangers of one history, one beside the victim, one alone."""
    one, other = (place.stranger(f"stranger-{uuid.uuid4()}") for place in worlds)
    with one, other:
        yield one, other


def outcome(path: str, session: UserSession, arguments: dict[str, Any]) -> str:
    """Call a function; give the value, or the error's class and text."""
    try:
        with session.connection.begin_nested():
            value = FUNCTIONS[path](session, **arguments)
            if isinstance(value, sa.Select):
                value = session.connection.execute(value).all()
            if isinstance(value, Answer):
                value = value.get()
            return repr(list(value) if isinstance(value, Iterator) else value)
    except DBAPIError as problem:
        return f"{type(problem.orig).__name__}: {problem.orig}"
    except LookupError as problem:  # which repeats what was looked up
        return type(problem).__name__
    except (PalaceError, SQLAlchemyError, AssertionError, ValueError, TypeError) as problem:
        return f"{type(problem).__name__}: {problem}"


def rows(session: UserSession, user_id: int) -> list[tuple[str, str]]:
    """Read every row of a user that a transaction sees."""
    return sorted((table, row) for table, row in session.connection.exec_driver_sql(rows_of(user_id)))


def planted_answer(path: str, world: World, stranger: Palace) -> str:
    """Call a function in a stranger's transaction that takes itself for the victim's."""
    with stranger._opened.session() as session:
        planted = UserSession(session.connection, world.loot.user_id)
        return outcome(path, planted, world.loot.arguments(path, FUNCTIONS[path], planted))


@both_layers
def test_with_the_victims_id_planted_the_policies_alone_hold(unharmed: World, deserted: World, twins: Twins) -> None:
    told = []
    for path in FUNCTIONS:
        beside, alone = (planted_answer(path, *each) for each in zip((unharmed, deserted), twins, strict=True))
        same = unharmed.comparable(beside, twins[0].user) == deserted.comparable(alone, twins[1].user)
        beside = beside.replace(str(unharmed.victim.drawer_id), "<what was given>")
        told += [] if same and not unharmed.secrets_in(beside) else [(path, beside, alone)]
    assert told == []


@predicates_alone
def test_without_policies_the_predicates_alone_hold(unharmed: World, deserted: World, twins: Twins) -> None:
    assert _told(unharmed, deserted, twins, all_mixtures=False) == []


@pytest.mark.nightly
@predicates_alone
def test_nor_do_ones_own_ids_among_the_victims_get_past_them(unharmed: World, deserted: World, twins: Twins) -> None:
    assert _told(unharmed, deserted, twins, all_mixtures=True) == []


@both_layers
def test_what_is_made_for_the_functions_gets_the_victim_something_of_most(world: World) -> None:
    told = {}
    with world.victim.palace._opened.session() as session:
        for path, function in FUNCTIONS.items():
            with session.connection.begin_nested() as attempt:
                told[path] = outcome(path, session, world.loot.arguments(path, function, session))
                attempt.rollback()
        session.connection.rollback()
    failed = [
        (path, answer) for path, answer in told.items() if re.match(r"\w*(Error|Violation|Named|Refused)\b", answer)
    ]
    assert len(failed) < 20, failed
    assert sum(answer not in ("None", "[]", "{}", "()", "0", "False", "set()") for answer in told.values()) > 200


def _told(world: World, deserted: World, twins: Twins, *, all_mixtures: bool) -> list[tuple[str, object, object]]:
    """List the functions that tell more, or change more, beside a victim than where there is none."""
    before: tuple[Any, Any] = (world.rows(), deserted.rows())
    found: list[tuple[str, object, object]] = []
    for path in FUNCTIONS:
        beside, alone = (
            list(_attempts(path, place, stranger, all_mixtures=all_mixtures, victims=victims))
            for place, stranger, victims in zip((world, deserted), twins, before, strict=True)
        )
        if beside != alone or world.secrets_in(repr(beside)):
            found.append((path, beside, alone))
    return found


def _attempts(
    path: str, world: World, stranger: Palace, *, all_mixtures: bool, victims: list[tuple[str, str]]
) -> Iterator[list[str]]:
    """Call a function with what the victim has, mixed with one's own; give the answers and what is one's own then."""
    opened = stranger._opened
    with opened.session() as session:
        mixtures = world.loot.mixtures(hints_of(FUNCTIONS[path]), own_ids(session))
    for mixture in mixtures if all_mixtures else mixtures[:1]:
        with opened.session() as session:
            arguments = world.loot.arguments(path, FUNCTIONS[path], session) | mixture
            answer, harmed = [outcome(path, session, arguments)], False
            if session.connection.exec_driver_sql("SELECT pg_current_xact_id_if_assigned()").scalar_one():
                # What is the stranger's own may change, and must not pile up; the victim's may not.
                answer += map(str, rows(session, opened.database.user_id))
                harmed = rows(session, world.victim.user_id) != victims
            session.connection.rollback()
        yield [*sorted(_without_wing_numbers(world.comparable(each, stranger.user), world) for each in answer)] + [
            "the victim is harmed"
        ] * harmed


def _without_wing_numbers(row: str, world: World) -> str:
    """Write a row without the numbers that the wing of an export has."""
    number = world.guess.cast.number
    return re.sub(rf"\b({number}|{number + 1})\b", "<number>", row)
