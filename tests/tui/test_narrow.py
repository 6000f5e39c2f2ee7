"""Where there is room for one pane, or for little of one."""

from __future__ import annotations

import pytest

from palace import Palace
from palace_cli.tui.widgets.search import SearchBox
from tests.tui.test_browse_screen import TO_A_DRAWER, Make, browse_of
from tests.tui.walking import Walk, walk

NARROW = (50, 16)
SECOND = "W-001/R-01/D-002"


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


def test_a_drawer_that_is_named_is_what_one_begins_on(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        assert "The 12-AWG silicone wire" in person.screen
        await person.press("n")
        assert "My sister Anna" in person.screen
        await person.press("escape")
        assert "├ The **12-AWG**" in person.screen

    walk(make_app(filled, SECOND), steps, size=NARROW)


def test_tab_goes_to_the_pane_that_is_not_seen(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        await person.press("tab")
        assert focus(person) == "tree"
        await person.press(*TO_A_DRAWER, "tab")
        assert "Which battery wiring overheated?" in person.screen
        await person.press("tab")
        assert focus(person) == "tree"

    walk(make_app(filled), steps, size=NARROW)


def test_what_one_was_in_is_seen_when_the_terminal_becomes_narrow(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        browse = browse_of(person.app)
        browse.pane.reader.focus()
        await person.pilot.resize_terminal(*NARROW)
        await person.settle()
        assert "The 12-AWG silicone wire" in person.screen
        assert focus(person) == "reader"

    walk(make_app(filled, SECOND), steps)


@pytest.mark.parametrize("size", [(40, 10), (30, 6), (50, 16), (80, 24)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_what_one_may_answer_is_seen_however_small_the_terminal(
    filled: Palace, make_app: Make, size: tuple[int, int]
) -> None:
    filled.tree.rename("Garden", "A wing with a name that is long " * 8)

    async def steps(person: Walk) -> None:
        await person.press("home", "down", "f")
        assert "No (n)" in person.screen
        assert "Forget (y)" in person.screen
        assert "Forget wing" in person.screen
        await person.press("n", "home", "m", *"Shed")
        assert "Shed" in person.screen

    walk(make_app(filled), steps, size=size)


def test_hits_have_the_room_where_there_is_little(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        await person.press("slash", *"wire", "space", *"tomatoes")
        assert person.app.screen.query_one("#hits").size.height >= 10
        assert "similarity" not in person.screen

    walk(make_app(filled), steps, size=NARROW)


@pytest.mark.parametrize("width", [200, 120, 100, 80])
def test_every_filter_is_seen_whatever_is_set(filled: Palace, make_app: Make, width: int) -> None:
    async def steps(person: Walk) -> None:
        await person.press("slash")
        box = person.app.screen.query_one(SearchBox)
        box.value = 'wire wing:"Efoil rebuild" since:2026-05-01 until:2026-05-30 role:assistant language:en'
        await person.settle()
        row = next(line for line in person.screen.splitlines() if "speaker" in line)
        left = person.app.screen.query_one("#left").size.width
        for name in ("wing", "since", "until", "speaker", "role", "language"):
            assert name in row[:left]
        assert row[:left].count("×") == 5

    walk(make_app(filled), steps, size=(width, 24))
