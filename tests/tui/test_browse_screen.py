"""The first screen: the tree, a drawer, and what is done with them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from palace import Palace
from palace.errors import NotFound, PalaceError
from palace_cli.tui.app import BrowseApp
from palace_cli.tui.places import Level
from palace_cli.tui.screens.browse import BrowseScreen
from tests.tui.walking import Walk, walk

Make = Callable[..., BrowseApp]
TO_A_DRAWER = ("home", "right", "right", "right", "right")
SECOND = "W-001/R-01/D-002"


def browse_of(app: BrowseApp) -> BrowseScreen:
    return next(screen for screen in app.screen_stack if isinstance(screen, BrowseScreen))


def test_wings_rooms_and_drawers_are_opened_down_to_what_was_said(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        person.sees("wings-80x24")
        await person.press(*TO_A_DRAWER)
        person.sees("tree-80x24")
        await person.press("down", "enter")
        person.sees("drawer-80x24")

    walk(make_app(filled), steps)


def test_a_pointer_begins_at_its_drawer_which_has_four_views_and_neighbours_and_can_be_copied(
    filled: Palace, make_app: Make
) -> None:
    async def steps(person: Walk) -> None:
        browse = browse_of(person.app)
        assert browse.places.place is not None
        assert str(browse.places.place.pointer) == f"§ {SECOND}"
        for key, view in zip("1234", ("text", "raw", "about", "talk"), strict=True):
            await person.press(key)
            person.sees(f"view-{view}")
        await person.press("y")
        assert person.app.clipboard == f"§ {SECOND}"
        await person.press("Y")
        assert person.app.clipboard.startswith(f"<memory_context>\n§ {SECOND} ")
        assert "copied a block" in person.told
        seen = []
        for key in "nnppp":
            await person.press(key)
            assert browse.pane.reading is not None
            seen.append(browse.pane.reading.shown.drawer.pointer.drawer)
        assert seen == [3, 3, 2, 1, 1]
        for told in ("the first message", "the last message"):
            assert told in person.told

    walk(make_app(filled, SECOND), steps)


@pytest.mark.nightly
def test_one_begins_at_a_wing_by_its_name_and_what_is_not_there_is_told(filled: Palace, make_app: Make) -> None:
    async def garden(person: Walk) -> None:
        place = browse_of(person.app).places.place
        assert place is not None
        assert place.name == "Garden"
        await person.press("home", "down", "right", "right", "right", "right")
        place = browse_of(person.app).places.place
        assert place is not None
        assert place.level is Level.DRAWER  # a room without topics has its drawers in it
        assert "Another name for the room" in await person.press("r")
        assert "Garden talk" in person.screen

    async def nowhere(person: Walk) -> None:
        assert "there is no wing 'W-009'" in person.told
        assert "Garden" in person.screen

    walk(make_app(filled, "garden"), garden)
    walk(make_app(filled, "W-009"), nowhere)


def test_an_empty_palace_says_what_to_do_and_shows_what_is_filed_then(palace: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        person.sees("empty")
        for key, told in {
            **dict.fromkeys("fmry", "nothing is chosen"),
            **dict.fromkeys(("Y", "n", "g", "plus"), "no drawer is shown"),
            "u": "nothing to take back",
            "escape": "q leaves",
        }.items():
            person.app.clear_notifications()
            await person.press(key)
            assert told in person.told, key
        palace.note("The hull wants paint.")
        await person.until(lambda: "Notes" in person.screen)

    walk(make_app(palace), steps)


def test_forgetting_is_confirmed_and_taken_back_which_leaves_forgotten_what_was_before(
    changing: Palace, make_app: Make
) -> None:
    async def steps(person: Walk) -> None:
        await person.press(*TO_A_DRAWER, "f")
        person.sees("forget")
        await person.press("n")
        assert changing.show("W-001/R-01/D-001")
        await person.press("f", "y")
        with pytest.raises(NotFound):
            changing.show("W-001/R-01/D-001")
        assert "Which battery" not in person.screen
        await person.press("u")
        assert changing.show("W-001/R-01/D-001").drawer.content == "Which battery wiring overheated?"
        await person.until(lambda: "Which battery" in person.screen)
        changing.forget("W-001/R-01/D-003")
        await person.press("home", "f", "y")
        assert "Efoil" not in person.screen.split("Garden")[0]
        await person.press("u")
        assert changing.show(SECOND)
        with pytest.raises(NotFound):
            changing.show("W-001/R-01/D-003")

    walk(make_app(changing), steps)


@pytest.mark.nightly
def test_a_wing_is_renamed_and_a_name_that_is_taken_speaks_of_the_key_that_merges(
    changing: Palace, make_app: Make
) -> None:
    async def steps(person: Walk) -> None:
        await person.press("home", "r")
        person.sees("rename")
        await person.press("ctrl+u", *"Garden", "enter")
        assert "another wing goes by 'Garden': m merges one wing into another" in person.told
        await person.press("r", "end", *"2", "enter")
        await person.until(lambda: "Efoil rebuild2" in person.screen)
        assert changing.tree.wing("Efoil rebuild2").number == 1

    walk(make_app(changing), steps)


@pytest.mark.nightly
def test_a_room_is_moved_to_another_wing_and_to_one_that_is_made(changing: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        await person.press("home", "right", "right", "m", *"Garde", "right", "enter")
        rooms = [room.name for room in changing.tree.rooms(changing.tree.wing("Garden"))]
        assert rooms == ["Garden talk", "Efoil rebuild talk"]
        await person.until(lambda: "Efoil rebuild  " not in person.screen)
        await person.press("home", "right", "right", "m", *"Sheds", "enter")
        assert "There is no wing Sheds yet" in person.screen
        await person.press("y")
        assert changing.tree.wing("Sheds")

    walk(make_app(changing), steps)


@pytest.mark.nightly
def test_a_wing_is_merged_when_that_is_confirmed(changing: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        await person.press("home", "m", *"Garden", "enter")
        person.sees("merge")
        await person.press("y")
        assert [wing.name for wing in changing.tree.wings()] == ["Garden"]

    walk(make_app(changing), steps)


def test_who_cannot_open_the_palace_is_told_why() -> None:
    def opening() -> object:
        raise NotFound("there is no user 'ann'")

    problem: PalaceError | None = BrowseApp(opening).run(headless=True)  # type: ignore[arg-type]
    assert str(problem) == "there is no user 'ann'"
