"""The overview: what the palace contains, from when, and what is coming up, open and recent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import OptionList, Static

from palace.models import Calendar, Drawer, PalaceStatus, Recent, RecentItem
from palace_cli.render.hits import moment_of, sentence_of
from palace_cli.styles import ASIDE
from palace_cli.tui.places import DrawerChosen
from palace_cli.tui.widgets.calendar import axis_of, bars_of
from palace_cli.tui.widgets.rows import Row, Rows, line, lines

ACCENT = "bold $primary"
MOST = 12
"""Sentences of each kind that are loaded; those that fit are shown."""
NUMBER = 13
"""Columns of a number with its noun."""
HIGH = 30
"""The height of the pane from which on the calendar's bars are four lines high."""


@dataclass(frozen=True, slots=True)
class Overview:
    """The data of the overview."""

    status: PalaceStatus
    calendar: Calendar
    recent: Recent
    now: datetime


class OverviewPane(Vertical):
    """The whole palace on one page. Choosing a sentence goes to its drawer (``DrawerChosen``)."""

    def __init__(self) -> None:
        super().__init__(id="overview", classes="panel")
        self.border_title = "Overview"
        self._overview: Overview | None = None
        self._drawers: dict[str, Drawer] = {}

    def compose(self) -> ComposeResult:
        yield Static(id="overview-numbers", markup=False)
        yield Static(id="overview-calendar", markup=False)
        yield Rows(id="overview-rows")

    @property
    def rows(self) -> Rows:
        return self.query_one(Rows)

    @property
    def chosen(self) -> Drawer | None:
        """The drawer of the sentence under the cursor."""
        return self._drawers.get(self.rows.chosen or "")

    @property
    def slots(self) -> int:
        """How many slots of a calendar fit."""
        return max(self.content_size.width - 1, 1)

    def show(self, overview: Overview) -> None:
        self._overview = overview
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    def _draw(self) -> None:
        overview, size = self._overview, self.content_size
        if overview is None or not size.width:
            return
        numbers = numbers_of(overview, size.width)
        bars = 4 if size.height >= HIGH else 1
        self.query_one("#overview-numbers", Static).update(numbers)
        self.query_one("#overview-calendar", Static).update(_calendar(overview.calendar, self.slots, bars))
        left = size.height - numbers.plain.count("\n") - bars - 5
        self._drawers, rows = {}, list[Row]()
        for name, items in _shared_out(sections_of(overview.recent), left):
            rows.append((None, lines(*[Content("")][: len(rows)], line(name, ACCENT))))
            when = [moment_of(item, overview.now) for item in items]
            for at, item in enumerate(items):
                row = f"{name} {at}"
                self._drawers[row] = item.drawer
                begin = f"  {when[at]:<{max(map(len, when))}}  "
                rows.append((row, Content.assemble((begin, ASIDE), Content.from_rich_text(sentence_of(item)))))
            if not items:
                rows.append((None, line(f"  {NOTHING[name]}", ASIDE)))
        self.rows.fill(rows)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if self.chosen is not None:
            self.post_message(DrawerChosen(str(self.chosen.pointer), jumps=True))


LATELY, OPEN, COMING = "Lately", "Open", "Coming up"
NOTHING = {
    LATELY: "nothing new",
    OPEN: "nothing open",
    COMING: "nothing ahead",
}


def sections_of(recent: Recent) -> dict[str, Sequence[RecentItem]]:
    """Return the sentences of each heading, the most urgent or latest first."""
    lately = sorted(recent.told, key=lambda item: item.at, reverse=True)
    return {COMING: recent.coming, OPEN: recent.open, LATELY: lately}


def _shared_out(sections: dict[str, Sequence[RecentItem]], lines: int) -> Iterator[tuple[str, Sequence[RecentItem]]]:
    """Yield the part of each section that fits; lines that one leaves free go to the next ones."""
    left = max(lines - 2 * len(sections) + 1, 0)
    for behind, (name, items) in zip(range(len(sections), 0, -1), sections.items(), strict=True):
        shown = items[: max(left // behind, 1)]
        left -= max(len(shown), 1)
        yield name, shown


def numbers_of(overview: Overview, width: int) -> Content:
    """Draw the counts in columns."""
    status = overview.status
    counts = (
        (status.wings, "wing"),
        (status.rooms, "room"),
        (status.drawers, "drawer"),
        (status.people, "person"),
        (max(status.entities - status.people, 0), "thing"),
        (status.relations, "relation"),
    )
    columns = next(columns for columns in (6, 3, 2) if width >= columns * NUMBER or columns == 2)
    cells = [_number(number, noun, width // columns) for number, noun in counts]
    return Content("\n").join(Content("").join(cells[at : at + columns]) for at in range(0, len(cells), columns))


def _number(number: int, noun: str, width: int) -> Content:
    plural = {"person": "people"}.get(noun, f"{noun}s")
    name = noun if number == 1 else plural
    return Content.assemble((f"{number:,}", ACCENT), (f" {name}".ljust(width - len(f"{number:,}")), ASIDE))


def stretched(bar: str, width: int) -> str:
    """Stretch a line of bars to a width."""
    return "".join(bar[column * len(bar) // width] for column in range(width)) if bar else ""


def _calendar(calendar: Calendar, width: int, high: int) -> Content:
    slots = calendar.slots
    bars = (Content.styled(stretched(bar, width), "$primary") for bar in bars_of(slots, high))
    unit = Content.styled(f"a bar a {calendar.unit}", ASIDE)
    return Content("\n").join(
        (*bars, Content.styled(axis_of(calendar, width, width), ASIDE), *([unit] if high > 1 else ()))
    )
