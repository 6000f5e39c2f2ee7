"""Every key of seeking: what is pressed before it, and what is so when it was pressed."""

from __future__ import annotations

from collections.abc import Callable

from palace_cli.tui.screens.choice import ChoiceScreen
from palace_cli.tui.widgets.calendar import CalendarStrip
from palace_cli.tui.widgets.hits import HitsList
from palace_cli.tui.widgets.search import SearchBox
from tests.tui.walking import Walk

Check = Callable[[Walk], object]
BOX, TYPED, TIMES = ("slash",), ("slash", *"pump"), ("f6",)
ALL, FILTER = (*TYPED, "ctrl+o", "down"), ("slash", "tab")
ROLE = ("slash", *"role", "colon", *"user", "tab", "right", "right", "right", "right")
JUMPED = (*TYPED, "down", "enter")


def has_focus(id: str) -> Check:
    return lambda person: person.app.focused is not None and person.app.focused.id == id


def shows(id: str) -> Check:
    return lambda person: person.app.screen.query_one("#left-switch").current == id  # type: ignore[attr-defined]


def at_hit(place: int) -> Check:
    return lambda person: person.app.screen.query_one(HitsList).highlighted == place


def typed(person: Walk) -> str:
    return person.app.screen.query_one(SearchBox).value


def strip(person: Walk) -> CalendarStrip:
    return person.app.screen.query_one(CalendarStrip)


def last(person: Walk) -> int:
    return len(strip(person).calendar.slots) - 1


def spans(slots: int) -> Check:
    return lambda person: strip(person).span[1] - strip(person).span[0] == slots - 1


def chooses(person: Walk) -> bool:
    return isinstance(person.app.screen, ChoiceScreen)


WALKS: dict[tuple[str, str], tuple[tuple[str, ...], Check]] = {
    ("search.hits", "down"): (TYPED, has_focus("hits")),
    ("search.leave", "escape"): (BOX, has_focus("tree")),
    ("hits.down", "j"): (ALL, at_hit(1)),
    ("hits.up", "k"): ((*ALL, "j"), at_hit(0)),
    ("hits.leave", "escape"): (ALL, has_focus("search")),
    ("filter.change", "enter"): (FILTER, chooses),
    ("filter.change", "space"): (FILTER, chooses),
    ("filter.clear", "backspace"): (ROLE, lambda person: not typed(person)),
    ("filter.clear", "delete"): (ROLE, lambda person: not typed(person)),
    ("filter.before", "left"): (FILTER, has_focus("filter-language")),
    ("filter.next", "right"): (FILTER, has_focus("filter-since")),
    ("choice.cancel", "escape"): ((*FILTER, "enter"), has_focus("filter-wing")),
    ("calendar.before", "left"): (TIMES, lambda person: strip(person).at == last(person) - 1),
    ("calendar.later", "right"): ((*TIMES, "left"), lambda person: strip(person).at == last(person)),
    ("calendar.first", "home"): (TIMES, lambda person: strip(person).at == 0),
    ("calendar.last", "end"): ((*TIMES, "home"), lambda person: strip(person).at == last(person) > 0),
    ("calendar.widen_before", "shift+left"): (TIMES, spans(2)),
    ("calendar.widen_later", "shift+right"): ((*TIMES, "home"), spans(2)),
    ("calendar.choose", "enter"): (TIMES, lambda person: "since:" in typed(person)),
    ("calendar.clear", "backspace"): ((*TIMES, "enter"), lambda person: not typed(person)),
    ("calendar.clear", "delete"): ((*TIMES, "enter"), lambda person: not typed(person)),
    ("seek.open", "slash"): ((), has_focus("search")),
    ("seek.open", "ctrl+f"): ((), has_focus("search")),
    ("seek.back", "left_square_bracket"): (JUMPED, shows("seek")),
    ("seek.back", "alt+left"): (JUMPED, shows("seek")),
    ("seek.forward", "right_square_bracket"): ((*JUMPED, "alt+left"), shows("tree")),
    ("seek.forward", "alt+right"): ((*JUMPED, "alt+left"), shows("tree")),
    ("seek.below", "ctrl+o"): (TYPED, lambda person: "below the floor" in person.screen),
    ("seek.times", "f6"): ((), has_focus("calendar")),
}
