"""Where there is room for one pane, or for little of one."""

from __future__ import annotations

import pytest

from palace import Palace
from tests.tui.test_browse_screen import TO_A_DRAWER, Make
from tests.tui.walking import Walk, walk

pytestmark = pytest.mark.nightly
NARROW = (50, 16)


def focus(person: Walk) -> str | None:
    return person.app.focused.id if person.app.focused else None


def test_a_search_takes_the_screen_from_a_drawer(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        await person.press(*TO_A_DRAWER, "enter")
        assert "├" not in person.screen
        await person.press("slash", *"wire")
        assert person.screen.splitlines()[0].startswith(" wire")
        assert "1 hit" in person.screen
        await person.press("enter", "enter")
        assert focus(person) == "tree"
        assert "├ The **12-AWG**" in person.screen
        await person.press("enter", "left_square_bracket")
        assert "1 hit" in person.screen
        assert focus(person) == "hits"

    walk(make_app(filled), steps, size=NARROW)
