"""Keys and the palette do what they say, none leads to two places, and a narrow terminal has all of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from textual.binding import Binding

from palace import NotFound, Palace
from palace_cli.tui.app import PAGES, BrowseApp, is_light
from palace_cli.tui.keys import bindings_of
from palace_cli.tui.screens.browse import BrowseScreen
from palace_cli.tui.screens.dialogs import ConfirmScreen, HelpScreen, NameScreen
from tests.held import execute
from tests.tui.test_browse_screen import SECOND, TO_A_DRAWER, Make, browse_of
from tests.tui.walking import Walk, walk


def test_a_key_leads_to_one_place_on_a_screen() -> None:
    def keys(kind: type) -> list[str]:
        own = (vars(each).get("BINDINGS", ()) for each in kind.__mro__ if each.__module__.startswith("palace_cli."))
        return [binding.key for bindings in own for binding in Binding.make_bindings(bindings)]

    screens: tuple[type, ...] = (BrowseScreen, *(type(page.make()) for page in PAGES))
    taken = [key for kind in screens for key, times in Counter(keys(BrowseApp) + keys(kind)).items() if times > 1]
    assert set(taken) == {"a"}  # the page's own


def test_the_help_of_a_page_tells_its_own_key_and_not_what_that_does_elsewhere(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        await person.press("R")
        assert [each.id for each in bindings_of(person.app.screen) if each.key == "a"] == ["review.all"]
        await person.press("escape")
        assert [each.id for each in bindings_of(person.app.screen) if each.key == "a"] == ["page.about"]

    walk(make_app(filled), steps)


def line(person: Walk) -> int:
    return browse_of(person.app).places.cursor_line


def top(person: Walk) -> int:
    return browse_of(person.app).pane.query_one("#reader").scroll_offset.y


# The cursor begins on the second drawer, in the fourth line; the room has 43 drawers, the second of which is long.
STEPS: tuple[tuple[str, Callable[[Walk], object]], ...] = (
    *(("k", lambda person: line(person) == 2), ("j", lambda person: line(person) == 3)),
    *(("up", lambda person: line(person) == 2), ("down", lambda person: line(person) == 3)),
    *(("pagedown", lambda person: line(person) > 15), ("pageup", lambda person: line(person) < 15)),
    *(("end", lambda person: line(person) == 45), ("home", lambda person: line(person) == 0)),
    *(("space", lambda person: "├" not in person.screen), ("space", lambda person: "├" in person.screen)),
    *(("r", lambda person: isinstance(person.app.screen, NameScreen)), ("escape", lambda person: line(person) == 0)),
    *(("m", lambda person: isinstance(person.app.screen, NameScreen)), ("escape", lambda person: line(person) == 0)),
    *(("right", lambda person: line(person) == 1), ("end", lambda person: line(person) == 45)),
    *(("home", lambda person: line(person) == 0), ("down", lambda person: line(person) == 1)),
    *(("down", lambda person: line(person) == 2), ("n", lambda person: line(person) == 3)),
    ("enter", lambda person: top(person) == 0),
    *(("j", lambda person: top(person) == 1), ("k", lambda person: top(person) == 0)),
    *(("space", lambda person: top(person) > 5), ("pageup", lambda person: top(person) == 0)),
    *(("end", lambda person: top(person) > 100), ("home", lambda person: top(person) == 0)),
    ("plus", lambda person: "more characters" not in person.screen),
    *(("2", lambda person: browse_of(person.app).pane.view == "raw"), ("escape", lambda person: line(person) == 3)),
    ("delete", lambda person: isinstance(person.app.screen, ConfirmScreen)),
    ("left", lambda person: person.app.focused is not None and person.app.focused.id == "yes"),
    ("escape", lambda person: isinstance(person.app.screen, BrowseScreen)),
    *(("f1", lambda person: isinstance(person.app.screen, HelpScreen)), ("f1", lambda person: line(person) == 3)),
    ("ctrl+t", lambda person: person.app.theme == "palace-light"),
    *(("tab", lambda person: line(person) == 3), ("q", lambda person: person.app._exit)),
)


@pytest.mark.nightly
def test_one_key_after_the_other_does_what_it_says(palace: Palace, make_app: Make) -> None:
    body = "\n\n".join(f"Line {at}: the pump ran {'and ran ' * 20}" for at in range(150))
    texts = ["The first.", body, *(f"message {at}" for at in range(3, 44))]
    said = [{"role": "user", "content": text, "timestamp": "2026-05-01T10:00:00Z"} for text in texts]
    palace.file(said, id="long", title="A long talk", wing="Talks")
    execute(palace, "UPDATE drawer SET closet_id = NULL WHERE user_id = :user_id")
    palace.note("Something else.")

    async def steps(person: Walk) -> None:
        for number, (key, check) in enumerate(STEPS):
            await person.pilot.press(key)
            if key != "q":
                await person.settle()
            assert check(person), f"{number}: {key}\n{person.screen}"

    walk(make_app(palace, SECOND), steps)


def test_the_help_is_made_of_the_keys(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        told = {binding.id for binding in bindings_of(person.app.screen)}
        assert {"tree.open", "reader.down", "browse.forget", "app.quit", "browse.more"} <= told
        await person.press("f1")
        person.sees("help")

    walk(make_app(filled), steps, size=(100, 60))


def test_a_light_terminal_is_told_by_its_colours() -> None:
    told = {"0;15": True, "15;0": False, "0;default;7": True, "": False}
    assert {colours: is_light({"COLORFGBG": colours}) for colours in told} == told


EXPECTED = {
    *("Find (/)", "When (t)", "Forget (f)", "Merge (m)", "Rename (r)", "Undo (u)", "Copy (y)", "About (3)", "Keys (?)"),
    *("Who (w)", "Review (R)", "Jobs (J)", "Settings (S)", "Quit (q)", "Dark or light (^t)"),
}


def offered(person: Walk) -> set[str]:
    return {each.title for each in person.app.get_system_commands(person.app.screen)}


@pytest.mark.nightly
def test_what_keys_do_is_offered_with_its_key(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        await person.press("home", "right", "right")
        told = offered(person)
        assert told >= EXPECTED
        assert not {each for each in told if each.startswith(("Maximize", "Up", "Palette"))}
        await person.press("J")
        assert "Enqueue (n)" in offered(person)
        assert "Forget (f)" not in offered(person)

    walk(make_app(filled), steps)


@pytest.mark.nightly
def test_what_is_chosen_is_done(changing: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        await person.press(*TO_A_DRAWER, "ctrl+p", *"forg")
        await person.until(lambda: "Forget (f)" in person.screen)
        await person.press("down", "enter", "y")
        with pytest.raises(NotFound):
            changing.show("W-001/R-01/D-001")

    walk(make_app(changing), steps)


pytestmark = pytest.mark.nightly
NARROW = (50, 16)


def focus(person: Walk) -> str | None:
    return person.app.focused.id if person.app.focused else None


def test_a_search_takes_the_screen_from_a_drawer(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        await person.press(*TO_A_DRAWER, "enter")
        assert "├" not in person.screen
        await person.press("slash", *"wire")
        assert person.screen.splitlines()[1].startswith("wire")
        assert "1 hit" in person.screen
        await person.press("enter", "enter")
        assert focus(person) == "tree"
        assert "├ The **12-AWG**" in person.screen
        await person.press("enter", "escape", "escape")
        assert "1 hit" in person.screen
        assert focus(person) == "hits"

    walk(make_app(filled), steps, size=NARROW)
