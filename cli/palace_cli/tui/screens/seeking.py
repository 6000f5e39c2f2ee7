"""Seeking on the first screen: what is typed is recalled, hits lead to their places, and from there one comes back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, ClassVar

from textual.binding import BindingType
from textual.widgets import ContentSwitcher

from palace.cancellation import Cancellation
from palace.errors import Cancelled, PalaceError
from palace.models import Calendar, Hit, Recollection, Role
from palace_cli.tui.keys import key
from palace_cli.tui.places import DrawerChosen
from palace_cli.tui.query import Line, first_moment, last_moment, read_line, with_filter, with_filters, written_span
from palace_cli.tui.screens.dialogs import ChoiceScreen
from palace_cli.tui.screens.reading import SEEK, TREE, ReadingScreen
from palace_cli.tui.widgets.calendar import CalendarStrip
from palace_cli.tui.widgets.hits import HitsList, WhyBars
from palace_cli.tui.widgets.seek import Filter, SearchBox, SeekPane

MOST = 200
"""Places that are kept to come back to."""
MOST_WINGS = 500
"""Wings that one chooses from; others are typed."""
ROLES = (None, *(role.value for role in Role))
NOBODY_ANSWERS = "the database does not answer: sought again when it does"


@dataclass(frozen=True, slots=True)
class Visited:
    """A place in the palace, and what stood beside it."""

    left: str
    """What the left pane showed: "tree" or "seek"."""
    pointer: str | None
    """The drawer; None for none."""


@dataclass
class History:
    """The places that one jumped between, in order, and which of them one is at."""

    places: list[Visited] = field(default_factory=list)
    at: int = -1

    def jump(self, here: Visited, there: Visited) -> None:
        """Go from one place to another; what one had come back from is no more ahead."""
        del self.places[self.at + 1 :]
        for place in (here, there):
            if not self.places or self.places[-1] != place:
                self.places.append(place)
        del self.places[:-MOST]
        self.at = len(self.places) - 1

    def back(self, here: Visited) -> Visited | None:
        """Return the place one came from; None at the first."""
        return self._step(here, -1)

    def forward(self, here: Visited) -> Visited | None:
        """Return the place one came back from; None at the last."""
        return self._step(here, 1)

    def _step(self, here: Visited, by: int) -> Visited | None:
        if not 0 <= self.at + by < len(self.places):
            return None
        # One may have walked on from where one arrived; there one comes back to.
        self.places[self.at] = here
        self.at += by
        return self.places[self.at]


class SeekingScreen(ReadingScreen):
    """A screen with a ``SeekPane`` in the place of the tree while one seeks; it keeps where one was."""

    BINDINGS: ClassVar[list[BindingType]] = [
        key("slash,ctrl+f", "seek", "Search", "seek.open", "Search the palace.", show=True),
        key("ctrl+o", "below", "Kept back", "seek.below", "Show what is kept back as not relevant."),
        key("f6", "times", "Times", "seek.times", "Go to the calendar."),
        key("left_square_bracket,alt+left", "go_back", "Back", "seek.back", "Go back to where you were."),
        key(
            "right_square_bracket,alt+right",
            "go_forward",
            "Forward",
            "seek.forward",
            "Go again to where you came back from.",
        ),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.past = History()
        self.line = Line("")
        """What is sought: words, and filters among them."""
        self.answered: str | None = None
        """For which words hits stand on the screen."""
        self.answered_at = 0.0
        """Since when, on the clock of ``perf_counter``."""
        self._counted: tuple[object, ...] | None = None
        self._under_way = Cancellation()
        self._is_prepared = False

    @property
    def hit(self) -> Hit | None:
        """The hit that the cursor is on, while one is among the hits."""
        hits = self.query_one(HitsList)
        return hits.hit if hits.has_focus else None

    @property
    def seeking(self) -> SeekPane:
        return self.query_one(SeekPane)

    @property
    def here(self) -> Visited:
        shown = self.query_one("#left-switch", ContentSwitcher).current
        return Visited(SEEK if shown == SEEK else TREE, self.shown_pointer)

    def action_seek(self) -> None:
        if not self.source.is_open:
            return
        self.workers.cancel_group(self, "jump")
        self.show_left(SEEK)
        self.query_one(SearchBox).focus()
        self.count_times()
        if not self._is_prepared:
            # What the first recall needs is loaded, so that it is as quick as the others.
            self._is_prepared = True
            warm_up = lambda: self.palace.recall("memory palace", top_k=1, rerank=False)  # noqa: E731
            self.ask(warm_up, lambda _: None, group="prepare", failed=lambda _: None)

    def action_times(self) -> None:
        self.action_seek()
        if self.query_one(CalendarStrip).display:
            self.query_one(CalendarStrip).focus()

    def on_search_box_begun(self) -> None:
        self._under_way.cancel()

    def on_search_box_typed(self, message: SearchBox.Typed) -> None:
        self._under_way.cancel()
        self.line = read_line(message.text)
        self.seeking.begin(self.line)
        self.count_times()
        if self.line.words and self.line.problem is None:
            self._recall()
        else:
            self.workers.cancel_group(self, "recall")

    def action_below(self) -> None:
        """Seek again, and keep nothing back."""
        if self.line.words and self.line.problem is None:
            self.seeking.begin(self.line)
            self._under_way.cancel()
            self._recall(floor="none")

    def _recall(self, floor: str | None = None) -> None:
        cancel = self._under_way = self.source.leaving.cancellation()
        line = self.line
        filters = {name: line.filters.get(name) for name in ("wing", "role", "speaker", "language")}

        def recall() -> Recollection:
            since, until = first_moment(line.filters.get("since")), last_moment(line.filters.get("until"))
            how: dict[str, Any] = {**filters, "since": since, "until": until, "floor": floor}
            return self.palace.recall(line.words, rerank=False, cancel=cancel, **how)

        def show(found: Recollection) -> None:
            self.seeking.show(found, is_all=floor is not None)
            self.call_after_refresh(self._drawn, line)

        def failed(problem: PalaceError) -> None:
            # Who cancelled it types on.
            if not isinstance(problem, Cancelled):
                self.seeking.refuse(str(problem))

        self.ask(recall, show, group="recall", failed=failed)

    def _drawn(self, line: Line) -> None:
        self.answered, self.answered_at = line.words, perf_counter()

    def database_gone(self, problem: PalaceError, group: str, again: Callable[[], Any]) -> None:
        """Say on the banner that no database answers; what is typed meanwhile is sought when it is back."""
        super().database_gone(problem, group, again)
        if self.line.words:
            self.seeking.refuse(NOBODY_ANSWERS)

    def action_to_hits(self) -> None:
        hits = self.query_one(HitsList)
        if hits.hits:
            hits.focus()

    def action_leave_search(self) -> None:
        self._under_way.cancel()
        self.action_back()

    def action_to_box(self) -> None:
        self.query_one(SearchBox).focus()

    def on_hits_list_seen(self, message: HitsList.Seen) -> None:
        """Show why a hit was found, and the hit itself where somebody goes through them."""
        self.query_one(WhyBars).show(message.hit)
        if self.query_one(HitsList).has_focus:
            self.post_message(DrawerChosen(str(message.hit.drawer.pointer), enters=False))

    def on_hits_list_chosen(self, message: HitsList.Chosen) -> None:
        """Go to the hit's place in its conversation; the way back is kept."""
        pointer = str(message.hit.drawer.pointer)
        there = Visited(TREE, pointer)
        self.past.jump(Visited(SEEK, pointer), there)
        self._visit(there)

    def action_go_back(self) -> None:
        self._visit(self.past.back(self.here))

    def action_go_forward(self) -> None:
        self._visit(self.past.forward(self.here))

    def _visit(self, place: Visited | None) -> None:
        if place is None:
            return
        self.show_left(place.left)
        if place.pointer is not None:
            self.show_drawer(place.pointer)
        if place.left == TREE:
            self.query_one(f"#{TREE}").focus()
            if place.pointer is not None:
                self.jump(place.pointer)
        else:
            self.workers.cancel_group(self, "jump")
            self.query_one(HitsList).focus()
            self.query_one(HitsList).go_to(place.pointer)

    def count_times(self) -> None:
        """Count when things were said, where anything that decides it has changed."""
        strip, filters = self.query_one(CalendarStrip), self.line.filters
        wing, since, until = (filters.get(name) for name in ("wing", "since", "until"))
        wanted = (strip.room, wing, since, until)
        if not strip.display or self.line.problem is not None or wanted == self._counted:
            return
        self._counted = wanted

        def count() -> Calendar:
            times = {"since": first_moment(since), "until": last_moment(until)}
            return self.palace.tree.calendar(slots=strip.room, wing=wing, **times)

        self.ask(count, strip.show, group="calendar", failed=lambda _: None)

    def on_calendar_strip_resized(self) -> None:
        if self._counted is not None:
            self.count_times()

    def on_calendar_strip_span_chosen(self, message: CalendarStrip.SpanChosen) -> None:
        """Write the span into the line, or take the times out."""
        since, until = written_span(*message.span) if message.span else (None, None)
        box = self.query_one(SearchBox)
        box.write(with_filters(box.value, {"since": since, "until": until}))

    def on_filter_cleared(self, message: Filter.Cleared) -> None:
        self._set_filter(message.name, None)

    def on_filter_asked(self, message: Filter.Asked) -> None:
        """Have a filter changed: by choosing, in the calendar, or in the box."""
        box = self.query_one(SearchBox)
        if message.name == "role":
            at = self.line.filters.get("role")
            self._set_filter("role", ROLES[(ROLES.index(at) + 1) % len(ROLES)] if at in ROLES else None)
        elif message.name == "wing":
            wings = lambda: [wing.name for wing in self.palace.tree.wings(limit=MOST_WINGS)]  # noqa: E731
            self.ask(wings, self._choose_wing, group="wings")
        elif message.name in {"since", "until"} and self.query_one(CalendarStrip).display:
            self.query_one(CalendarStrip).focus()
        else:
            box.write(f"{with_filter(box.value, message.name, None)} {message.name}:".lstrip(), at_once=False)
            box.focus()

    def _choose_wing(self, wings: list[str]) -> None:
        def chosen(wing: str | None) -> None:
            if wing is not None:
                self._set_filter("wing", wing)

        self.app.push_screen(ChoiceScreen("Which wing?", wings), chosen)

    def _set_filter(self, name: str, value: str | None) -> None:
        box = self.query_one(SearchBox)
        box.write(with_filter(box.value, name, value))
