"""What is recorded of the terminal: somebody walks, seeks, and looks at whom it is about."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from palace import Palace
from palace_cli.tui.app import BrowseApp
from tests.pictures.recording import Screen, recording_svg
from tests.tui.walking import Walk, walk

SIZE = (100, 30)
WALKS: dict[str, tuple[tuple[str, ...], ...]] = {
    "browse.svg": (
        ("right", "right", "down"),
        ("right", "down", "right", "down"),
        ("enter",),
        ("3",),
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
        ("t",),
        ("n",),
    ),
}
"""The keys of each recording, up to each of its screens."""


def recorded(palace: Palace) -> Iterator[tuple[str, bytes]]:
    """Give each recording with its file's name."""
    for name, keys in WALKS.items():
        screens: list[Screen] = []

        async def steps(person: Walk, keys: tuple[tuple[str, ...], ...] = keys, taken: list[Screen] = screens) -> None:
            for pressed in keys:
                await person.press(*pressed)
                taken.append([list(strip) for strip in person.app.screen._compositor.render_strips()])

        walk(BrowseApp(lambda: _held(palace)), steps, size=SIZE)
        yield name, recording_svg(f"palace browse: {name.removesuffix('.svg')}", screens).encode()


@contextmanager
def _held(palace: Palace) -> Iterator[Palace]:
    yield palace
