"""Leaving: no key behind it does anything, and nobody waits for what was under way."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest
from textual.events import Key

from palace import Palace
from palace_cli.tui.app import BrowseApp
from tests.tui.test_browse_screen import TO_A_DRAWER, Make
from tests.tui.test_seeking import locked, waiting
from tests.tui.walking import Walk, walk

LONGEST = 2.0
NAMES = {"/": "slash", "+": "plus", "?": "question_mark", "[": "left_square_bracket", "\r": "enter", "\x1b": "escape"}


def typed(app: BrowseApp, keys: str) -> None:
    """Type keys in one go: none waits for what the one before does."""
    for key in keys:
        app.post_message(Key(NAMES.get(key, key), key))


async def end(person: Walk) -> None:
    """Wait until the application ends, and a moment for what else was typed."""
    await person.until(lambda: person.app.is_ending)
    await asyncio.sleep(0.1)


@pytest.mark.parametrize("key", [*"ERJSfmrugyY+/?12345vnp[]q", "\r"])
def test_a_key_right_behind_q_does_nothing(key: str, filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        typed(person.app, f"q{key}")
        await end(person)

    app = make_app(filled)
    walk(app, steps)
    assert app.return_code == 0


@pytest.mark.parametrize("key", "ERJS")
def test_a_page_that_is_being_opened_when_one_leaves_asks_nothing(key: str, filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        typed(person.app, key)
        person.app.exit()
        await end(person)

    walk(make_app(filled), steps)


class Held:
    """A table that is held until the application has ended, and how long that took."""

    def __init__(self, held: ExitStack) -> None:
        self._held = held
        self.left = 0.0

    def hold(self, palace: Palace, table: str) -> None:
        self._held.enter_context(locked(palace, table))

    async def leave(self, person: Walk) -> None:
        self.left = time.monotonic()
        typed(person.app, "\x1b")
        await asyncio.sleep(0.1)
        typed(person.app, "q")
        await end(person)


@contextmanager
def holding() -> Iterator[Held]:
    with ExitStack() as held:
        made = Held(held)
        yield made
        assert 0 < time.monotonic() - made.left < LONGEST


@pytest.mark.parametrize("keys", [("down", "right"), ("slash", *"wire")], ids=["walking", "seeking"])
def test_leaving_waits_for_no_lock(keys: tuple[str, ...], filled: Palace, make_app: Make) -> None:
    with holding() as held:

        async def steps(person: Walk) -> None:
            await person.press("home")
            for table in ("drawer", "room", "passage"):
                held.hold(filled, table)
            await person.pilot.press(*keys)
            await person.until(lambda: waiting(filled) > 0)
            await held.leave(person)

        walk(make_app(filled), steps)


def test_a_change_that_is_under_way_when_one_leaves_is_not_half_made(filled: Palace, make_app: Make) -> None:
    app = make_app(filled)
    with holding() as held:

        async def steps(person: Walk) -> None:
            await person.press(*TO_A_DRAWER, "f")
            held.hold(filled, "tombstone")
            await person.pilot.press("y")
            await person.until(lambda: waiting(filled) > 0)
            await held.leave(person)

        walk(app, steps)
    assert app.source.leaving.is_undone
    assert filled.show("W-001/R-01/D-001")
