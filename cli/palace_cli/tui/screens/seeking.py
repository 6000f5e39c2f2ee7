"""Search on the first screen: recall what is typed, go from hits to their places, and back."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any, ClassVar

from textual.binding import BindingType

from palace.cancellation import Cancellation
from palace.errors import Cancelled, PalaceError
from palace.models import Calendar, Hit, Recollection
from palace_cli.tui.keys import key
from palace_cli.tui.places import DrawerChosen
from palace_cli.tui.query import Line, any_time, first_moment, last_moment, read_line, with_times, written_span
from palace_cli.tui.screens.reading import SEEK, ReadingScreen
from palace_cli.tui.widgets.calendar import CalendarStrip
from palace_cli.tui.widgets.hits import HitsList, WhyBars
from palace_cli.tui.widgets.seek import SearchBox, SeekPane

MOST_OF_A_TIME = 50
"""Hits that are listed at most for a time without words."""
NOBODY_ANSWERS = "the database does not answer: sought again when it does"


class SeekingScreen(ReadingScreen):
    """A screen with a ``SeekPane`` instead of the tree during a search; the tree keeps its cursor."""

    BINDINGS: ClassVar[list[BindingType]] = [
        key("slash,ctrl+f", "seek", "Find", "seek.open", "Find what was said.", show=True),
        key("t,f6", "times", "When", "seek.times", "Go to the calendar: what was said when.", show=True),
        key("ctrl+o", "below", "Kept back", "seek.below", "Show what is kept back as not relevant."),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.came_from: str | None = None
        """The hit that led to the tree's cursor."""
        self.line = Line("")
        """The query line: words and filters."""
        self.answered: str | None = None
        """The words whose hits are on the screen."""
        self.answered_at = 0.0
        """Since when they are, by ``perf_counter``."""
        self._counted: tuple[object, ...] | None = None
        self._floor: str | None = None
        """The relevance below which hits are left out, instead of the setting."""
        self._under_way = Cancellation()
        self._is_prepared = False

    @property
    def hit(self) -> Hit | None:
        """The hit under the cursor, while the hits have the focus."""
        hits = self.query_one(HitsList)
        return hits.hit if hits.has_focus else None

    @property
    def seeking(self) -> SeekPane:
        return self.query_one(SeekPane)

    def action_seek(self) -> None:
        if not self.source.is_open:
            return
        self.workers.cancel_group(self, "jump")
        self.came_from = None
        self.remove_class("-dated")
        self.show_left(SEEK)
        self.query_one(SearchBox).focus()
        self.count_times()
        if not self._is_prepared:
            # A first recall loads what it needs, so that the person's is quick.
            self._is_prepared = True
            warm_up = lambda: self.palace.recall("memory palace", top_k=1, rerank=False)  # noqa: E731
            self.ask(warm_up, lambda _: None, group="prepare", failed=lambda _: None)

    def action_times(self) -> None:
        if not self.source.is_open:
            return
        self.action_seek()
        self.add_class("-dated")
        self.call_after_refresh(self._to_calendar)

    def _to_calendar(self) -> None:
        if self.query_one(CalendarStrip).display:
            self.query_one(CalendarStrip).focus()
            self.count_times()
            self.seeking.say("← and → choose a time, Enter lists what was said in it")

    def on_search_box_begun(self) -> None:
        self._under_way.cancel()

    def on_search_box_typed(self, message: SearchBox.Typed) -> None:
        self._under_way.cancel()
        self.line, self._floor = read_line(message.text), None
        self.seeking.begin(self.line)
        self.count_times()
        self._seek()

    def _seek(self) -> None:
        if self.is_sought and self.line.problem is None:
            self._recall()
        else:
            self.workers.cancel_group(self, "recall")

    @property
    def is_sought(self) -> bool:
        """Whether there is something to search: words, or a time, of which everything is listed."""
        return bool(self.line.words) or not self.line.filters.keys().isdisjoint(("since", "until"))

    def changed(self) -> None:
        """Show the palace as it is now, and search again: a hit may be gone."""
        super().changed()
        if self.has_class("-seeking"):
            self._seek()

    def action_below(self) -> None:
        """Search again without a floor of relevance."""
        if self.is_sought and self.line.problem is None:
            self.seeking.begin(self.line)
            self._under_way.cancel()
            self._floor = "none"
            self._recall()

    def _recall(self) -> None:
        cancel = self._under_way = self.source.leaving.cancellation()
        line, floor = self.line, self._floor
        filters = {name: line.filters.get(name) for name in ("wing", "role", "speaker", "language")}

        def recall() -> Recollection:
            since, until = first_moment(line.filters.get("since")), last_moment(line.filters.get("until"))
            how: dict[str, Any] = {**filters, "since": since, "until": until, "floor": floor}
            if not line.words:
                how |= {"floor": "none", "order": "time", "top_k": MOST_OF_A_TIME}
            return self.palace.recall(line.words or any_time(since, until), rerank=False, cancel=cancel, **how)

        def show(found: Recollection) -> None:
            self.seeking.show(found, is_all=floor is not None)
            self.call_after_refresh(self._drawn, line)

        def failed(problem: PalaceError) -> None:
            # A search is cancelled when the person types on.
            if not isinstance(problem, Cancelled):
                self.seeking.refuse(str(problem))

        self.ask(recall, show, group="recall", failed=failed)

    def _drawn(self, line: Line) -> None:
        self.answered, self.answered_at = line.words, perf_counter()

    def database_gone(self, problem: PalaceError, group: str, again: Callable[[], Any]) -> None:
        """Raise the banner; the query is searched when the database is back."""
        super().database_gone(problem, group, again)
        if self.is_sought:
            self.seeking.refuse(NOBODY_ANSWERS)

    def action_to_list(self) -> None:
        hits = self.query_one(HitsList)
        if hits.hits:
            hits.focus()

    def action_back(self) -> None:
        self._under_way.cancel()
        super().action_back()

    def action_to_box(self) -> None:
        self.query_one(SearchBox).focus()

    def on_hits_list_seen(self, message: HitsList.Seen) -> None:
        """Show a hit, and why it was found."""
        self.query_one(WhyBars).show(message.hit)
        self.post_message(DrawerChosen(str(message.hit.drawer.pointer), enters=False))

    def on_hits_list_chosen(self, message: HitsList.Chosen) -> None:
        """Go to the hit's place in the tree; Esc comes back from there."""
        pointer = str(message.hit.drawer.pointer)
        self.show_drawer(pointer)
        self.jump(pointer, enters=True)
        self.came_from = pointer

    def back_to_hits(self) -> bool:
        """Go back to the hit that led to the tree; return False if none did."""
        pointer, self.came_from = self.came_from, None
        if pointer is None:
            return False
        self.workers.cancel_group(self, "jump")
        self.show_left(SEEK)
        self.query_one(HitsList).focus()
        self.query_one(HitsList).go_to(pointer)
        return True

    def count_times(self) -> None:
        """Load the calendar again, if the filters or the width have changed."""
        strip, filters = self.query_one(CalendarStrip), self.line.filters
        wing, since, until = (filters.get(name) for name in ("wing", "since", "until"))
        room = strip.room
        wanted = (room, wing, since, until)
        if not strip.display or self.line.problem is not None or wanted == self._counted:
            return
        self._counted = wanted

        def count() -> Calendar:
            times = {"since": first_moment(since), "until": last_moment(until)}
            return self.palace.tree.calendar(slots=room, wing=wing, **times)

        self.ask(count, strip.show, group="calendar", failed=lambda _: None)

    def on_calendar_strip_resized(self) -> None:
        if self._counted is not None:
            self.count_times()

    def on_calendar_strip_span_chosen(self, message: CalendarStrip.SpanChosen) -> None:
        """Write a span into the query line, or remove its times."""
        since, until = written_span(*message.span) if message.span else (None, None)
        box = self.query_one(SearchBox)
        box.write(with_times(box.value, since, until))
