"""Seeking on the first screen: what is typed is found, leads to its place, and one comes back."""

from __future__ import annotations

from collections.abc import Callable

from palace import Palace
from palace_cli.tui.app import BrowseApp
from tests.tui.walking import Walk, walk


def test_what_is_typed_is_found(filled: Palace, make_app: Callable[..., BrowseApp]) -> None:
    async def steps(person: Walk) -> None:
        await person.press("slash")
        print(person.screen)
        await person.press(*"wire overheated")
        print(person.screen)
        await person.press("down")
        print(person.screen)
        await person.press("enter")
        print(person.screen)
        await person.press("left_square_bracket")
        print(person.screen)

    walk(make_app(filled), steps, size=(100, 30))
