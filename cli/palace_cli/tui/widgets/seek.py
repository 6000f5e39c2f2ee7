"""The search: box, what it was read as, filters, hits, why, and the calendar, one below the other."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from palace.records import Hit, Recollection, TimeAsked
from palace_cli.clock import shown
from palace_cli.render.visible import one_line
from palace_cli.tui.seeking.line import Line
from palace_cli.tui.widgets.bars import WhyBars
from palace_cli.tui.widgets.calendar import CalendarStrip
from palace_cli.tui.widgets.filters import FilterRow
from palace_cli.tui.widgets.hits import HitsList
from palace_cli.tui.widgets.search import SearchBox

SEARCHING = "searching …"
NOTHING_TYPED = "type what to remember; wing:, since:, role: and others narrow it"
NOTHING_FOUND = "nothing relevant found; ctrl+o shows what was kept back"
NOTHING_THERE = "nothing found"


class SeekPane(Vertical):
    """All of a search."""

    def __init__(self) -> None:
        super().__init__(id="seek")

    def compose(self) -> ComposeResult:
        """One below the other."""
        yield SearchBox()
        yield Static(Content(NOTHING_TYPED), id="seek-told", markup=False)
        yield FilterRow()
        yield HitsList()
        yield WhyBars()
        yield CalendarStrip()

    def tell(self, told: str, *, is_wrong: bool = False) -> None:
        """Say one line below the box."""
        line = self.query_one("#seek-told", Static)
        line.set_class(is_wrong, "wrong")
        line.update(Content(one_line(told)))

    def refuse(self, told: str) -> None:
        """Say why there is no answer; hits of another line would pass for one."""
        self._list(())
        self.tell(told, is_wrong=True)

    def begin(self, line: Line) -> None:
        """Show what a line asks for, before it is answered."""
        self.query_one(FilterRow).show(line.filters)
        if line.problem is not None:
            self.refuse(line.problem)
        elif line.words:
            self.tell(SEARCHING)
        else:
            self.show(None)

    def show(self, found: Recollection | None, *, is_all: bool = False) -> None:
        """Show what was found; None where nothing was sought. ``is_all`` where nothing was kept back."""
        hits = found.hits if found else ()
        self._list(hits)
        if found is None:
            self.tell(NOTHING_TYPED)
        elif not hits:
            self.tell(_and_read_as(NOTHING_THERE if is_all else NOTHING_FOUND, found))
        else:
            count = f"{len(hits)} hit{'s'[: len(hits) > 1]}"
            self.tell(_and_read_as(f"{count}, with what is below the floor" if is_all else count, found))

    def _list(self, hits: Sequence[Hit]) -> None:
        self.query_one(HitsList).show(hits)
        self.query_one(WhyBars).show(hits[0] if hits else None)


def _and_read_as(told: str, found: Recollection) -> str:
    """Add what the query was read as, where that is not plain from its words."""
    read = [
        *(f"{each.typed} → {each.read_as}" for each in found.corrections),
        *(f"@{name}" for name in found.names),
        *(_days(time) for time in found.times),
        *found.warnings,
    ]
    return " · ".join((told, *read))


def _days(time: TimeAsked) -> str:
    first, last = (f"{shown(each):%Y-%m-%d}" for each in (time.start, time.end - timedelta(microseconds=1)))
    return first if first == last else f"{first} – {last}"
