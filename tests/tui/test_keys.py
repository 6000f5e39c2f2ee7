"""Every key that does something is pressed once; a key that nobody presses here fails."""

from __future__ import annotations

import importlib
import pkgutil
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator

import pytest
from textual.binding import Binding
from textual.dom import DOMNode

import palace_cli.tui
from palace import Palace
from palace_cli.tui.app import BrowseApp, is_light
from palace_cli.tui.keys.bindings import bindings_of
from palace_cli.tui.pages import PAGES
from palace_cli.tui.screens.browse import BrowseScreen
from palace_cli.tui.screens.confirm import ConfirmScreen
from palace_cli.tui.screens.help import HelpScreen
from palace_cli.tui.screens.name import NameScreen
from tests.tui import seeking_keys
from tests.tui.page_keys import PAGE_KEYS
from tests.tui.test_browse_screen import Make, browse_of
from tests.tui.walking import Walk, walk

Check = Callable[[Walk], object]
SECOND = "W-001/R-01/D-002"
READS = ("enter",)
TREE, PANE = (), READS


def drawer(person: Walk) -> int:
    reading = browse_of(person.app).pane.reading
    assert reading is not None
    return reading.shown.drawer.pointer.drawer


def line(person: Walk) -> int:
    return browse_of(person.app).places.cursor_line


def reader_top(person: Walk) -> int:
    return browse_of(person.app).pane.query_one("#reader").scroll_offset.y


def view(person: Walk) -> str:
    return browse_of(person.app).pane.view


def focus(person: Walk) -> str | None:
    focused = person.app.focused
    return focused.id if focused else None


def is_on(kind: type) -> Check:
    return lambda person: isinstance(person.app.screen, kind)


# Of each key: what is pressed before it, and what is so when it was pressed. The cursor begins on the second drawer, in
# the fourth line; the room has 43 drawers, the second of which has 200 lines.
WALKS: dict[tuple[str, str], tuple[tuple[str, ...], Check]] = {
    ("tree.up", "up"): (TREE, lambda person: line(person) == 2),
    ("tree.up", "k"): (TREE, lambda person: line(person) == 2),
    ("tree.down", "down"): (TREE, lambda person: line(person) == 4),
    ("tree.down", "j"): (TREE, lambda person: line(person) == 4),
    ("tree.page-down", "pagedown"): (TREE, lambda person: line(person) > 15),
    ("tree.page-up", "pageup"): (("pagedown", "pagedown"), lambda person: line(person) < 30),
    ("tree.first", "home"): (TREE, lambda person: line(person) == 0),
    ("tree.last", "end"): (TREE, lambda person: line(person) == 45),
    ("tree.open", "right"): (("home",), lambda person: line(person) == 1),
    ("tree.close", "left"): (TREE, lambda person: line(person) == 1),
    ("tree.choose", "enter"): (TREE, lambda person: focus(person) == "reader"),
    ("tree.toggle", "space"): (("home",), lambda person: "├" not in person.screen),
    ("reader.down", "down"): (PANE, lambda person: reader_top(person) == 1),
    ("reader.down", "j"): (PANE, lambda person: reader_top(person) == 1),
    ("reader.up", "up"): ((*PANE, "down", "down"), lambda person: reader_top(person) == 1),
    ("reader.up", "k"): ((*PANE, "down", "down"), lambda person: reader_top(person) == 1),
    ("reader.page-down", "pagedown"): (PANE, lambda person: reader_top(person) > 5),
    ("reader.page-down", "space"): (PANE, lambda person: reader_top(person) > 5),
    ("reader.page-up", "pageup"): ((*PANE, "pagedown"), lambda person: reader_top(person) == 0),
    ("reader.last", "end"): (PANE, lambda person: reader_top(person) > 100),
    ("reader.first", "home"): ((*PANE, "end"), lambda person: reader_top(person) == 0),
    ("browse.more", "plus"): (TREE, lambda person: "more characters" not in person.screen),
    ("browse.next", "n"): (TREE, lambda person: drawer(person) == 3),
    ("browse.previous", "p"): (TREE, lambda person: drawer(person) == 1),
    ("browse.text", "1"): (("3",), lambda person: view(person) == "text"),
    ("browse.raw", "2"): (TREE, lambda person: view(person) == "raw"),
    ("browse.about", "3"): (TREE, lambda person: view(person) == "about"),
    ("browse.passages", "4"): (TREE, lambda person: view(person) == "passages"),
    ("browse.talk", "5"): (TREE, lambda person: view(person) == "talk"),
    ("browse.verbatim", "v"): (TREE, lambda person: view(person) == "raw"),
    ("browse.locate", "g"): (("n", "n"), lambda person: line(person) == 5),
    ("browse.copy_pointer", "y"): (TREE, lambda person: person.app.clipboard == f"§ {SECOND}"),
    ("browse.copy_block", "Y"): (TREE, lambda person: person.app.clipboard.startswith("<memory_context>")),
    ("browse.pane", "tab"): (TREE, lambda person: focus(person) == "reader"),
    ("browse.back", "escape"): (PANE, lambda person: focus(person) == "tree"),
    ("browse.retry", "ctrl+r"): (TREE, lambda person: line(person) == 3),
    ("browse.forget", "f"): (TREE, is_on(ConfirmScreen)),
    ("browse.forget", "delete"): (TREE, is_on(ConfirmScreen)),
    ("browse.take_back", "u"): (("f", "y"), lambda person: "took back" in person.told),
    ("browse.move", "m"): (("home",), is_on(NameScreen)),
    ("browse.rename", "r"): (("home",), is_on(NameScreen)),
    ("confirm.yes", "y"): (("f",), lambda person: "forgot drawer" in person.told),
    ("confirm.no", "n"): (("f",), lambda person: isinstance(person.app.screen, BrowseScreen) and not person.told),
    ("confirm.no", "escape"): (("f",), is_on(BrowseScreen)),
    ("confirm.other", "left"): (("f",), lambda person: focus(person) == "yes"),
    ("confirm.other", "right"): (("f",), lambda person: focus(person) == "yes"),
    ("name.leave", "escape"): (("home", "r"), is_on(BrowseScreen)),
    ("app.help", "question_mark"): (TREE, is_on(HelpScreen)),
    ("app.help", "f1"): (TREE, is_on(HelpScreen)),
    ("help.close", "escape"): (("f1",), is_on(BrowseScreen)),
    ("help.close", "question_mark"): (("f1",), is_on(BrowseScreen)),
    ("help.close", "f1"): (("f1",), is_on(BrowseScreen)),
    ("help.close", "q"): (("f1",), is_on(BrowseScreen)),
    ("app.theme", "ctrl+t"): (TREE, lambda person: person.app.theme == "textual-light"),
    ("app.palette", "ctrl+p"): (TREE, lambda person: "Search for commands" in person.screen),
    ("app.quit", "q"): (TREE, lambda person: person.app._exit),
    **seeking_keys.WALKS,
}


