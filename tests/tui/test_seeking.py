"""Seeking on the first screen: what is typed is found, leads to its place, and one comes back."""

from __future__ import annotations

from collections.abc import Callable

import psycopg
import pytest

from palace import Palace
from palace_cli.tui.app import BrowseApp
from palace_cli.tui.widgets.calendar import CalendarStrip
from palace_cli.tui.widgets.hits import HitsList
from palace_cli.tui.widgets.seek import SEARCHING, SearchBox
from tests.held import locked, owner_of
from tests.tui.walking import Walk, walk

Make = Callable[..., BrowseApp]


def box(person: Walk) -> SearchBox:
    return person.app.screen.query_one(SearchBox)


def hits(person: Walk) -> HitsList:
    return person.app.screen.query_one(HitsList)


def strip(person: Walk) -> CalendarStrip:
    return person.app.screen.query_one(CalendarStrip)


def left(person: Walk) -> str | None:
    switch = person.app.screen.query_one("#left-switch")
    return switch.current  # type: ignore[attr-defined,no-any-return]


async def seek(person: Walk, text: str) -> None:
    if not box(person).has_focus:
        await person.press("slash")
    box(person).value = text
    await person.settle()


def waiting(palace: Palace) -> int:
    """Count the statements that wait for a lock in this database."""
    with psycopg.connect(owner_of(palace)) as owner:
        asked = "SELECT count(*) FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database"
        row = owner.execute(f"{asked} WHERE datname = current_database())".encode()).fetchone()
    assert row is not None
    return int(row[0])


@pytest.mark.nightly
def test_what_seeking_shows(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        await person.press("slash")
        person.sees("seek-empty")
        await seek(person, "wire overheated")
        person.sees("seek-hits")
        await seek(person, "zeppelins of Friedrichshafen")
        assert not hits(person).hits
        person.sees("seek-nothing")
        await person.press("ctrl+o")
        assert hits(person).hits
        person.sees("seek-below")
        await seek(person, 'wire wing:"Efoil rebuild" since:2026-05-01 role:assistant')
        person.sees("seek-filters")
        await seek(person, "wire since:sometime")
        person.sees("seek-wrong")

    walk(make_app(filled), steps)


def test_letters_are_sought_when_the_keys_rest_and_the_same_is_found_as_on_the_command_line(
    filled: Palace, make_app: Make
) -> None:
    async def steps(person: Walk) -> None:
        await seek(person, "what do tomatoes want?")
        found = filled.recall("what do tomatoes want?").hits
        assert [hit.drawer for hit in hits(person).hits] == [hit.drawer for hit in found] != []
        await person.press("ctrl+u")
        await person.press(*"wire")
        assert [str(hit.drawer.pointer) for hit in hits(person).hits] == ["§ W-001/R-01/D-002"]
        await person.press("ctrl+u")
        assert not hits(person).hits

    walk(make_app(filled), steps)


def test_a_hit_leads_to_its_place_and_one_comes_back(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        await seek(person, "wire overheated")
        await person.press("enter", "enter")
        assert left(person) == "tree"
        person.sees("seek-jumped")
        await person.press("escape")
        assert left(person) == "seek"
        assert hits(person).has_focus
        await person.press("escape")
        assert box(person).has_focus
        await person.press("escape")
        assert left(person) == "tree"
        await person.press("ctrl+f")
        assert box(person).value == "wire overheated"

    walk(make_app(filled), steps)


@pytest.mark.nightly
def test_a_span_of_the_calendar_becomes_the_times(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        await seek(person, "water tomatoes wire")
        await person.press("f6")
        assert [slot.drawers for slot in strip(person).calendar.slots] == [3, 2]
        person.sees("seek-calendar")
        await person.press("left", "enter")
        assert box(person).value == "since:2026-05-01 until:2026-05-01 water tomatoes wire"
        assert {hit.drawer.wing_name for hit in hits(person).hits} <= {"Efoil rebuild"}
        assert len(strip(person).calendar.slots) == 1
        await person.press("backspace")
        assert box(person).value == "water tomatoes wire"
        await person.press("home", "shift+right", "enter")
        assert read(person) == {"since": "2026-05-01", "until": "2026-05-02"}
        await seek(person, "water")
        await person.press("f6")
        await person.pilot.click("#calendar", offset=(0, 0))
        await person.settle()
        assert read(person) == {"since": "2026-05-01", "until": "2026-05-01"}

    walk(make_app(filled), steps)


def read(person: Walk) -> dict[str, str]:
    return dict(part.split(":") for part in box(person).value.split() if ":" in part)


@pytest.mark.nightly
def test_a_search_under_way_is_stopped_by_the_next_key(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        await seek(person, "beans")
        with locked(filled, "passage"):
            box(person).value = "wire"
            await person.until(lambda: waiting(filled) > 0)
            assert SEARCHING in person.screen
            person.sees("seek-searching")
            box(person).value = ""
            # The lock is held, so only who is stopped waits no more.
            await person.until(lambda: waiting(filled) == 0)
        await seek(person, "tomatoes")
        assert len(hits(person).hits) == 1
        assert "cancelled" not in person.screen

    walk(make_app(filled), steps)


def test_what_was_kept_back_stays_when_the_palace_changes(palace: Palace, make_app: Make) -> None:
    palace.note("Tomatoes want water.")

    async def steps(person: Walk) -> None:
        await seek(person, "zeppelins of Friedrichshafen")
        assert not hits(person).hits
        await person.press("ctrl+o")
        assert len(hits(person).hits) == 1
        palace.note("Beans want none.")
        await person.until(lambda: len(hits(person).hits) == 2)
        await seek(person, "zeppelins of Lindau")
        assert not hits(person).hits

    walk(make_app(palace), steps)


def test_a_hit_that_is_a_memory_says_what_it_stands_on(palace: Palace, make_app: Make) -> None:
    first, second = (str(palace.note(text).pointer) for text in ("Tomatoes want water.", "Beans want none."))
    palace.memories.store("Water the tomatoes and not the beans", evidence=[first, second])

    async def steps(person: Walk) -> None:
        await seek(person, "what about water for tomatoes and beans?")
        assert f"fact, from {first}" in person.screen
        assert "person, " in person.screen

    walk(make_app(palace), steps)


def test_what_acts_on_a_terminal_is_shown_as_a_sign(palace: Palace, make_app: Make) -> None:
    palace.note("The wire\x1b[31m red\x1b]0;owned\x07 \u202egnorw\u202c [bold]marked[/bold]", wing="Sig\x1b[2Jns")

    async def steps(person: Walk) -> None:
        await seek(person, "wire \x1b[31m red")
        assert hits(person).hits
        assert not {"\x1b", "\x07", "\u202e"} & set(person.screen)
        assert "[bold]marked[/bold]" in person.screen

    walk(make_app(palace), steps)
