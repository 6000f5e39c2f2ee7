"""The entity view: who and what there is, and of one of them what held when and what stands around it."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Iterator

import pytest

from palace import Palace
from palace.config.settings import Settings
from palace.testing import HashingEmbedder
from palace_cli.tui.app import BrowseApp
from palace_cli.tui.reviewing import Wrong, correct
from palace_cli.tui.screens.browse import BrowseScreen
from palace_cli.tui.screens.entity import EntityScreen
from palace_cli.tui.widgets.drawer import DrawerPane
from palace_cli.tui.widgets.rows import Rows
from tests.tui.walking import Walk, same_as, walk

Make = Callable[[Palace], BrowseApp]
SAID = (
    ("2025-01-03", "I live in Ghent. My sister Anna works at Bosch."),
    ("2025-06-03", "I moved to Bruges. I live in Bruges now."),
    ("2025-06-04", "Anna lives in Aalst. I visited Rome on 3 May 2025."),
)
_BAR = re.compile(r"[├╶┄◆╳▸][━┄─╳┤▸◆]*")
_YEARS = re.compile(r"( +20\d\d)+ +│$", re.MULTILINE)


def timeless(shown: str) -> str:
    """Write a screen without bars and years: they end now, whenever that is."""
    return _YEARS.sub("  <years> │", re.sub(r" *<bar>", "  <bar>", _BAR.sub("<bar>", shown)))


def tell(palace: Palace) -> Palace:
    """File that somebody moved."""
    said = [{"role": "user", "content": text, "timestamp": f"{day}T10:00:00Z"} for day, text in SAID]
    palace.file(said, id="moving", title="Moving", wing="Home")
    return palace


@pytest.fixture(scope="module")
def lively(settings: Settings) -> Iterator[Palace]:
    """A palace in which somebody moved, which is only looked at."""
    with Palace.open(settings, user=f"user-{uuid.uuid4()}", embedder=HashingEmbedder()) as palace:
        yield tell(palace)


async def to(person: Walk, name: str) -> str:
    """Open the view of an entity by typing."""
    return await person.type("E", "slash", *name, "enter", "enter")


def test_the_list_of_all_and_one_entity_in_each_view(lively: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        same_as("entities-80", timeless(await person.type("E")))
        await person.type("slash", *"anna", "enter", "enter")
        for view in "tn":
            as_shown = timeless if view == "t" else str
            same_as(f"entity-{view}-80", as_shown(await person.type(view)))

    walk(make_app(lively), steps)


def test_what_is_typed_in_who_is_a_name_until_one_is_chosen(lively: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        await person.type("w", *"bmrca")
        assert isinstance(person.app.screen, EntityScreen)
        assert "nothing like that" in person.screen
        assert "Anna (person)" in await person.type("ctrl+u", *"anna")
        assert "Anna (person)" not in await person.type(*"bm")
        await person.type("ctrl+u", *"anna", "down", "r")
        assert "Another name for Anna (person)" in person.screen
        await person.type("escape", "n", "c")
        assert "go to what is wrong, and press c there" in person.told
        assert "Not Anna, but …" in await person.type("c")

    walk(make_app(lively), steps)


def test_a_long_name_is_whole_where_there_is_room(palace: Palace, make_app: Make) -> None:
    name, place = "Josephine Vandenbroucke-Delacroix", "Royal Observatory of Belgium and Flanders"
    palace.note(f"My friend {name} is here.")
    palace.corrections.add(name, "works_at", place)

    async def steps(person: Walk) -> None:
        assert re.search(rf"{name} +person", await person.type("w"))
        assert f"{place} " in await person.type(*"josephine", "enter", "t")

    walk(make_app(palace), steps, size=(160, 40))


@pytest.mark.nightly
def test_what_was_superseded_is_marked_and_leads_to_both_drawers(lively: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        shown = await to(person, "I")
        assert [line for line in shown.splitlines() if "Ghent" in line and "╳" in line]
        assert "known from 3 January 2025" in shown
        rows = person.app.screen.query_one("#timeline-rows", Rows)
        rows.highlighted = next(at for at, each in enumerate(rows.options) if each.id and "Ghent" in str(each.prompt))
        shown = await person.type()
        assert "said in § W-001/R-01/D-001; ended by §" in shown
        assert "W-001/R-01/D-002" in shown
        await person.type("e")
        assert isinstance(person.app.screen, BrowseScreen)
        reading = person.app.screen.query_one(DrawerPane).reading
        assert reading is not None
        assert str(reading.shown.drawer.pointer) == "§ W-001/R-01/D-002"

    walk(make_app(lively), steps)


@pytest.mark.nightly
def test_neighbours_are_walked_and_walked_back_and_the_view_is_opened_once(lively: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        await person.type("w", "f2")
        assert sum(isinstance(each, EntityScreen) for each in person.app.screen_stack) == 1
        await person.type("slash", *"anna", "enter", "enter", "n", "down", "enter")
        assert "Aalst (place)" in person.screen
        assert "Anna (person)" in await person.type("escape")
        screen = person.app.screen
        await person.type("escape")
        assert screen.focused is screen.query_one("#entity-rows")
        await person.type("escape")
        assert isinstance(person.app.screen, BrowseScreen)

    walk(make_app(lively), steps)


def test_a_page_about_oneself_and_about_an_entity_leads_to_the_drawer(lively: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        shown = await person.type("a")
        assert "Anna is your sister.  2025-01-03  § W-001/R-01/D-001" in shown
        assert "You live in Bruges.  2025-06-03" in shown
        assert "Ghent" not in shown
        assert "Nothing is known of your work" in shown
        await person.type("escape")
        await to(person, "anna")
        shown = await person.type("a")
        assert "Anna lives in Aalst.  2025-06-04" in shown
        rows = person.app.screen.query_one("#about-rows", Rows)
        rows.highlighted = next(at for at, each in enumerate(rows.options) if "Aalst" in str(each.prompt))
        await person.type("enter")
        reading = person.app.screen.query_one(DrawerPane).reading
        assert isinstance(person.app.screen, BrowseScreen)
        assert str(getattr(reading, "pointer", None)) == "§ W-001/R-01/D-003"

    walk(make_app(lively), steps)


def test_the_right_value_takes_the_start_and_the_place_of_the_wrong_one(palace: Palace) -> None:
    def known(what: str) -> list[tuple[str, str]]:
        return [(each.object, str(each.valid_from)[:7]) for each in palace.relations("me") if each.predicate == what]

    for what, right, wrong in (("lives_in", "Bruges", "Ghent"), ("owns", "kayak", "canoe")):
        palace.corrections.add("me", what, wrong, since="2024-05")
        relation = next(each for each in palace.relations("me") if each.predicate == what)
        done = correct(palace, relation, Wrong.OBJECT, right)
        assert known(what) == [(right, "2024-05")]
        assert done.undo is not None
        done.undo()
        assert known(what) == [(wrong, "2024-05")]
