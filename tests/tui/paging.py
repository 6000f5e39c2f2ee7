"""Walking through the screens beside the first, and having the database go away meanwhile."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

import pytest

from palace_cli.tui.app import BrowseApp
from tests.tui.walking import REWRITES, SNAPSHOTS, Walk, walk

SMALL = pytest.param((40, 10), marks=pytest.mark.nightly, id="40x10")
SIZES = pytest.mark.parametrize("size", [pytest.param((80, 24), id="80x24"), SMALL])
_TODAY = re.compile(rf"{datetime.now(UTC).year}-\d\d-\d\d \d\d:\d\d")
"""When it was filed; what was said is older."""
_NUMBER = re.compile(r"\b(run|job|number) \d+")
"""Ids go on from test to test."""


class Walker:
    """A person at the terminal, who looks at it after each stretch of keys."""

    def __init__(self, person: Walk) -> None:
        self.person = person
        self.app = person.app

    async def press(self, *keys: str) -> str:
        """Press keys, and give what is shown when all is done."""
        for key in keys:
            await self.person.pilot.press(key)
        return await self.settled()

    async def settled(self) -> str:
        """Wait until nothing is at work any more; give what is shown."""
        for _ in range(2):
            await self.person.settle()
        return self.shown()

    def shown(self) -> str:
        """Give the screen as text."""
        return self.person.screen

    def told(self) -> list[str]:
        """Give what was told on top of the screen."""
        return self.person.told.splitlines()


def walked(app: BrowseApp, steps: Callable[[Walker], Awaitable[None]], size: tuple[int, int] = (80, 24)) -> None:
    """Open the application on a terminal of a size, and walk."""

    async def go(person: Walk) -> None:
        await steps(Walker(person))

    walk(app, go, size=size)


def same_as(name: str, shown: str) -> None:
    """Hold what is shown to its picture, or take that."""
    told = _TODAY.sub("YYYY-MM-DD HH:MM", _NUMBER.sub(r"\1 N", shown)) + "\n"
    path = SNAPSHOTS / f"{name}.txt"
    if REWRITES:
        path.write_text(told, encoding="utf-8")
    assert told == path.read_text(encoding="utf-8")
