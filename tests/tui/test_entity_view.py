"""The entity view: who and what there is, and of one of them what held when and what stands around it."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Iterator

import pytest

from palace import Palace
from palace.settings import Settings
from palace.testing import HashingEmbedder
from palace_cli.tui.app import BrowseApp
from palace_cli.tui.screens.browse import BrowseScreen
from palace_cli.tui.screens.entity import EntityScreen
from palace_cli.tui.widgets.drawer import DrawerPane
from palace_cli.tui.widgets.rows import Rows
from tests.tui.paging import SIZES, Walker, same_as, walked

Make = Callable[[Palace], BrowseApp]
SAID = (
    ("2025-01-03", "I live in Ghent. My sister Anna works at Bosch."),
    ("2025-06-03", "I moved to Bruges. I live in Bruges now."),
    ("2025-06-04", "Anna lives in Aalst. I visited Rome on 3 May 2025."),
)
_BAR = re.compile(r"[├╶┄◆╳▸][━┄─╳┤▸◆]*")
_YEARS = re.compile(r"(?:^|(?<=│))( +20\d\d)+$", re.MULTILINE)


def timeless(shown: str) -> str:
    """Write a screen without bars and years: they end now, whenever that is."""
    return _YEARS.sub("  <years>", re.sub(r" *<bar>", "  <bar>", _BAR.sub("<bar>", shown)))


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


async def to(walker: Walker, name: str) -> str:
    """Open the view of an entity by typing."""
    return await walker.press("E", "slash", *name, "enter", "enter")


@SIZES
def test_the_list_of_all_and_one_entity_in_each_view(lively: Palace, make_app: Make, size: tuple[int, int]) -> None:
    async def walk(walker: Walker) -> None:
        same_as(f"entities-{size[0]}", timeless(await walker.press("E")))
        await walker.press("slash", *"anna", "enter", "enter")
        for view in "tnm":
            as_shown = timeless if view == "t" else str
            same_as(f"entity-{view}-{size[0]}", as_shown(await walker.press(view)))

    walked(make_app(lively), walk, size)


@pytest.mark.nightly
def test_an_empty_palace_says_what_to_do(palace: Palace, make_app: Make) -> None:
    async def walk(walker: Walker) -> None:
        shown = await walker.press("E")
        assert "Nobody and nothing is named yet" in shown
        shown = await walker.press("enter", "t", "enter", "w", "right", "n", "enter", "m", "b", "slash", "x", "enter")
        assert "nothing like that" in shown

    walked(make_app(palace), walk)


@pytest.mark.nightly
def test_typing_narrows_the_list_by_any_name_without_accents_and_case(palace: Palace, make_app: Make) -> None:
    tell(palace).note("I met José García in Rome.", wing="Home")

    async def walk(walker: Walker) -> None:
        def listed() -> list[str | None]:
            return [each.id for each in walker.app.screen.query_one("#entity-rows", Rows).options]

        await walker.press("E", "slash", *"JOSE gar")
        assert listed() == ["José García (person)"]
        await walker.press(*["backspace"] * 8, *"sister")
        assert listed() == ["Anna (person)"]

    walked(make_app(palace), walk)


@pytest.mark.nightly
def test_what_was_superseded_is_marked_and_leads_to_both_drawers(lively: Palace, make_app: Make) -> None:
    async def walk(walker: Walker) -> None:
        shown = await to(walker, "I")
        assert [line for line in shown.splitlines() if "Ghent" in line and "╳" in line]
        assert "superseded, known from 3 January 2025" in shown
        rows = walker.app.screen.query_one("#timeline-rows", Rows)
        rows.highlighted = next(at for at, each in enumerate(rows.options) if each.id and "Ghent" in str(each.prompt))
        shown = await walker.settled()
        assert "said in § W-001/R-01/D-001; ended by §" in shown
        assert "W-001/R-01/D-002" in shown
        await walker.press("w")
        assert isinstance(walker.app.screen, BrowseScreen)
        reading = walker.app.screen.query_one(DrawerPane).reading
        assert reading is not None
        assert str(reading.shown.drawer.pointer) == "§ W-001/R-01/D-002"

    walked(make_app(lively), walk)


@pytest.mark.nightly
def test_enter_leads_to_the_drawer_that_says_so(palace: Palace, make_app: Make) -> None:
    tell(palace).note("Anna works at Bosch.", wing="Home")

    async def walk(walker: Walker) -> None:
        await to(walker, "anna")
        assert "(1 of 2)" in walker.shown()
        for key, told in (("right", "(2 of 2)"), ("right", "(1 of 2)"), ("left", "(2 of 2)")):
            assert told in await walker.press(key)
        await walker.press("enter")
        assert isinstance(walker.app.screen, BrowseScreen)
        assert "Anna works at Bosch." in walker.shown()

    walked(make_app(palace), walk)


def test_neighbours_are_walked_and_walked_back_and_the_view_is_opened_once(lively: Palace, make_app: Make) -> None:
    async def walk(walker: Walker) -> None:
        await walker.press("E", "E")
        assert sum(isinstance(each, EntityScreen) for each in walker.app.screen_stack) == 1
        await walker.press("slash", *"anna", "enter", "enter", "n", "down", "enter")
        assert "Aalst (place)" in walker.shown()
        assert "Anna" in await walker.press("m")
        assert "Anna (person), also called" in await walker.press("b")
        screen = walker.app.screen
        await walker.press("escape")
        assert screen.focused is screen.query_one("#entity-rows")
        await walker.press("escape")
        assert isinstance(walker.app.screen, BrowseScreen)

    walked(make_app(lively), walk)


@pytest.mark.nightly
def test_names_with_escapes_are_shown_harmlessly(palace: Palace, make_app: Make) -> None:
    said = "I met Anna \x1b[31m\u202eBerg in [bold]Rome[/bold]. Anna lives in Ghent."
    palace.file([{"role": "user", "content": said}], id="x")
    palace.entities.rename("Anna", "[red]An\x1b[2Jna\u202e[/red]")

    async def walk(walker: Walker) -> None:
        shown = await to(walker, "red")
        for view in "tnm":
            shown += await walker.press(view)
        assert not {"\x1b", "\u202e"} & set(shown)
        assert "[red]An" in shown

    walked(make_app(palace), walk)
