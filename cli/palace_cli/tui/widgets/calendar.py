"""The calendar strip: how much was said when; a chosen span becomes the time filter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import log1p
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from palace.models import Calendar, CalendarSlot, CalendarUnit
from palace_cli.styles import ASIDE
from palace_cli.tui.keys import key

BARS = " ▁▂▃▄▅▆▇█"


def bars_of(slots: Sequence[CalendarSlot], high: int = 1) -> list[str]:
    """Draw a bar for each slot, some lines high; a slot with any drawer has at least a small bar."""
    most = max((slot.drawers for slot in slots), default=0)
    full = len(BARS) - 1
    eighths = [max(1, round(high * full * log1p(slot.drawers) / log1p(most))) if slot.drawers else 0 for slot in slots]
    return ["".join(BARS[min(max(each - full * line, 0), full)] for each in eighths) for line in reversed(range(high))]


def axis_of(calendar: Calendar, width: int, wide: int = 0) -> str:
    """Write the times of the first and last slot at the ends of the axis, ``wide`` columns or one a slot."""
    if not calendar.slots:
        return ""
    first, last = (label_of(calendar.unit, slot) for slot in (calendar.slots[0], calendar.slots[-1]))
    room = min(width, max(wide or len(calendar.slots), len(first)))
    if len(calendar.slots) == 1 or len(first) + len(last) + 1 > room:
        return first[:width]
    return first + last.rjust(room - len(first))


def label_of(unit: CalendarUnit, slot: CalendarSlot) -> str:
    """Return a slot's label: its first day, its month or its year."""
    return slot.start.strftime({CalendarUnit.MONTH: "%Y-%m", CalendarUnit.YEAR: "%Y"}.get(unit, "%Y-%m-%d"))


def count_of(calendar: Calendar, first: int, last: int) -> str:
    """Return when a span of slots is, both ends included, and how much was said in it."""
    slots = calendar.slots[first : last + 1]
    if not slots:
        return "nothing was said"
    names = list(dict.fromkeys(label_of(calendar.unit, slot) for slot in (slots[0], slots[-1])))
    of = "week of " if calendar.unit is CalendarUnit.WEEK else ""
    return f"{of}{' – '.join(names)}: {sum(slot.drawers for slot in slots):,} said"


EMPTY = Calendar(CalendarUnit.DAY, ())


class CalendarStrip(Static, can_focus=True):
    """Shows a bar for each day, week, month or year."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            key(keys, action, label, f"calendar.{name}", tooltip, show=name == "choose")
            for keys, action, name, label, tooltip in (
                ("left", "go(-1)", "before", "Before", "Go to the time before."),
                ("right", "go(1)", "later", "Later", "Go to the time behind."),
                ("home", "go(-9999)", "first", "First", "Go to the first time."),
                ("end", "go(9999)", "last", "Last", "Go to the last time."),
                ("shift+left", "stretch(-1)", "widen_before", "Widen", "Stretch the span backwards."),
                ("shift+right", "stretch(1)", "widen_later", "Widen", "Stretch the span onwards."),
                ("enter", "choose", "choose", "List", "List what was said in that time, and see it more finely."),
                ("backspace,delete", "clear", "clear", "All", "Seek at all times again."),
            )
        ),
    ]

    @dataclass
    class SpanChosen(Message):
        """A time was chosen for the search; None for any."""

        span: tuple[datetime, datetime] | None

    class Resized(Message):
        """The number of slots that fit has changed."""

    def __init__(self) -> None:
        super().__init__(id="calendar", markup=False)
        self.calendar = EMPTY
        self.at = 0
        """The slot of the cursor."""
        self.other_end = 0
        """The other end of the span."""

    def show(self, calendar: Calendar) -> None:
        """Show a calendar; the cursor goes to the last slot."""
        self.calendar = calendar
        self.at = self.other_end = max(len(calendar.slots) - 1, 0)
        self._draw()

    @property
    def room(self) -> int:
        return max(self.content_size.width, 1)

    def on_resize(self) -> None:
        self.post_message(self.Resized())

    def on_focus(self) -> None:
        self._draw()

    def on_blur(self) -> None:
        self._draw()

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self.at = self.other_end = self._within(event.x - self.content_region.x + self.region.x)
        self.action_choose()

    def action_go(self, by: int) -> None:
        self.at = self.other_end = self._within(self.at + by)
        self._draw()

    def action_stretch(self, by: int) -> None:
        self.at = self._within(self.at + by)
        self._draw()

    def action_choose(self) -> None:
        if self.calendar.slots:
            first, last = self.span
            self.post_message(self.SpanChosen((self.calendar.slots[first].start, self.calendar.slots[last].end)))

    def action_clear(self) -> None:
        self.post_message(self.SpanChosen(None))

    @property
    def span(self) -> tuple[int, int]:
        return min(self.at, self.other_end), max(self.at, self.other_end)

    def _within(self, slot: int) -> int:
        return min(max(slot, 0), max(len(self.calendar.slots) - 1, 0))

    def _draw(self) -> None:
        slots, (first, last) = self.calendar.slots, self.span
        if not slots:
            self.update(Content.styled("nothing was said then", ASIDE))
            return
        bars = Content(bars_of(slots)[0]).stylize("$primary")
        if self.has_focus:
            bars = bars.stylize("reverse", first, last + 1)
        first, last = (first, last) if self.has_focus else (0, len(slots) - 1)
        shown = count_of(self.calendar, first, last)
        lines = (bars, Content.styled(axis_of(self.calendar, self.room), ASIDE), Content.styled(shown, ASIDE))
        self.update(Content("\n").join(lines))
