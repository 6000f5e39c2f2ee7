"""Keys that come together do what they do one after the other."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from textual import events

from palace import Palace
from palace_cli.tui.app import BrowseApp
from palace_cli.tui.widgets.seek import SearchBox
from tests.tui.test_browse_screen import Make, browse_of
from tests.tui.walking import Walk, nothing, walk

NAMED = {" ": "space", "/": "slash", ":": "colon"}
KEYS = ("backspace", "delete", "enter", "escape", "left", "home", "end", "ctrl+a", "ctrl+u", "ctrl+w")


def type_at_once(app: BrowseApp, *keys: str) -> None:
    """Post keys as a terminal does that writes them in one go; what is longer than a key's name is text."""
    for key in keys:
        for name in [key] if key in KEYS else key:
            app.post_message(events.Key(NAMED.get(name, name), name if len(name) == 1 else None))


def box(person: Walk) -> SearchBox:
    return browse_of(person.app).query_one(SearchBox)


TYPED: tuple[tuple[tuple[str, ...], str], ...] = (
    (("one two", "ctrl+w", "three", "home", "zero "), "zero one three"),
    (("abc", "left", "left", "X", "delete", "end", "Y"), "aXcY"),
)


@pytest.mark.nightly
def test_letters_do_not_overtake_the_keys_before_them(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        for keys, left in TYPED:
            type_at_once(person.app, "/", *keys)
            await person.until(lambda left=left: box(person).value == left)  # type: ignore[misc]
            await person.settle()
            assert box(person).value == left
            await person.press("ctrl+u")
            browse_of(person.app).places.focus()
            await person.settle()

    walk(make_app(filled), steps)


def held(palace: Palace) -> tuple[BrowseApp, Callable[[], None]]:
    """Make an application whose palace opens when it is let go on."""
    goes_on = threading.Event()

    @contextmanager
    def opening() -> Iterator[Palace]:
        goes_on.wait(20)
        yield palace

    return BrowseApp(opening), goes_on.set


def test_what_is_typed_while_the_palace_opens_counts_when_it_is_open(filled: Palace) -> None:
    app, go_on = held(filled)

    async def first(person: Walk) -> None:
        type_at_once(app, "/", "wirex", "backspace")
        await person.pilot.pause()
        go_on()

    async def steps(person: Walk) -> None:
        await person.until(lambda: box(person).value == "wire")
        await person.settle()
        assert "1 hit" in person.screen

    walk(app, steps, first=first)


def test_who_does_not_want_to_wait_can_leave(filled: Palace) -> None:
    app, go_on = held(filled)

    async def leave(person: Walk) -> None:
        type_at_once(app, "q")
        await person.pilot.pause()
        go_on()
        assert app._exit

    walk(app, nothing, first=leave)
