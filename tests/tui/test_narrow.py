"""Where there is room for one pane, or for little of one."""

from __future__ import annotations

import pytest

from palace import Palace
from palace_cli.tui.widgets.search import SearchBox
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
