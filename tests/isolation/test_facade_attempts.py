"""A stranger calls every public method of the façade with what is the victim's."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import ExitStack
from functools import cached_property

import pytest
from sqlalchemy.exc import SQLAlchemyError

from palace import Palace, PalaceError
from palace.api.lifetime import VERBS
from tests.isolation.attempts import ATTEMPTS, LASTING, Attempt
from tests.isolation.conftest import both_layers, predicates_alone
from tests.isolation.guess import Guess
from tests.isolation.world import World

Twins = tuple[Palace, Palace]


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    """What closes the strangers' palaces."""
    with ExitStack() as opened:
        yield opened


def twins_of(world: World, deserted: World, stack: ExitStack) -> Twins:
    """Open two strangers of one history, one beside the victim, one alone."""
    one, other = (place.stranger(f"stranger-{uuid.uuid4()}") for place in (world, deserted))
    return stack.enter_context(one), stack.enter_context(other)


def told(attempt: Attempt, palace: Palace, guess: Guess) -> str:
    """Give what a stranger learns from a call: the value, or the error's class and text."""
    try:
        return repr(attempt(palace, guess))
    except (PalaceError, SQLAlchemyError) as problem:
        return f"{type(problem).__name__}: {problem}"


def leaks(methods: Iterator[str], world: World, deserted: World, stack: ExitStack) -> list[tuple[str, int, str, str]]:
    """List the calls that tell a stranger of the victim, or another thing than where there is none."""
    found, twins = [], twins_of(world, deserted, stack)
    for method in methods:
        for number, attempt in enumerate(ATTEMPTS[method]):
            answer, expected = told(attempt, twins[0], world.guess), told(attempt, twins[1], deserted.guess)
            same = world.comparable(answer, twins[0].user) == deserted.comparable(expected, twins[1].user)
            found += [] if same and not world.secrets_in(answer) else [(method, number, answer, expected)]
        if method in LASTING:
            twins = twins_of(world, deserted, stack)
    return found


@pytest.mark.nightly
@predicates_alone
def test_a_stranger_is_told_nothing_of_what_is_not_theirs(unharmed: World, deserted: World, stack: ExitStack) -> None:
    assert leaks(iter(ATTEMPTS), unharmed, deserted, stack) == []


@both_layers
def test_nor_where_both_layers_are_in_force(unharmed: World, deserted: World, stack: ExitStack) -> None:
    assert leaks((method for method in ATTEMPTS if method not in LASTING), unharmed, deserted, stack) == []


@pytest.mark.nightly
@both_layers
def test_nor_by_what_lasts_where_both_are(unharmed: World, deserted: World, stack: ExitStack) -> None:
    assert leaks(iter(LASTING), unharmed, deserted, stack) == []


@both_layers
def test_every_public_method_is_tried(world: World, deserted: World, stack: ExitStack) -> None:
    palace, _ = twins_of(world, deserted, stack)
    assert set(ATTEMPTS) == set(public_methods(palace)) >= set(LASTING)


def public_methods(palace: Palace) -> Iterator[str]:
    """Name what a palace and its groups of verbs offer."""
    yield from _public(Palace)
    for group in (*VERBS, "turns"):
        yield from (f"{group}.{name}" for name in _public(type(getattr(palace, group))))


def _public(kind: type) -> list[str]:
    public = ((name, part) for base in kind.__mro__[:-1] for name, part in vars(base).items() if name[0] != "_")
    return [name for name, part in public if not isinstance(part, cached_property)]


@both_layers
def test_the_victim_is_told_what_a_stranger_is_not(world: World, deserted: World, stack: ExitStack) -> None:
    _, alone = twins_of(world, deserted, stack)
    untold = []
    for method in ("recall", "show", "tree.wing", "tree.room", "tree.drawers", "runs.list", "costs"):
        attempt, victim = ATTEMPTS[method][0], world.victim
        theirs = world.comparable(told(attempt, victim.palace, world.guess), victim.user)
        if theirs == deserted.comparable(told(attempt, alone, deserted.guess), alone.user):
            untold.append(method)
    assert untold == []
