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

import palace.store
from palace import Palace
from palace.errors import PalaceError
from palace.store.database import UserSession
from tests.isolation.conftest import Worlds
from tests.isolation.loot import own_ids
from tests.isolation.world import World, rows_of

Function = Callable[..., Any]
Twins = tuple[Palace, Palace]

SESSION_FIRST = "UserSession"


def store_functions() -> Iterator[tuple[str, Function]]:
    """Give every public function of the store that works in a user's transaction, by its path."""
    for found in pkgutil.walk_packages(palace.store.__path__, "palace.store."):
        module = importlib.import_module(found.name)
        for name, function in vars(module).items():
            if inspect.isfunction(function) and function.__module__ == found.name and not name.startswith("_"):
                parameters = list(inspect.signature(function).parameters.values())
                if parameters and parameters[0].annotation == SESSION_FIRST:
                    yield f"{found.name.removeprefix('palace.store.')}.{name}", function


FUNCTIONS = dict(store_functions())


@pytest.fixture(scope="session")
def twins(worlds: Worlds) -> Iterator[Twins]:
    """Two strangers of one history, one beside the victim, one alone."""
    one, other = (place.stranger(f"stranger-{uuid.uuid4()}") for place in worlds)
    yield one, other
    one.close()
    other.close()


def names_of(path: str) -> list[str]:
    """Name the parameters of a function, the session aside."""
    return list(inspect.signature(FUNCTIONS[path]).parameters)[1:]


def outcome(path: str, session: UserSession, arguments: dict[str, Any]) -> str:
    """Call a function; give the value, or the error's class and text."""
    try:
        with session.connection.begin_nested():
            value = FUNCTIONS[path](session, **arguments)
            if isinstance(value, sa.Select):
                value = session.connection.execute(value).all()
            return repr(list(value) if isinstance(value, Iterator) else value)
    except DBAPIError as problem:
        return f"{type(problem.orig).__name__}: {problem.orig}"
    except (PalaceError, SQLAlchemyError, LookupError, AssertionError) as problem:
        return f"{type(problem).__name__}: {problem}"


def rows(session: UserSession, user_id: int) -> list[tuple[str, str]]:
    """Read every row of a user that a transaction sees."""
    return sorted((table, row) for table, row in session.connection.exec_driver_sql(rows_of(user_id)))


@pytest.mark.parametrize("worlds", [True], indirect=True, ids=["policies-alone"])
@pytest.mark.parametrize("path", FUNCTIONS)
def test_with_the_victims_id_planted_the_policies_alone_hold(
    path: str, unharmed: World, deserted: World, twins: Twins
) -> None:
    answers = []
    for world, stranger in zip((unharmed, deserted), twins, strict=True):
        with stranger._opened.session() as session:
            planted = UserSession(session.connection, world.loot.user_id)
            answer = outcome(path, planted, world.loot.arguments(path, names_of(path), planted))
        answers.append(world.comparable(answer, stranger.user))
    assert unharmed.secrets_in(answers[0]) == []
    assert answers[0] == answers[1]


@pytest.mark.parametrize("worlds", [False], indirect=True, ids=["predicates-alone"])
@pytest.mark.parametrize("path", FUNCTIONS)
def test_without_policies_the_predicates_alone_hold(path: str, unharmed: World, deserted: World, twins: Twins) -> None:
    beside, alone = (
        list(attempts(path, world, stranger)) for world, stranger in zip((unharmed, deserted), twins, strict=True)
    )
    assert unharmed.secrets_in(repr(beside)) == []
    assert beside == alone


def attempts(path: str, world: World, stranger: Palace) -> Iterator[list[str]]:
    """Call a function with what the victim has, mixed with one's own; give the answers and what is one's own then."""
    opened, before = stranger._opened, world.rows()
    with opened.session() as session:
        mixtures = world.loot.mixtures(path, names_of(path), own_ids(session))
    for mixture in mixtures:
        with opened.session() as session:
            arguments = world.loot.arguments(path, names_of(path), session) | mixture
            answer = [outcome(path, session, arguments), *map(str, rows(session, opened.database.user_id))]
            # What is the stranger's own may change, and must not pile up; the victim's may not.
            assert rows(session, world.victim.user_id) == before
            session.connection.rollback()
        yield sorted(without_wing_numbers(world.comparable(line, stranger.user), world) for line in answer)


def without_wing_numbers(row: str, world: World) -> str:
    """Write a row without the numbers that the wing of an export has."""
    number = world.guess.cast.number
    return re.sub(rf"\b({number}|{number + 1})\b", "<number>", row)
