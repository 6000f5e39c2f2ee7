"""A stranger calls every public method of the façade with what is the victim's."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from functools import cached_property

import pytest
from sqlalchemy.exc import SQLAlchemyError

from palace import Palace
from palace.errors import PalaceError
from tests.isolation.attempts import ATTEMPTS, Attempt
from tests.isolation.guess import Guess
from tests.isolation.world import World

Twins = tuple[Palace, Palace]


@pytest.fixture
def twins(world: World, deserted: World) -> Iterator[Twins]:
    """Two strangers of one history, one beside the victim, one alone."""
    one, other = (place.stranger(f"stranger-{uuid.uuid4()}") for place in (world, deserted))
    yield one, other
    one.close()
    other.close()


def told(attempt: Attempt, palace: Palace, guess: Guess) -> str:
    """Give what a stranger learns from a call: the value, or the error's class and text."""
    try:
        return repr(attempt(palace, guess))
    except (PalaceError, SQLAlchemyError) as problem:
        return f"{type(problem).__name__}: {problem}"


@pytest.mark.parametrize("method", ATTEMPTS)
def test_a_stranger_is_told_nothing_of_what_is_not_theirs(
    method: str, unharmed: World, deserted: World, twins: Twins
) -> None:
    beside, alone = twins
    for attempt in ATTEMPTS[method]:
        answer = told(attempt, beside, unharmed.guess)
        assert unharmed.secrets_in(answer) == []
        expected = told(attempt, alone, deserted.guess)
        assert unharmed.comparable(answer, beside.user) == deserted.comparable(expected, alone.user)


@pytest.mark.parametrize("worlds", [True], indirect=True, ids=["both-layers"])
def test_every_public_method_is_tried(twins: Twins) -> None:
    assert set(ATTEMPTS) == set(public_methods(twins[0]))


def public_methods(palace: Palace) -> Iterator[str]:
    """Name what a palace and its groups of verbs offer."""
    yield from _public(Palace)
    assert palace.turns is not None  # a group that is made when it is first asked for
    for group, verbs in vars(palace).items():
        if not group.startswith("_"):
            yield from (f"{group}.{name}" for name in _public(type(verbs)))


def _public(kind: type) -> list[str]:
    public = ((name, part) for base in kind.__mro__[:-1] for name, part in vars(base).items() if name[0] != "_")
    return [name for name, part in public if not isinstance(part, cached_property)]


@pytest.mark.parametrize("method", ["recall", "show", "tree.wing", "tree.room", "tree.drawers", "runs.list", "costs"])
def test_the_victim_is_told_what_a_stranger_is_not(method: str, world: World, deserted: World, twins: Twins) -> None:
    attempt = ATTEMPTS[method][0]
    expected = deserted.comparable(told(attempt, twins[1], deserted.guess), twins[1].user)
    assert world.comparable(told(attempt, world.victim.palace, world.guess), world.victim.user) != expected
