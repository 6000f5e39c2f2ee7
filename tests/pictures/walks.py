"""What is recorded of the terminal: somebody walks, seeks, and looks at whom it is about."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from unittest.mock import patch

from textual.widgets import Input

from palace import Palace
from palace.models import Neighbourhood, Timeline
from palace_cli.tui.app import BrowseApp
from palace_cli.tui.screens import entity
from tests.pictures.recording import Screen, recording_svg
from tests.tui.walking import Walk, walk

SIZE = (100, 30)
SEEN_AT = datetime(2026, 5, 1, 18, 20, tzinfo=UTC)
"""When the pictures are taken."""
WALKS: dict[str, tuple[tuple[str, ...], ...]] = {
    "browse.svg": (
        (),
        ("right", "right", "right"),
        ("right", "right", *["down"] * 9),
        ("5",),
    ),
    "search.svg": (
        ("slash", *"who likes the boat"),
        ("down",),
        ("down",),
        ("enter",),
    ),
    "entity.svg": (
        ("E",),
        ("slash", *"anna", "enter"),
        ("n",),
        ("m",),
    ),
}
"""The keys of each recording, up to each of its screens."""


def seen_then(palace: Palace, name: str) -> tuple[Timeline, Neighbourhood]:
    """Tell of an entity as of when the pictures are taken, so that they are the same on any day."""
    timeline = palace.timeline(name, limit=entity.MOST_DRAWN)
    return replace(timeline, seen_from=SEEN_AT), palace.graph(name, hops=entity.FAR, as_of=SEEN_AT)


def recorded(palace: Palace) -> Iterator[tuple[str, bytes]]:
    """Give each recording with its file's name."""
    for name, keys in WALKS.items():
        screens: list[Screen] = []

        async def steps(person: Walk, keys: tuple[tuple[str, ...], ...] = keys, taken: list[Screen] = screens) -> None:
            for pressed in keys:
                await person.press(*pressed)
                for box in person.app.screen.query(Input):
                    box.cursor_blink = False
                await person.settle()
                taken.append([list(strip) for strip in person.app.screen._compositor.render_strips()])

        with patch.object(entity, "about", seen_then):
            walk(BrowseApp(lambda: _held(palace)), steps, size=SIZE)
        yield name, recording_svg(f"palace browse: {name.removesuffix('.svg')}", screens).encode()


@contextmanager
def _held(palace: Palace) -> Iterator[Palace]:
    yield palace
