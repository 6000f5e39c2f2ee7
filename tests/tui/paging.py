"""Walking through the screens beside the first, and having the database go away meanwhile."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import psycopg
from sqlalchemy import make_url

from palace import Palace
from palace_cli.tui.app import BrowseApp
from tests.hosts import Host
from tests.tui.walking import REWRITES, SNAPSHOTS, Walk, walk

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


@contextmanager
def away(host: Host, palace: Palace) -> Iterator[None]:
    """Have the database let nobody in for a while."""
    url = palace._opened.settings.database_url
    assert url is not None
    made = make_url(url.get_secret_value())
    shut = "ALTER DATABASE {} ALLOW_CONNECTIONS {}"
    ours = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND usename = %s"
    with psycopg.connect(host.administrator_url("postgres"), autocommit=True) as connection:
        connection.execute(shut.format(made.database, "false").encode())
        connection.execute(ours, [made.database, made.username])
        try:
            yield
        finally:
            connection.execute(shut.format(made.database, "true").encode())
