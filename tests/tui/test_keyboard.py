"""Keys that come together do what they do one after the other."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from textual import events
from textual.widgets import Input

from palace import Palace
from palace_cli.tui.app import BrowseApp
from palace_cli.tui.screens.confirm import ConfirmScreen
from palace_cli.tui.widgets.search import SearchBox
from tests.tui.test_browse_screen import Make, browse_of
from tests.tui.walking import Walk, nothing, walk

NAMED = {" ": "space", "/": "slash", ":": "colon"}


def type_at_once(app: BrowseApp, *keys: str) -> None:
    """Post keys as a terminal does that writes them in one go; what is longer than a key's name is text."""
    for key in keys:
        names = [key] if key in KEYS else list(key)
        for name in names:
            character = name if len(name) == 1 else None
            app.post_message(events.Key(NAMED.get(name, name), character))


KEYS: tuple[str, ...] = (
    "backspace",
    "delete",
    "enter",
    "escape",
    "tab",
    "left",
    "right",
    "up",
    "down",
    "home",
    "end",
    "f6",
)
KEYS += tuple(f"ctrl+{letter}" for letter in "abcdefghijklmnopqrstuvwxyz")


def box(person: Walk) -> SearchBox:
    return browse_of(person.app).query_one(SearchBox)


@pytest.mark.parametrize(
    ("keys", "left"),
    [
        (("hello", "backspace", "backspace", "abc"), "helabc"),
        (("foo", "ctrl+a", "xyz"), "xyzfoo"),
        (("foo", "ctrl+u", "xyz"), "xyz"),
        (("one two", "ctrl+w", "three", "home", "zero "), "zero one three"),
        (("abc", "left", "left", "X", "delete", "end", "Y"), "aXcY"),
        (("wire", "escape", "/", "end", "x"), "wirex"),
    ],
)
def test_letters_do_not_overtake_the_keys_before_them(
    filled: Palace, make_app: Make, keys: tuple[str, ...], left: str
) -> None:
    async def steps(person: Walk) -> None:
        type_at_once(person.app, "/", *keys)
        await person.until(lambda: box(person).value == left)
        await person.settle()
        assert box(person).value == left

    walk(make_app(filled), steps)


def test_names_are_typed_in_order_and_what_follows_goes_where_that_led(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        type_at_once(person.app, "home", "r")
        await person.until(lambda: isinstance(person.app.focused, Input) and person.app.focused is not box(person))
        type_at_once(person.app, "end", "ctrl+u", "Boats", "backspace", "enter", "/", "wire")
        await person.until(lambda: box(person).value == "wire")
        await person.settle()
        assert filled.tree.wing("Boat").number == 1

    walk(make_app(filled), steps)


def test_keys_behind_one_that_closes_what_asks_are_not_lost(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        await person.press("home", "f")
        assert isinstance(person.app.screen, ConfirmScreen)
        type_at_once(person.app, "n", "/", "wire", "backspace")
        await person.until(lambda: box(person).value == "wir")

    walk(make_app(filled), steps)


def test_a_long_text_that_is_typed_at_once_arrives(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        type_at_once(person.app, "/", "abcdefghij" * 30)
        await person.until(lambda: box(person).value == "abcdefghij" * 30)

    walk(make_app(filled), steps)


@pytest.mark.parametrize("at", [None, "W-001/R-01/D-002"])
def test_what_is_typed_while_the_palace_opens_counts_when_it_is_open(filled: Palace, at: str | None) -> None:
    typed = threading.Event()

    @contextmanager
    def opening() -> Iterator[Palace]:
        typed.wait(20)
        yield filled

    app = BrowseApp(opening, at)

    async def steps(person: Walk) -> None:
        await person.until(lambda: box(person).value == "wire")
        await person.settle()
        assert "1 hit" in person.screen

    async def first(person: Walk) -> None:
        type_at_once(app, "/", "wirex", "backspace")
        await person.pilot.pause()
        typed.set()

    walk(app, steps, first=first)


def test_who_does_not_want_to_wait_can_leave(filled: Palace) -> None:
    left = threading.Event()

    @contextmanager
    def opening() -> Iterator[Palace]:
        left.wait(20)
        yield filled

    app = BrowseApp(opening)

    async def leave(person: Walk) -> None:
        type_at_once(app, "q")
        await person.pilot.pause()
        left.set()
        assert app._exit

    walk(app, nothing, first=leave)
