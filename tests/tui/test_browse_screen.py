"""The first screen: the tree, a drawer, and what is done with them."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from palace import Palace
from palace.errors import NotFound, PalaceError
from palace_cli.tui.app import BrowseApp
from palace_cli.tui.screens.browse import BrowseScreen
from palace_cli.tui.source.places import Level
from tests.tui.walking import Walk, walk

Make = Callable[..., BrowseApp]
NAMES = {"+": "plus"}
TO_A_DRAWER = ("home", "right", "right", "right", "right")


def browse_of(app: BrowseApp) -> BrowseScreen:
    return next(screen for screen in app.screen_stack if isinstance(screen, BrowseScreen))


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (40, 10)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_wings_rooms_and_drawers_are_opened_down_to_what_was_said(
    filled: Palace, make_app: Make, size: tuple[int, int]
) -> None:
    async def steps(person: Walk) -> None:
        name = "x".join(map(str, size))
        person.sees(f"wings-{name}")
        await person.press(*TO_A_DRAWER)
        person.sees(f"tree-{name}")
        await person.press("down", "enter")
        person.sees(f"drawer-{name}")

    walk(make_app(filled), steps, size=size)


def test_a_drawer_has_five_views(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        for key, view in zip("12345", ("text", "raw", "about", "passages", "talk"), strict=True):
            await person.press(key)
            person.sees(f"view-{view}")
        await person.press("v")
        assert browse_of(person.app).pane.view == "raw"
        await person.press("v")
        assert browse_of(person.app).pane.view == "text"

    walk(make_app(filled, "W-001/R-01/D-002"), steps)


def test_what_a_drawer_says_is_told(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        await person.press("3")
        person.sees("about-relations")

    walk(make_app(filled, "W-001/R-01/D-003"), steps)


def test_a_pointer_begins_at_its_drawer_and_n_and_p_go_through_the_talk(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        browse = browse_of(person.app)
        assert browse.places.place is not None
        assert str(browse.places.place.pointer) == "§ W-001/R-01/D-002"
        seen = []
        for key in ("n", "n", "p", "p", "p"):
            await person.press(key)
            assert browse.pane.reading is not None
            seen.append(browse.pane.reading.shown.drawer.pointer.drawer)
        assert seen == [3, 3, 2, 1, 1]

    walk(make_app(filled, "W-001/R-01/D-002"), steps)


def test_a_wing_is_begun_at_by_its_name(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        place = browse_of(person.app).places.place
        assert place is not None
        assert place.name == "Garden"

    walk(make_app(filled, "garden"), steps)


def test_an_empty_palace_says_what_to_do_and_shows_what_is_filed_then(palace: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        person.sees("empty")
        palace.note("The hull wants paint.")
        await person.until(lambda: "Notes" in person.screen)

    walk(make_app(palace), steps)


def test_forgetting_is_confirmed_and_taken_back(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        await person.press(*TO_A_DRAWER, "f")
        person.sees("forget")
        await person.press("n")
        assert filled.show("W-001/R-01/D-001")
        await person.press("f", "y")
        with pytest.raises(NotFound):
            filled.show("W-001/R-01/D-001")
        assert "Which battery" not in person.screen
        await person.press("u")
        assert filled.show("W-001/R-01/D-001").drawer.content == "Which battery wiring overheated?"
        await person.until(lambda: "Which battery" in person.screen)

    walk(make_app(filled), steps)


def test_taking_back_leaves_forgotten_what_was_before(filled: Palace, make_app: Make) -> None:
    filled.forget("W-001/R-01/D-001")

    async def steps(person: Walk) -> None:
        await person.press("home", "f", "y")
        assert "Efoil" not in person.screen.split("Garden")[0]
        await person.press("u")
        with pytest.raises(NotFound):
            filled.show("W-001/R-01/D-001")
        assert filled.show("W-001/R-01/D-002")

    walk(make_app(filled), steps)


def test_nothing_is_taken_back_where_nothing_was_forgotten(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        await person.press("u")
        assert "nothing was forgotten here" in person.told

    walk(make_app(filled), steps)


def test_a_wing_is_renamed(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        await person.press("home", "r")
        person.sees("rename")
        await person.press("end", *"2", "enter")
        await person.until(lambda: "Efoil rebuild2" in person.screen)
        assert filled.tree.wing("Efoil rebuild2").number == 1

    walk(make_app(filled), steps)


def test_a_room_is_moved_to_another_wing_and_to_one_that_is_made(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        await person.press("home", "right", "right", "m", *"Garde", "right", "enter")
        assert [room.name for room in filled.tree.rooms(filled.tree.wing("Garden"))] == [
            "Garden talk",
            "Efoil rebuild talk",
        ]
        await person.until(lambda: "Efoil rebuild  " not in person.screen)
        await person.press("home", "right", "right", "m", *"Sheds", "enter")
        assert "There is no wing Sheds yet" in person.screen
        await person.press("y")
        assert filled.tree.wing("Sheds")

    walk(make_app(filled), steps)


def test_a_wing_is_merged_when_that_is_confirmed(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        await person.press("home", "m", *"Garden", "enter")
        person.sees("merge")
        await person.press("y")
        assert [wing.name for wing in filled.tree.wings()] == ["Garden"]
        await person.until(lambda: "Efoil" not in person.screen.split("moved")[0])

    walk(make_app(filled), steps)


@pytest.mark.parametrize(
    ("keys", "to", "told"),
    [
        ((), "Gardn", "there is no wing 'Gardn'; did you mean 'Garden'?"),
        ((), "efoil rebuild", "'efoil rebuild' is that wing itself"),
        (("right", "right"), "W-009", "there is no wing 'W-009'"),
    ],
)
def test_a_wing_that_is_not_there_is_refused_before_anything_is_asked(
    filled: Palace, make_app: Make, keys: tuple[str, ...], to: str, told: str
) -> None:
    async def steps(person: Walk) -> None:
        await person.press("home", *keys, "m", *to, "enter")
        assert told in person.told
        assert "--create" not in person.told
        assert isinstance(person.app.screen, BrowseScreen)

    walk(make_app(filled), steps)


def test_a_name_that_is_taken_speaks_of_the_key_that_merges(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        await person.press("home", "r", "ctrl+u", *"Garden", "enter")
        assert "another wing goes by 'Garden': m merges one wing into another" in person.told
        await person.press("r", "ctrl+u", *"efoil rebuild", "enter")
        await person.until(lambda: "efoil rebuild" in person.screen)

    walk(make_app(filled), steps)


NEEDS_A_PLACE = [("f", "nothing is chosen"), ("m", "nothing is chosen"), ("r", "nothing is chosen")]
NEEDS_A_DRAWER = [("Y", "no drawer is shown"), ("n", "no drawer is shown"), ("g", "no drawer is shown")]


@pytest.mark.parametrize(
    ("key", "told"), [*NEEDS_A_PLACE, ("y", "nothing is chosen"), *NEEDS_A_DRAWER, ("plus", "no drawer is shown")]
)
def test_a_key_that_has_nothing_to_work_on_says_so(palace: Palace, make_app: Make, key: str, told: str) -> None:
    async def steps(person: Walk) -> None:
        await person.press(key)
        assert told in person.told

    walk(make_app(palace), steps)


@pytest.mark.parametrize(
    ("key", "told"), [("p", "the first message"), ("nnn", "the last message"), ("+", "all of it is shown")]
)
def test_where_there_is_no_more_that_is_told(filled: Palace, make_app: Make, key: str, told: str) -> None:
    async def steps(person: Walk) -> None:
        await person.press(*(NAMES.get(each, each) for each in key))
        assert told in person.told

    walk(make_app(filled, "W-001/R-01/D-001"), steps)


def test_a_drawer_is_neither_moved_nor_renamed(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        await person.press(*TO_A_DRAWER, "r")
        assert "a wing or a room can be moved" in person.told

    walk(make_app(filled), steps)


def test_pointer_and_block_are_copied(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        await person.press("y")
        assert person.app.clipboard == "§ W-001/R-01/D-002"
        await person.press("Y")
        assert person.app.clipboard.startswith("<memory_context>\n§ W-001/R-01/D-002 ")
        assert "copied a block" in person.told

    walk(make_app(filled, "W-001/R-01/D-002"), steps)


def test_the_mouse_opens_and_reads(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        for line in (0, 1, 2):
            await person.pilot.click("PalaceTree", offset=(8, line))
            await person.settle()
        assert browse_of(person.app).pane.reading is not None
        await person.pilot.click("#drawer-views", offset=(9, 0))
        await person.settle()
        assert browse_of(person.app).pane.view == "raw"

    walk(make_app(filled), steps)


def test_a_terminal_that_is_too_small_says_so(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        person.sees("too-small")
        await person.pilot.resize_terminal(80, 24)
        await person.settle()
        assert "Garden" in person.screen

    walk(make_app(filled), steps, size=(24, 5))


def test_a_place_that_is_not_there_is_told(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        assert "there is no wing 'W-009'" in person.told
        assert "Garden" in person.screen

    walk(make_app(filled, "W-009"), steps)


def test_who_cannot_open_the_palace_is_told_why(make_app: Make) -> None:
    def opening() -> object:
        raise NotFound("there is no user 'ann'")

    app = BrowseApp(opening)  # type: ignore[arg-type]
    problem: PalaceError | None = app.run(headless=True)
    assert str(problem) == "there is no user 'ann'"


def test_a_room_without_topics_has_its_drawers_in_it(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        await person.press("home", "down", "right", "right", "right", "right")
        place = browse_of(person.app).places.place
        assert place is not None
        assert place.level is Level.DRAWER

    walk(make_app(filled), steps)


def test_what_stands_at_the_end_of_a_line_is_not_under_a_scroll_bar(filled: Palace, make_app: Make) -> None:
    for day in range(1, 29):
        said = [{"role": "user", "content": "x" * 40 + "\n\nlast\n" * 40, "timestamp": f"2026-04-{day:02}T10:00:00Z"}]
        filled.file(said, id=f"day-{day}", title=f"A talk with a long title on day {day}", wing="Garden")

    async def steps(person: Walk) -> None:
        await person.press("home", "down", "right")
        whole = re.findall(r"├ ▸ A talk wi.*… 1 2026-04-\d\d[ ▁-█]│", person.screen, re.MULTILINE)
        assert len(whole) > 10, person.screen
        await person.press("down", "down", "right", "right", "2")
        reader = browse_of(person.app).pane.reader
        assert reader.show_vertical_scrollbar
        assert max(strip.cell_length for strip in reader._lines) <= reader.scrollable_content_region.width

    walk(make_app(filled), steps)


def test_a_talk_is_seen_from_the_message_on_that_one_was_at(palace: Palace, make_app: Make) -> None:
    said = [
        {"role": "user", "content": f"message {at} " + "and more " * 30, "timestamp": f"2026-05-01T10:{at:02}:00Z"}
        for at in range(20)
    ]
    palace.file(said, id="long", title="A long talk", wing="Garden")

    async def steps(person: Walk) -> None:
        await person.press("5")
        assert "▶ 2026-05-01 10:10 user: message 10" in person.screen
        await person.press("n")
        assert "▶ 2026-05-01 10:11 user: message 11" in person.screen

    walk(make_app(palace, "W-001/R-01/D-011"), steps)


def test_times_that_a_drawer_tells_are_not_named_above_it(palace: Palace, make_app: Make) -> None:
    palace.file(
        [{"role": "user", "content": "At 9:30 on 2026-05-16 Anna flew to Ghent.", "timestamp": "2026-05-01T10:00:00Z"}],
        id="told",
        wing="Garden",
    )

    async def steps(person: Walk) -> None:
        assert "@t" not in person.screen
        await person.press("3")
        assert "2026-05-16" in person.screen
        assert "Said by    user\n" in person.screen.replace(" \n", "\n")

    walk(make_app(palace, "W-001/R-01/D-001"), steps, size=(120, 30))


def test_every_view_can_be_clicked_however_narrow_it_is(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        for width in (200, 120, 100, 80, 60, 50, 40, 32):
            await person.pilot.resize_terminal(width, 30)
            await person.press("slash", "escape")
            browse_of(person.app).pane.reader.focus()
            await person.settle()
            row = browse_of(person.app).pane.query_one("#drawer-views")
            shown = "".join(segment.text for segment in row.render_line(0))
            assert [name[0] for name in shown.split() if name[0].isdigit()] == list("12345"), (width, shown)

    walk(make_app(filled, "W-001/R-01/D-002"), steps)


def test_no_colour_is_drawn_where_none_is_wanted(
    filled: Palace, make_app: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    def colours(person: Walk) -> set[str]:
        strips = person.app.screen._compositor.render_strips()
        styles = [segment.style for strip in strips for segment in strip if segment.style]
        return {str(style) for style in styles if style.color or style.bgcolor}

    async def steps(person: Walk) -> None:
        assert not colours(person)
        for keys in (TO_A_DRAWER, ("enter",), ("slash", *"wire"), ("escape", "f"), ("n", "question_mark"), ("q", "S")):
            await person.press(*keys)
            assert not colours(person), keys

    walk(make_app(filled), steps)


def test_where_the_cursor_is_can_be_told_without_colours(
    filled: Palace, make_app: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    async def steps(person: Walk) -> None:
        await person.press("home", "down")
        strips = person.app.screen._compositor.render_strips()
        reversed_lines = [
            at for at, strip in enumerate(strips) if any(part.style and part.style.reverse for part in strip)
        ]
        assert reversed_lines[0] == 1

    walk(make_app(filled), steps)
