"""The keys of the screens beside the first: what is pressed before each, and what is so when it was pressed."""

from __future__ import annotations

from collections.abc import Callable

from textual.screen import Screen

from palace_cli.tui.screens.browse import BrowseScreen
from palace_cli.tui.screens.entity import EntityScreen
from palace_cli.tui.screens.jobs import JobsScreen
from palace_cli.tui.screens.review import ReviewScreen
from palace_cli.tui.screens.settings import SettingsScreen
from palace_cli.tui.source.pages.review import Section
from tests.tui.walking import Walk

Check = Callable[[Walk], object]


def _is_on(kind: type[Screen[None]]) -> Check:
    return lambda person: isinstance(person.app.screen, kind)


def _focuses(id: str) -> Check:
    return lambda person: person.app.focused is not None and person.app.focused.id == id


def _shows(text: str) -> Check:
    return lambda person: text in person.screen


def _tells(text: str) -> Check:
    return lambda person: text in person.told


def _lists(section: Section) -> Check:
    return lambda person: isinstance(person.app.screen, ReviewScreen) and person.app.screen.section is section


MYSELF = ("E", "slash", "I", "enter", "enter")
PAGE_KEYS: dict[tuple[str, str], tuple[tuple[str, ...], Check]] = {
    ("page.entities", "E"): ((), _is_on(EntityScreen)),
    ("page.entities", "f2"): ((), _is_on(EntityScreen)),
    ("page.review", "R"): ((), _is_on(ReviewScreen)),
    ("page.review", "f3"): ((), _is_on(ReviewScreen)),
    ("page.jobs", "J"): ((), _is_on(JobsScreen)),
    ("page.jobs", "f4"): ((), _is_on(JobsScreen)),
    ("page.settings", "S"): ((), _is_on(SettingsScreen)),
    ("page.settings", "f5"): ((), _is_on(SettingsScreen)),
    ("page.back", "escape"): (("J",), _is_on(BrowseScreen)),
    ("page.retry", "ctrl+r"): (("J",), _is_on(JobsScreen)),
    ("entity.filter", "slash"): (("E",), _focuses("entity-filter")),
    ("entity.timeline", "t"): (("E", "n"), _focuses("timeline-rows")),
    ("entity.neighbours", "n"): (("E",), _focuses("neighbours")),
    ("entity.map", "m"): (("E",), _focuses("map")),
    ("entity.before", "b"): ((*MYSELF, "n", "down", "enter"), _shows("I (person)")),
    ("timeline.next", "right"): (MYSELF, _shows("said in § W-001/R-01/D-001")),
    ("timeline.before", "left"): (MYSELF, _shows("said in § W-001/R-01/D-001")),
    ("timeline.ended", "w"): (MYSELF, _is_on(BrowseScreen)),
    ("review.seen", "space"): (("R",), _tells("1 seen")),
    ("review.all", "a"): (("R",), _shows("f filed 0")),
    ("review.undo", "u"): (("R", "space"), _tells("1 mark taken back")),
    ("review.merge", "m"): (("R", "d"), _tells("they are one")),
    ("review.keep", "k"): (("R", "d"), _tells("they are two")),
    ("review.retry", "r"): (("R", "l"), _tells("is tried again")),
    ("review.cancel", "x"): (("R", "l"), _tells("is taken out")),
    ("review.run", "z"): (("R",), _tells("z again does it")),
    ("review.f", "f"): (("R", "d"), _lists(Section.FILED)),
    ("review.d", "d"): (("R",), _lists(Section.DOUBTFUL)),
    ("review.s", "s"): (("R",), _lists(Section.REDACTED)),
    ("review.l", "l"): (("R",), _lists(Section.FAILED)),
    ("review.c", "c"): (("R",), _lists(Section.CHANGED)),
    ("jobs.retry", "r"): (("J",), _tells("waits for its turn")),
    ("jobs.cancel", "x"): (("J",), _tells("is taken out")),
    ("jobs.enqueue", "n"): (("J",), _tells("waiting")),
    ("jobs.group", "g"): (("J",), _shows("by day")),
    ("settings.reset", "r"): (("S",), _tells("(default)")),
    ("settings.agent", "a"): (("S",), _focuses("settings-input")),
    ("settings.next", "n"): (("S",), _shows("for coder")),
}
