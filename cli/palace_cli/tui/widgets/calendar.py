"""The calendar strip: how much was said when; a span of it becomes the filter of time."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from palace.records import Calendar, CalendarUnit
from palace_cli.terminal.styles import ASIDE
from palace_cli.tui.seeking.strip import axis_of, bars_of, told

EMPTY = Calendar(CalendarUnit.DAY, ())


class CalendarStrip(Static, can_focus=True):
    """A bar a day, week, month or year."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(key, action, label, id=f"calendar.{name}", tooltip=tooltip, show=False)
            for key, action, name, label, tooltip in (
                ("left", "go(-1)", "before", "Before", "Go to the time before."),
                ("right", "go(1)", "later", "Later", "Go to the time behind."),
                ("home", "go(-9999)", "first", "First", "Go to the first time."),
                ("end", "go(9999)", "last", "Last", "Go to the last time."),
                ("shift+left", "stretch(-1)", "widen_before", "Widen", "Stretch the span backwards."),
                ("shift+right", "stretch(1)", "widen_later", "Widen", "Stretch the span onwards."),
                ("enter", "choose", "choose", "Choose", "Seek in that time alone, and see it more finely."),
                ("backspace,delete", "clear", "clear", "All", "Seek at all times again."),
            )
        ),
    ]

    class SpanChosen(Message):
        """Only that time is to be sought; None for any."""

        def __init__(self, span: tuple[datetime, datetime] | None) -> None:
            super().__init__()
            self.span = span

    class Resized(Message):
        """There is room for more slots, or fewer."""

    def __init__(self) -> None:
        super().__init__(id="calendar", markup=False)
        self.calendar = EMPTY
        self.at = 0
        """The slot of the cursor."""
        self.other_end = 0
        """The other end of the span."""
        self._dragged = False

    def show(self, calendar: Calendar) -> None:
        """Show other counts; the cursor goes to the last slot."""
        self.calendar = calendar
        self.at = self.other_end = max(len(calendar.slots) - 1, 0)
        self._draw()

    @property
    def room(self) -> int:
        """How many slots fit."""
        return max(self.content_size.width, 1)

    def on_resize(self) -> None:
        """Ask for as many slots as fit."""
        self.post_message(self.Resized())

    def on_focus(self) -> None:
        """Show the cursor."""
        self._draw()

    def on_blur(self) -> None:
        """Hide it."""
        self._draw()

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Begin a span where the mouse is pressed."""
        event.stop()
        self.capture_mouse()
        self._dragged = True
        self.at = self.other_end = self._slot_at(event.x)
        self._draw()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Stretch it while the mouse is dragged."""
        if self._dragged:
            self.at = self._slot_at(event.x)
            self._draw()

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Choose it."""
        event.stop()
        self.release_mouse()
        if self._dragged:
            self._dragged = False
            self.action_choose()

    def action_go(self, by: int) -> None:
        """Move the cursor."""
        self.at = self.other_end = self._within(self.at + by)
        self._draw()

    def action_stretch(self, by: int) -> None:
        """Stretch the span to where the cursor goes."""
        self.at = self._within(self.at + by)
        self._draw()

    def action_choose(self) -> None:
        """Make the span the filter of time."""
        if self.calendar.slots:
            first, last = self.span
            self.post_message(self.SpanChosen((self.calendar.slots[first].start, self.calendar.slots[last].end)))

    def action_clear(self) -> None:
        """Take the filter of time out."""
        self.post_message(self.SpanChosen(None))

    @property
    def span(self) -> tuple[int, int]:
        """The first and the last slot that are chosen."""
        return min(self.at, self.other_end), max(self.at, self.other_end)

    def _slot_at(self, x: int) -> int:
        return self._within(x - self.content_region.x + self.region.x)

    def _within(self, slot: int) -> int:
        return min(max(slot, 0), max(len(self.calendar.slots) - 1, 0))

    def _draw(self) -> None:
        slots, (first, last) = self.calendar.slots, self.span
        if not slots:
            self.update(Content.styled("nothing was said then", ASIDE))
            return
        bars = Content(bars_of(slots)).stylize("$accent")
        if self.has_focus:
            bars = bars.stylize("reverse", first, last + 1)
        shown = told(self.calendar, first, last) if self.has_focus else told(self.calendar, 0, len(slots) - 1)
        lines = (bars, Content.styled(axis_of(self.calendar, self.room), ASIDE), Content.styled(shown, ASIDE))
        self.update(Content("\n").join(lines))
