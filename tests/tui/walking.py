"""Walking through the application in a test, and reading what it shows."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import psycopg
from sqlalchemy import make_url
from textual.pilot import Pilot

from palace import Palace
from palace.errors import PalaceError
from palace_cli.tui.app import BrowseApp
from tests.hosts import Host

Walk = Callable[["Walker"], Awaitable[None]]


class Walker:
    """Somebody at the keyboard."""

    def __init__(self, app: BrowseApp, pilot: Pilot[PalaceError]) -> None:
        self.app = app
        self.pilot = pilot

    async def press(self, *keys: str) -> str:
        """Press keys, and give what is shown when all is done."""
        for key in keys:
            await self.pilot.press(key)
        return await self.settled()

    async def settled(self) -> str:
        """Wait until nothing is at work any more; give what is shown."""
        for _ in range(3):
            await asyncio.sleep(0.15)
            await self.pilot.pause()
            while any(worker.is_running for worker in self.app.workers):
                await asyncio.sleep(0.02)
            await self.pilot.pause()
        return self.shown()

    def shown(self) -> str:
        """Give the screen as text."""
        strips = self.app.screen._compositor.render_strips()
        return "\n".join("".join(each.text for each in strip).rstrip() for strip in strips)

    def told(self) -> list[str]:
        """Give what was told on top of the screen."""
        return [each.message for each in self.app._notifications]


def walked(app: BrowseApp, walk: Walk, size: tuple[int, int] = (80, 24)) -> None:
    """Open the application on a terminal of a size, and walk."""

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            walker = Walker(app, pilot)
            await walker.settled()
            await walk(walker)

    asyncio.run(run())


SHOWN = Path(__file__).parent / "shown"
_TODAY = re.compile(rf"{datetime.now(UTC).year}-\d\d-\d\d \d\d:\d\d")
"""When it was filed; what was said is older."""
_NUMBER = re.compile(r"\b(run|job|number) \d+")
"""Ids go on from test to test."""


def same_as(name: str, shown: str) -> None:
    """Hold what is shown to what is kept; ``WRITE_SCREENS=1`` keeps it."""
    told = _TODAY.sub("YYYY-MM-DD HH:MM", _NUMBER.sub(r"\1 N", shown)) + "\n"
    path = SHOWN / f"{name}.txt"
    if os.environ.get("WRITE_SCREENS"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(told, encoding="utf-8")
    assert told == path.read_text(encoding="utf-8")


@contextmanager
def away(host: Host, palace: Palace) -> Iterator[None]:
    """Have the database let nobody in for a while."""
    url = palace._opened.settings.database_url
    assert url is not None
    made = make_url(url.get_secret_value())
    name = made.database
    shut = "ALTER DATABASE {} ALLOW_CONNECTIONS {}"
    with psycopg.connect(host.administrator_url("postgres"), autocommit=True) as connection:
        connection.execute(shut.format(name, "false").encode())
        ours = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND usename = %s"
        connection.execute(ours, [name, made.username])
        try:
            yield
        finally:
            connection.execute(shut.format(name, "true").encode())