def every_binding() -> Iterator[Binding]:
    """Give every binding that anything of the application has."""
    for found in pkgutil.walk_packages(palace_cli.tui.__path__, "palace_cli.tui."):
        module = importlib.import_module(found.name)
        for kind in vars(module).values():
            if isinstance(kind, type) and issubclass(kind, DOMNode) and kind.__module__ == found.name:
                yield from Binding.make_bindings(vars(kind).get("BINDINGS", ()))


def test_every_key_is_pressed_here() -> None:
    assert {(binding.id, binding.key) for binding in every_binding()} == set(WALKS) | set(PAGE_KEYS)


def test_every_key_says_what_it_does_and_has_a_name() -> None:
    assert [
        binding for binding in every_binding() if not (binding.id and binding.tooltip and binding.description)
    ] == []


def test_a_key_leads_to_one_place_on_a_screen() -> None:
    def keys(kind: type) -> list[str]:
        own = (vars(each).get("BINDINGS", ()) for each in kind.__mro__ if each.__module__.startswith("palace_cli."))
        return [binding.key for bindings in own for binding in Binding.make_bindings(bindings)]

    screens: tuple[type, ...] = (BrowseScreen, *(type(page.make()) for page in PAGES))
    taken = [key for kind in screens for key, times in Counter(keys(BrowseApp) + keys(kind)).items() if times > 1]
    assert taken == []


@pytest.fixture
def long(palace: Palace) -> Palace:
    """A palace with one long room, in which the second message is long."""
    body = "\n\n".join(f"Line {at}: the pump ran {'and ran ' * 20}" for at in range(150))
    texts = ["The first.", body, *(f"message {at}" for at in range(3, 44))]
    said = [{"role": "user", "content": text, "timestamp": "2026-05-01T10:00:00Z"} for text in texts]
    palace.file(said, id="long", title="A long talk", wing="Talks")
    with palace._opened.session() as session:
        session.connection.exec_driver_sql(f"UPDATE drawer SET closet_id = NULL WHERE user_id = {session.user_id}")
    palace.note("Something else.")
    return palace


@pytest.mark.parametrize("part", sorted({name.partition(".")[0] for name, _ in WALKS}))
def test_keys_do_what_they_say(part: str, long: Palace, make_app: Make) -> None:
    for (name, key), (before, check) in WALKS.items():
        if name.startswith(f"{part}."):
            walk(make_app(long, SECOND), _pressed(name, key, before, check))
            for place in long.forgotten.list():
                long.forgotten.restore(place.room)


def _pressed(name: str, key: str, before: tuple[str, ...], check: Check) -> Callable[[Walk], Awaitable[None]]:
    async def steps(person: Walk) -> None:
        await person.press(*before)
        await person.pilot.press(key)
        if name != "app.quit":
            await person.settle()
        assert check(person), f"{key} of {name}\n{person.screen}"

    return steps


def test_the_help_is_made_of_the_keys(filled: Palace, make_app: Make) -> None:
    async def steps(person: Walk) -> None:
        told = {binding.id for binding in bindings_of(person.app.screen)}
        assert {"tree.open", "reader.down", "browse.forget", "app.quit", "browse.more"} <= told
        await person.press("f1")
        person.sees("help")

    walk(make_app(filled), steps, size=(100, 60))


@pytest.mark.parametrize(("told", "light"), [("0;15", True), ("15;0", False), ("0;default;7", True), ("", False)])
def test_a_light_terminal_is_told_by_its_colours(told: str, light: bool) -> None:
    assert is_light({"COLORFGBG": told}) is light
    assert is_light({}) is False


def test_without_colours_nothing_is_coloured(
    filled: Palace, make_app: Callable[..., BrowseApp], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    async def steps(person: Walk) -> None:
        await person.press("home", "right", "right", "right", "right", "down")
        styles = (each.style for strip in person.app.screen._compositor.render_strips() for each in strip)
        told = [style for style in styles if style]
        assert any(style.bold or style.reverse for style in told)
        assert [colour for style in told for colour in (style.color, style.bgcolor) if colour] == []

    walk(make_app(filled), steps)
