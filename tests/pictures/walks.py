"""What is recorded of the terminal: somebody walks, seeks, and looks at whom it is about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from unittest.mock import patch

from textual.widgets import Input

from palace import Palace
from palace.models import Neighbourhood, Timeline
from palace_cli.tui.app import BrowseApp
from palace_cli.tui.screens import browse, entity
from tests.pictures.recording import Screen, recording_svg
from tests.tui.walking import Walk, walk

SIZE = (100, 30)
SEEN_AT = datetime(2026, 5, 1, 18, 20, tzinfo=UTC)
"""When the pictures are taken."""
Walks = Mapping[str, tuple[tuple[str, ...], ...]]
WALKS: Walks = {
    "browse.svg": (
        (),
        ("right", "right", "right"),
        ("right", "right", *["down"] * 9),
        ("4",),
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
    ),
}
"""The keys of each recording, up to each of its screens."""
SCREENS: Walks = {
    "first": ((),),
    "rooms": (("right",),),
    "drawer": (("right", "right", "right", "enter"),),
    "find": (("slash", *"who likes the boat", "down"),),
    "when": (("t", "left", "enter"),),
    "who": (("w", "slash", *"anna", "enter", "t"),),
    "around": (("w", "slash", *"anna", "enter", "n"),),
    "correct": (("w", "slash", *"anna", "enter", "t", "c"),),
    "forget": (("f",),),
    "rename": (("r",),),
    "review": (("R",),),
    "jobs": (("J",),),
    "settings": (("S",),),
    "keys": (("question_mark",),),
}
"""The keys that lead to each screen."""


def seen_then(palace: Palace, name: str) -> tuple[Timeline, Neighbourhood]:
    """Tell of an entity as of when the pictures are taken, so that they are the same on any day."""
    timeline = palace.timeline(name, limit=entity.MOST_DRAWN)
    return replace(timeline, seen_from=SEEN_AT), palace.graph(name, hops=entity.FAR, as_of=SEEN_AT)


def every_screen(palace: Palace) -> Iterator[tuple[str, bytes]]:
    """Give each screen with its file's name: small and large, dark and light."""
    for size in ((80, 24), (160, 50)):
        for is_light in (False, True):
            for name, drawn in recorded(palace, SCREENS, size, is_light=is_light):
                yield f"{name}-{size[0]}-{'light' if is_light else 'dark'}.svg", drawn


def recorded(
    palace: Palace, walks: Walks = WALKS, size: tuple[int, int] = SIZE, *, is_light: bool = False
) -> Iterator[tuple[str, bytes]]:
    """Give each recording with its file's name."""
    for name, keys in walks.items():
        screens: list[Screen] = []

        async def steps(person: Walk, keys: tuple[tuple[str, ...], ...] = keys, taken: list[Screen] = screens) -> None:
            if is_light:
                await person.press("ctrl+t")
            for pressed in keys:
                await person.press(*pressed)
                for box in person.app.screen.query(Input):
                    box.cursor_blink = False
                await person.settle()
                taken.append([list(strip) for strip in person.app.screen._compositor.render_strips()])

        app = BrowseApp(lambda: _held(palace))
        with patch.object(entity, "about", seen_then), patch.object(browse, "moment_of_looking", lambda: SEEN_AT):
            walk(app, steps, size=size)
        theme = app.current_theme
        title = f"palace browse: {name.removesuffix('.svg')}"
        yield name, recording_svg(title, screens, ground=theme.background or "", ink=theme.foreground or "").encode()


@contextmanager
def _held(palace: Palace) -> Iterator[Palace]:
    yield palace
