"""Where there is room for one pane, or for little of one."""

from __future__ import annotations

import pytest

from palace import Palace
from palace_cli.tui.widgets.search import SearchBox
from tests.tui.test_browse_screen import SECOND, TO_A_DRAWER, Make, browse_of
from tests.tui.walking import Walk, walk

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


def test_a_drawer_that_is_named_is_what_one_begins_on(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        assert "The 12-AWG silicone wire" in person.screen
        await person.press("n")
        assert "My sister Anna" in person.screen
        await person.press("escape")
        assert "├ The **12-AWG**" in person.screen

    walk(make_app(filled, SECOND), steps, size=NARROW)


@pytest.mark.nightly
def test_tab_goes_to_the_pane_that_is_not_seen(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        await person.press("tab")
        assert focus(person) == "tree"
        await person.press(*TO_A_DRAWER, "tab")
        assert "Which battery wiring overheated?" in person.screen
        await person.press("tab")
        assert focus(person) == "tree"

    walk(make_app(filled), steps, size=NARROW)


@pytest.mark.nightly
def test_what_one_was_in_is_seen_when_the_terminal_becomes_narrow(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        browse = browse_of(person.app)
        browse.pane.reader.focus()
        await person.pilot.resize_terminal(*NARROW)
        await person.settle()
        assert "The 12-AWG silicone wire" in person.screen
        assert focus(person) == "reader"

    walk(make_app(filled, SECOND), steps)


@pytest.mark.nightly
def test_what_one_may_answer_is_seen_however_small_the_terminal(changing: Palace, make_app: Make) -> None:
    changing.tree.rename("Garden", "A wing with a name that is long " * 8)

    async def steps(person: Walk) -> None:
        for size in ((40, 10), (30, 6), NARROW, (80, 24)):
            await person.pilot.resize_terminal(*size)
            await person.press("home", "down", "f")
            for told in ("No (n)", "Forget (y)", "Forget wing"):
                assert told in person.screen, size
            await person.press("n", "home", "m", *"Shed")
            assert "Shed" in person.screen, size
            await person.press("escape")

    walk(make_app(changing), steps)


def test_hits_have_the_room_where_there_is_little_and_every_filter_is_seen_whatever_is_set(
    filled: Palace, make_app: Make
) -> None:
    async def steps(person: Walk) -> None:
        await person.press("slash", *"wire", "space", *"tomatoes")
        assert person.app.screen.query_one("#hits").size.height >= 10
        assert "similarity" not in person.screen
        box = person.app.screen.query_one(SearchBox)
        box.value = 'wire wing:"Efoil rebuild" since:2026-05-01 until:2026-05-30 role:assistant language:en'
        for width in (200, 120, 100, 80):
            await person.pilot.resize_terminal(width, 24)
            await person.settle()
            row = next(line for line in person.screen.splitlines() if "speaker" in line)
            left = person.app.screen.query_one("#left").size.width
            for name in ("wing", "since", "until", "speaker", "role", "language"):
                assert name in row[:left], width
            assert row[:left].count("×") == 5, width

    walk(make_app(filled), steps, size=NARROW)
