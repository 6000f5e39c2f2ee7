"""The search: the query line, its status, hits, their signals, and the calendar, one below the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Input, Static

from palace.models import Hit, Recollection, TimeAsked
from palace_cli.clock import shown
from palace_cli.render.visible import one_line, visible
from palace_cli.tui.keys import key
from palace_cli.tui.query import Line
from palace_cli.tui.widgets.calendar import CalendarStrip
from palace_cli.tui.widgets.hits import HitsList, WhyBars

REST_SECONDS = 0.06
"""How long typing rests before the query is searched."""


class SearchBox(Input):
    """The query line."""

    BINDINGS: ClassVar[list[BindingType]] = [
        key("down", "screen.to_list", "List", "search.list", "Go from the box to the list.", show=True),
        key("escape", "screen.back", "Back", "search.leave", "Leave the search.", show=True),
    ]

    @dataclass
    class Typed(Message):
        """The query is to be searched."""

        text: str

    class Begun(Message):
        """The person types: the running search is out of date."""

    def __init__(self, placeholder: str = "type what to find") -> None:
        super().__init__(placeholder=placeholder, compact=True, id="search")
        self._resting: Timer | None = None
        self._sought: str | None = None

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        if visible(event.value) != event.value:
            # Pasted control characters would act on the terminal.
            self.value = visible(event.value)
            return
        if event.value == self._sought:
            return
        self.post_message(self.Begun())
        self._stop()
        self._resting = self.set_timer(REST_SECONDS, self._seek)

    async def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if self._resting is not None:
            self._seek()
        await self.run_action("screen.to_list")

    def write(self, text: str) -> None:
        """Replace the query, as the calendar does; the cursor goes to its end."""
        self._stop()
        self._sought = text
        self.post_message(self.Typed(text))
        self.value = text
        self.cursor_position = len(text)

    def _seek(self) -> None:
        self._stop()
        self._sought = self.value
        self.post_message(self.Typed(self.value))

    def _stop(self) -> None:
        if self._resting is not None:
            self._resting.stop()
            self._resting = None


SEARCHING = "searching …"
NOTHING_TYPED = "wing:, since:, role: and others narrow it"
NOTHING_FOUND = "nothing here seems to answer this; ctrl+o shows the nearest"
NOTHING_THERE = "nothing found"


class SeekPane(Vertical):
    """Everything of a search."""

    def __init__(self) -> None:
        super().__init__(id="seek")

    def compose(self) -> ComposeResult:
        yield SearchBox()
        yield Static(Content(NOTHING_TYPED), id="seek-told", markup=False)
        yield HitsList()
        yield WhyBars()
        yield CalendarStrip()

    def say(self, text: str, *, is_wrong: bool = False) -> None:
        line = self.query_one("#seek-told", Static)
        line.set_class(is_wrong, "wrong")
        line.update(Content(one_line(text)))

    def refuse(self, problem: str) -> None:
        """Show why there is no answer, and no hits, which would look like one."""
        self._list(())
        self.say(problem, is_wrong=True)

    def begin(self, line: Line) -> None:
        """Show that a query is being searched."""
        self.set_class(not line.words, "-all")
        if line.problem is not None:
            self.refuse(line.problem)
        elif line.words:
            self.say(SEARCHING)
        else:
            self.show(None)

    def show(self, found: Recollection | None, *, is_all: bool = False) -> None:
        """Show hits, or None without a query; ``is_all`` if there was no floor of relevance."""
        hits = found.hits if found else ()
        self._list(hits)
        if found is None:
            self.say(NOTHING_TYPED)
        elif not hits:
            self.say(_and_read_as(NOTHING_THERE if is_all or self.has_class("-all") else NOTHING_FOUND, found))
        else:
            count = f"{len(hits)} hit{'s'[: len(hits) > 1]}"
            self.say(_and_read_as(f"{count}, with what is below the floor" if is_all else count, found))

    def _list(self, hits: Sequence[Hit]) -> None:
        self.query_one(HitsList).show(hits)
        self.query_one(WhyBars).show(hits[0] if hits else None)


def _and_read_as(text: str, found: Recollection) -> str:
    """Append how the query was understood: corrections, names, times and warnings."""
    read = [
        *(f"{each.typed} → {each.read_as}" for each in found.corrections),
        *(f"@{name}" for name in found.names),
        *(_days(time) for time in found.times),
        *found.warnings,
    ]
    return " · ".join((text, *read))


def _days(time: TimeAsked) -> str:
    first, last = (f"{shown(each):%Y-%m-%d}" for each in (time.start, time.end - timedelta(microseconds=1)))
    return first if first == last else f"{first} – {last}"
