"""What is sought narrowed: by filters in a line, and by a calendar of when things were said."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType

from palace.records import Role
from palace_cli.tui.screens.choice import ChoiceScreen
from palace_cli.tui.screens.retracing import RetracingScreen
from palace_cli.tui.seeking.line import Line, with_filter, with_filters
from palace_cli.tui.seeking.times import written_span
from palace_cli.tui.widgets.calendar import CalendarStrip
from palace_cli.tui.widgets.filters import Filter
from palace_cli.tui.widgets.search import SearchBox

ROLES = (None, *(role.value for role in Role))


class FilteringScreen(RetracingScreen):
    """A screen with a line that is sought, whose filters stand in it as words."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f6", "times", "Times", id="seek.times", tooltip="Go to the calendar.", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.line = Line("")
        """What is sought."""
        self._counted: tuple[object, ...] | None = None

    def action_seek(self) -> None:
        """Go to the box."""
        raise NotImplementedError

    def action_times(self) -> None:
        """Go to the calendar."""
        self.action_seek()
        if self.query_one(CalendarStrip).display:
            self.query_one(CalendarStrip).focus()

    def count_times(self) -> None:
        """Count when things were said, where anything that decides it has changed."""
        strip, line = self.query_one(CalendarStrip), self.line
        wanted = (strip.room, *(line.filters.get(name) for name in ("wing", "since", "until")))
        if not strip.display or line.problem is not None or wanted == self._counted:
            return
        self._counted = wanted
        self.ask(
            lambda: self.source.seek.calendar(line, strip.room), strip.show, group="calendar", failed=lambda _: None
        )

    def on_calendar_strip_resized(self) -> None:
        """Count for another width."""
        if self._counted is not None:
            self.count_times()

    def on_calendar_strip_span_chosen(self, message: CalendarStrip.SpanChosen) -> None:
        """Write the span into the line, or take the times out."""
        since, until = written_span(*message.span) if message.span else (None, None)
        box = self.query_one(SearchBox)
        box.write(with_filters(box.value, {"since": since, "until": until}))

    def on_filter_cleared(self, message: Filter.Cleared) -> None:
        """Take a filter out of the line."""
        self._set_filter(message.name, None)

    def on_filter_asked(self, message: Filter.Asked) -> None:
        """Have a filter changed: by choosing, in the calendar, or in the box."""
        box = self.query_one(SearchBox)
        if message.name == "role":
            at = self.line.filters.get("role")
            self._set_filter("role", ROLES[(ROLES.index(at) + 1) % len(ROLES)] if at in ROLES else None)
        elif message.name == "wing":
            self.ask(self.source.seek.wings, self._choose_wing, group="wings")
        elif message.name in {"since", "until"} and self.query_one(CalendarStrip).display:
            self.query_one(CalendarStrip).focus()
        else:
            box.write(f"{with_filter(box.value, message.name, None)} {message.name}:".lstrip(), at_once=False)
            box.focus()

    def _choose_wing(self, wings: tuple[str, ...]) -> None:
        def chosen(wing: str | None) -> None:
            if wing is not None:
                self._set_filter("wing", wing)

        self.app.push_screen(ChoiceScreen("Which wing?", wings), chosen)

    def _set_filter(self, name: str, value: str | None) -> None:
        box = self.query_one(SearchBox)
        box.write(with_filter(box.value, name, value))
