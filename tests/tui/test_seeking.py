"""Seeking on the first screen: what is typed is found, leads to its place, and one comes back."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import psycopg
import pytest
import sqlalchemy as sa

from palace import EmbeddedTexts, Palace
from palace.settings import Settings
from palace.testing import HashingEmbedder
from palace_cli.tui.app import BrowseApp
from palace_cli.tui.keys.bindings import bindings_of
from palace_cli.tui.widgets.bars import WhyBars
from palace_cli.tui.widgets.calendar import CalendarStrip
from palace_cli.tui.widgets.filters import Filter
from palace_cli.tui.widgets.hits import HitsList
from palace_cli.tui.widgets.search import SearchBox
from palace_cli.tui.widgets.seek import NOTHING_FOUND, SEARCHING
from tests.tui.walking import Walk, walk

Make = Callable[..., BrowseApp]
SIZES = {"": (80, 24), "-small": (40, 10)}


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


def owner_of(palace: Palace) -> str:
    url = sa.make_url(palace._opened.database.shared.owner_url())
    return url.set(drivername="postgresql").render_as_string(hide_password=False)


@contextmanager
def locked(palace: Palace, table: str) -> Iterator[None]:
    """Make whoever looks at a table wait."""
    with psycopg.connect(owner_of(palace)) as owner:
        owner.execute(f"LOCK TABLE palace.{table} IN ACCESS EXCLUSIVE MODE".encode())
        yield


def waiting(palace: Palace) -> int:
    """Count the statements that wait for a lock in this database."""
    with psycopg.connect(owner_of(palace)) as owner:
        asked = "SELECT count(*) FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database"
        row = owner.execute(f"{asked} WHERE datname = current_database())".encode()).fetchone()
    assert row is not None
    return int(row[0])


@pytest.mark.parametrize("small", SIZES)
def test_what_seeking_shows(filled: Palace, make_app: Make, small: str) -> None:
    async def steps(person: Walk) -> None:
        await person.press("slash")
        person.sees(f"seek-empty{small}")
        await seek(person, "wire overheated")
        person.sees(f"seek-hits{small}")
        await seek(person, "zeppelins of Friedrichshafen")
        assert not hits(person).hits
        person.sees(f"seek-nothing{small}")
        await person.press("ctrl+o")
        assert hits(person).hits
        person.sees(f"seek-below{small}")
        await seek(person, 'wire wing:"Efoil rebuild" since:2026-05-01 role:assistant')
        person.sees(f"seek-filters{small}")
        await seek(person, "wire since:sometime")
        person.sees(f"seek-wrong{small}")

    walk(make_app(filled), steps, size=SIZES[small])


def test_letters_are_sought_when_the_keys_rest(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        await person.press("slash", *"wire")
        assert [str(hit.drawer.pointer) for hit in hits(person).hits] == ["§ W-001/R-01/D-002"]
        await person.press("ctrl+u")
        assert not hits(person).hits

    walk(make_app(filled), steps)


def test_the_same_is_found_as_on_the_command_line(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        await seek(person, "what do tomatoes want?")
        found = filled.recall("what do tomatoes want?")
        assert [hit.drawer for hit in hits(person).hits] == [hit.drawer for hit in found.hits]
        assert found.hits

    walk(make_app(filled), steps)


def test_a_hit_leads_to_its_place_and_one_comes_back(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        await seek(person, "wire overheated")
        await person.press("enter", "enter")
        assert left(person) == "tree"
        person.sees("seek-jumped")
        await person.press("left_square_bracket")
        assert left(person) == "seek"
        assert hits(person).has_focus
        await person.press("right_square_bracket")
        assert left(person) == "tree"
        await person.press("alt+left")
        assert left(person) == "seek"
        await person.press("alt+right")
        assert left(person) == "tree"

    walk(make_app(filled), steps)


def test_escape_leads_from_hits_to_the_box_and_from_there_to_the_tree(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        await seek(person, "wire")
        await person.press("down")
        assert hits(person).has_focus
        await person.press("escape")
        assert box(person).has_focus
        await person.press("escape")
        assert left(person) == "tree"
        await person.press("ctrl+f")
        assert box(person).value == "wire"

    walk(make_app(filled), steps)


def test_a_row_of_filters_is_worked_by_keys(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        await seek(person, "water")
        person.app.screen.query_one("#filter-role", Filter).focus()
        await person.press("enter")
        assert box(person).value == "role:user water"
        await person.press("space")
        assert box(person).value == "role:assistant water"
        await person.press("backspace")
        assert box(person).value == "water"
        await person.press("right", "enter")
        assert box(person).value == "water language:"
        assert box(person).has_focus
        person.app.screen.query_one("#filter-wing", Filter).focus()
        await person.press("enter")
        person.sees("seek-wings")
        await person.press("down", "enter")
        assert box(person).value.startswith("wing:Garden ")

    walk(make_app(filled), steps)


def test_a_row_of_filters_is_worked_by_mouse(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        await seek(person, "water")
        await person.pilot.click("#filter-role")
        await person.settle()
        assert box(person).value == "role:user water"
        cross = person.app.screen.query_one("#filter-role", Filter).size.width - 1
        await person.pilot.click("#filter-role", offset=(cross, 0))
        await person.settle()
        assert box(person).value == "water"

    walk(make_app(filled), steps)


def test_a_span_of_the_calendar_becomes_the_times(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        await seek(person, "water tomatoes wire")
        await person.press("f6")
        assert [slot.drawers for slot in strip(person).calendar.slots] == [3, 2]
        person.sees("seek-calendar")
        await person.press("left", "enter")
        assert box(person).value == "until:2026-05-01 since:2026-05-01 water tomatoes wire"
        assert {hit.drawer.wing_name for hit in hits(person).hits} <= {"Efoil rebuild"}
        assert len(strip(person).calendar.slots) == 1
        await person.press("backspace")
        assert box(person).value == "water tomatoes wire"
        await person.press("home", "shift+right", "enter")
        assert read(person) == {"since": "2026-05-01", "until": "2026-05-02"}
        await person.press("delete", "end", "shift+left", "right", "enter")
        assert read(person) == {"since": "2026-05-02", "until": "2026-05-02"}

    walk(make_app(filled), steps)


def read(person: Walk) -> dict[str, str]:
    return dict(part.split(":") for part in box(person).value.split() if ":" in part)


def test_the_calendar_is_worked_by_mouse(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        await seek(person, "water")
        await person.pilot.click("#calendar", offset=(0, 0))
        await person.settle()
        assert read(person) == {"since": "2026-05-01", "until": "2026-05-01"}

    walk(make_app(filled), steps)


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


@pytest.fixture
def apart(settings: Settings) -> Iterator[Palace]:
    """A palace whose database may go away."""
    with Palace.open(settings, user=f"user-{uuid.uuid4()}", embedder=HashingEmbedder()) as opened:
        opened.note("The wire overheated.")
        yield opened


def test_what_is_sought_while_the_database_is_gone_is_found_when_it_is_back(apart: Palace, make_app: Make) -> None:
    shared = apart._opened.database.shared

    async def steps(person: Walk) -> None:
        await seek(person, "beans")
        shared.close()
        try:
            await seek(person, "wire")
            await person.until(lambda: "the database does not answer" in person.screen)
        finally:
            shared.open()
        await person.press("ctrl+r")
        await person.until(lambda: "1 hit" in person.screen)
        assert "the database does not answer" not in person.screen

    walk(make_app(apart), steps)


def test_what_acts_on_a_terminal_is_shown_as_a_sign(palace: Palace, make_app: Make) -> None:
    palace.note("The wire\x1b[31m red\x1b]0;owned\x07 \u202egnorw\u202c [bold]marked[/bold]", wing="Sig\x1b[2Jns")

    async def steps(person: Walk) -> None:
        await seek(person, "wire \x1b[31m red")
        assert hits(person).hits
        assert not {"\x1b", "\x07", "\u202e"} & set(person.screen)
        assert "[bold]marked[/bold]" in person.screen

    walk(make_app(palace), steps)


def test_a_mistyped_word_is_told_with_what_it_was_read_as(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        await seek(person, "overheeated in May 2026")
        assert "overheeated → overheated" in person.screen
        assert "· 2026-05-01 –" in person.screen

    walk(make_app(filled), steps, size=(140, 30))


def test_an_empty_palace_is_sought_without_harm(palace: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        await seek(person, "anything")
        assert NOTHING_FOUND.split(";")[0] in person.screen
        await person.press("down", "f6", "enter", "ctrl+o", "escape")

    walk(make_app(palace), steps)


def test_every_key_of_seeking_is_told_in_the_help(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        await person.press("slash")
        told = {binding.id for binding in bindings_of(person.app.screen)}
        for kind in (SearchBox, Filter, HitsList, CalendarStrip):
            assert {binding.id for binding in kind.BINDINGS} <= told  # type: ignore[union-attr]
        assert {"seek.open", "seek.back", "seek.forward", "seek.below", "seek.times"} <= told

    walk(make_app(filled), steps)


class SlowEmbedder(HashingEmbedder):
    """Takes its time for queries."""

    def embed_queries(self, texts: Sequence[str]) -> EmbeddedTexts:
        time.sleep(0.4)
        return super().embed_queries(texts)


def test_no_key_waits_for_what_is_sought(settings: Settings, make_app: Make) -> None:
    with Palace.open(settings, user=f"user-{uuid.uuid4()}", embedder=SlowEmbedder()) as palace:
        palace.note("The wire overheated.")

        async def steps(person: Walk) -> None:
            await person.pilot.press("slash")
            for key in "wire overheated":
                started = time.perf_counter()
                await person.pilot.press("space" if key == " " else key)
                assert time.perf_counter() - started < 0.35
            await person.settle()
            assert box(person).value == "wire overheated"
            assert len(hits(person).hits) == 1

        walk(make_app(palace), steps)


@pytest.mark.parametrize("wrong", ["wire since:sometime", "wire wing:Sailng", "wire wing:"])
def test_hits_of_another_line_do_not_stand_under_what_is_wrong(filled: Palace, make_app: Make, wrong: str) -> None:
    async def steps(person: Walk) -> None:
        await seek(person, "wire")
        assert hits(person).hits
        await seek(person, wrong)
        assert not hits(person).hits
        assert "similarity" not in person.screen
        await seek(person, "wire")
        assert hits(person).hits

    walk(make_app(filled), steps)


def test_how_likely_a_hit_answers_is_told_among_the_reasons_and_not_in_the_order(
    filled: Palace, make_app: Make
) -> None:
    async def steps(person: Walk) -> None:
        await seek(person, "wire")
        found = [replace(hit, confidence=0.57) for hit in hits(person).hits]
        hits(person).show(found)
        person.app.screen.query_one(WhyBars).show(found[0])
        await person.settle()
        assert "likely answers: 57%" in person.screen
        assert "57" not in "".join(str(option.prompt) for option in hits(person).options)

    walk(make_app(filled), steps)
