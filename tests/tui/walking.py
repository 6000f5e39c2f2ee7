"""Drives the application as a person does: keys and clicks, and what is on the screen then, as text."""

from __future__ import annotations

import asyncio
import os
import re
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from textual.pilot import Pilot
from textual.worker import WorkerState

from palace_cli.tui.app import BrowseApp

SNAPSHOTS = Path(__file__).parent / "snapshots"
REWRITES = os.environ.get("TUI_SNAPSHOTS") == "write"
"""Whether the pictures are written afresh: TUI_SNAPSHOTS=write pytest tests/tui."""
LONGEST = 20.0
BUSY = {WorkerState.PENDING, WorkerState.RUNNING}
_FILED = re.compile(r"(Filed +)\d{4}-\d\d-\d\d \d\d:\d\d")
_TODAY = re.compile(rf"{datetime.now(UTC).year}-\d\d-\d\d \d\d:\d\d")
"""When it was filed; what was said is older."""
_NUMBER = re.compile(r"\b(run|job|number) \d+")
"""Ids go on from test to test."""


class Walk:
    """A person at the terminal."""

    def __init__(self, app: BrowseApp, pilot: Pilot[Any]) -> None:
        self.app = app
        self.pilot = pilot

    async def press(self, *keys: str) -> str:
        """Press keys, each when all that came of the one before is there; give the screen then."""
        for key in keys:
            await self.pilot.press(key)
            await self.settle()
        return self.screen

    async def type(self, *keys: str) -> str:
        """Press keys one right behind the other; give the screen when all that came of them is there."""
        for key in keys:
            await self.pilot.press(key)
        for _ in range(2):
            await self.settle()
        return self.screen

    async def settle(self) -> None:
        """Wait until nothing is asked for any more."""
        deadline, quiet = time.monotonic() + LONGEST, 0
        while quiet < 2:
            assert time.monotonic() < deadline, "it never comes to rest"
            await asyncio.sleep(0.03)
            await self.pilot.pause()
            quiet = 0 if any(worker.state in BUSY for worker in self.app.workers) else quiet + 1

    async def until(self, is_so: Callable[[], bool]) -> None:
        """Wait until something is so."""
        deadline = time.monotonic() + LONGEST
        while not is_so():
            assert time.monotonic() < deadline, self.screen
            await asyncio.sleep(0.05)
            await self.pilot.pause()

    @property
    def screen(self) -> str:
        """What is to be seen, as text."""
        strips = self.app.screen._compositor.render_strips()
        return "\n".join("".join(segment.text for segment in strip).rstrip() for strip in strips)

    @property
    def told(self) -> str:
        """What it was told lately, a line each."""
        return "\n".join(each.message for each in self.app._notifications)

    def sees(self, name: str) -> None:
        """Compare the screen with its picture, or take that."""
        _compare(name, _FILED.sub(r"\1(a day)         ", self.screen))


def same_as(name: str, shown: str) -> None:
    """Hold a page to its picture, whatever day and run it is, or take that."""
    _compare(name, _TODAY.sub("YYYY-MM-DD HH:MM", _NUMBER.sub(r"\1 N", shown)))


def _compare(name: str, shown: str) -> None:
    path = SNAPSHOTS / f"{name}.txt"
    if REWRITES:
        path.write_text(f"{shown}\n", encoding="utf-8")
    assert f"{shown}\n" == path.read_text(encoding="utf-8")


async def nothing(_: Walk) -> None:
    """Do nothing."""


def walk(
    app: BrowseApp,
    steps: Callable[[Walk], Awaitable[None]],
    *,
    size: tuple[int, int] = (80, 24),
    first: Callable[[Walk], Awaitable[None]] = nothing,
) -> None:
    """Start the application, wait for the first page, and go; ``first`` is done while the palace is opened."""

    async def drive() -> None:
        async with app.run_test(size=size) as pilot:
            person = Walk(app, pilot)
            await first(person)
            await person.until(lambda: app.source.is_open or app._exit)
            await person.settle()
            await steps(person)

    asyncio.run(drive())
