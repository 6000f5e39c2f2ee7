"""Leaving: no key behind it does anything, and nobody waits for what was under way."""

from __future__ import annotations

import asyncio
import time
from contextlib import ExitStack

import pytest
from textual.events import Key

from palace import Palace
from palace_cli.tui.app import BrowseApp
from tests.held import locked
from tests.tui.test_browse_screen import TO_A_DRAWER, Make
from tests.tui.test_seeking import waiting
from tests.tui.walking import Walk, walk

LONGEST = 2.0
NAMES = {"\x1b": "escape"}


def typed(app: BrowseApp, keys: str) -> None:
    """Type keys in one go: none waits for what the one before does."""
    for key in keys:
        app.post_message(Key(NAMES.get(key, key), key))


async def end(person: Walk) -> None:
    """Wait until the application ends, and a moment for what else was typed."""
    await person.until(lambda: person.app.is_ending)
    await asyncio.sleep(0.1)


def test_a_key_right_behind_q_does_nothing(filled: Palace, make_app: Make) -> None:
    for key in "Ef":

        async def steps(person: Walk, key: str = key) -> None:
            typed(person.app, f"q{key}")
            await end(person)

        app = make_app(filled)
        walk(app, steps)
        assert app.return_code == 0, key


@pytest.mark.nightly
def test_a_change_that_is_under_way_when_one_leaves_is_not_half_made_and_not_waited_for(
    changing: Palace, make_app: Make
) -> None:
    app, left = make_app(changing), 0.0
    with ExitStack() as held:

        async def steps(person: Walk) -> None:
            nonlocal left
            await person.press(*TO_A_DRAWER, "f")
            held.enter_context(locked(changing, "tombstone"))
            await person.pilot.press("y")
            await person.until(lambda: waiting(changing) > 0)
            left = time.monotonic()
            typed(person.app, "\x1b")
            await asyncio.sleep(0.1)
            typed(person.app, "q")
            await end(person)

        walk(app, steps)
        assert 0 < time.monotonic() - left < LONGEST
    assert app.source.leaving.is_undone
    assert changing.show("W-001/R-01/D-001")
