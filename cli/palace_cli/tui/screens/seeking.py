"""Seeking on the first screen: what is typed is recalled, hits lead to their places, and from there one comes back."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any, ClassVar

from textual.binding import Binding, BindingType
from textual.widgets import ContentSwitcher

from palace.cancellation import Cancellation
from palace.errors import Cancelled, PalaceError
from palace.records import Hit, Recollection, Role
from palace_cli.tui.messages import DrawerChosen
from palace_cli.tui.screens.asking import AskingScreen
from palace_cli.tui.screens.choice import ChoiceScreen
from palace_cli.tui.seeking.history import History, Visited
from palace_cli.tui.seeking.line import Line, read_line, with_filter, with_filters
from palace_cli.tui.seeking.times import written_span
from palace_cli.tui.widgets.bars import WhyBars
from palace_cli.tui.widgets.calendar import CalendarStrip
from palace_cli.tui.widgets.filters import Filter
from palace_cli.tui.widgets.hits import HitsList
from palace_cli.tui.widgets.search import SearchBox
from palace_cli.tui.widgets.seek import SeekPane

TREE, SEEK = "tree", "seek"
"""What stands in the left pane."""
NOBODY_ANSWERS = "the database does not answer: sought again when it does"
ROLES = (None, *(role.value for role in Role))


class SeekingScreen(AskingScreen[None]):
    """A screen with a ``SeekPane`` in its left pane; it knows how to show a drawer and where that stands."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash,ctrl+f", "seek", "Search", id="seek.open", tooltip="Search the palace."),
        Binding(
            "left_square_bracket,alt+left",
            "go_back",
            "Back",
            id="seek.back",
            tooltip="Go back to where you were.",
            show=False,
        ),
        Binding(
            "right_square_bracket,alt+right",
            "go_forward",
            "Forward",
            id="seek.forward",
            tooltip="Go again to where you came back from.",
            show=False,
        ),
        Binding(
            "ctrl+o",
            "below",
            "Kept back",
            id="seek.below",
            tooltip="Show what is kept back as not relevant.",
            show=False,
        ),
        Binding("f3", "times", "Times", id="seek.times", tooltip="Go to the calendar.", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.past = History()
        self.answered: str | None = None
        """For which words hits stand on the screen."""
        self.answered_at = 0.0
        """Since when, on the clock of ``perf_counter``."""
        self._line = Line("")
        self._under_way = Cancellation()
        self._is_prepared = False
        self._counted: tuple[object, ...] | None = None

    def show_left(self, id: str) -> None:
        """Show what stands in the left pane under an id."""
        raise NotImplementedError

    def show_drawer(self, pointer: str) -> None:
        """Show a drawer in the pane on the right."""
        raise NotImplementedError

    def jump(self, pointer: str) -> None:
        """Go to where it stands in the tree."""
        raise NotImplementedError

    def action_back(self) -> None:
        """Go back to the tree."""
        raise NotImplementedError

    @property
    def shown_pointer(self) -> str | None:
        """Which drawer is shown; None for none."""
        raise NotImplementedError

    @property
    def hit(self) -> Hit | None:
        """The hit that the cursor is on, while one is among the hits."""
        hits = self.query_one(HitsList)
        return hits.hit if hits.has_focus else None

    @property
    def here(self) -> Visited:
        """Where one is."""
        shown = self.query_one("#left-switch", ContentSwitcher).current
        return Visited(SEEK if shown == SEEK else TREE, self.shown_pointer)

    @property
    def seeking(self) -> SeekPane:
        """Where one seeks."""
        return self.query_one(SeekPane)

    def action_seek(self) -> None:
        """Go to the box."""
        if not self.source.is_open:
            return
        self.show_left(SEEK)
        self.query_one(SearchBox).focus()
        self._count_times()
        if not self._is_prepared:
            self._is_prepared = True
            self.ask(self.source.seek.prepare, lambda _: None, group="prepare", failed=lambda _: None)

    def action_times(self) -> None:
        """Go to the calendar."""
        self.action_seek()
        if self.query_one(CalendarStrip).display:
            self.query_one(CalendarStrip).focus()

    def on_search_box_begun(self) -> None:
        """Stop what is sought: something else will be."""
        self._under_way.cancel()

    def on_search_box_typed(self, message: SearchBox.Typed) -> None:
        """Seek what stands in the box."""
        self._under_way.cancel()
        self._line = read_line(message.text)
        self.seeking.begin(self._line)
        self._count_times()
        if self._line.words and self._line.problem is None:
            self._recall()
        else:
            self.workers.cancel_group(self, "recall")

    def action_below(self) -> None:
        """Seek again, and keep nothing back."""
        if self._line.words and self._line.problem is None:
            self.seeking.begin(self._line)
            self._under_way.cancel()
            self._recall(floor="none")

    def _recall(self, floor: str | None = None) -> None:
        cancel = self._under_way = Cancellation()
        line = self._line

        def show(found: Recollection) -> None:
            self.seeking.show(found, is_all=floor is not None)
            self.call_after_refresh(self._drawn, line)

        self.ask(
            lambda: self.source.seek.recall(line, cancel, floor=floor), show, group="recall", failed=self._not_answered
        )

    def database_gone(self, problem: PalaceError, group: str, again: Callable[[], Any]) -> None:
        """Say on the banner that no database answers; what is typed meanwhile is sought when it is back."""
        super().database_gone(problem, group, again)
        if self._line.words:
            self.seeking.tell(NOBODY_ANSWERS, is_wrong=True)

    def _drawn(self, line: Line) -> None:
        self.answered, self.answered_at = line.words, perf_counter()

    def _not_answered(self, problem: PalaceError) -> None:
        # Who cancelled it types on.
        if isinstance(problem, Cancelled):
            return
        self.seeking.tell(str(problem), is_wrong=True)

    def _count_times(self) -> None:
        """Count when things were said, where anything that decides it has changed."""
        strip, line = self.query_one(CalendarStrip), self._line
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
            self._count_times()

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
            at = self._line.filters.get("role")
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

    def on_search_box_to_hits(self) -> None:
        """Go to the hits, where there are any."""
        hits = self.query_one(HitsList)
        if hits.hits:
            hits.focus()

    def on_search_box_left(self) -> None:
        """Go back to the tree."""
        self._under_way.cancel()
        self.action_back()

    def on_hits_list_left(self) -> None:
        """Go back to the box."""
        self.query_one(SearchBox).focus()

    def on_hits_list_seen(self, message: HitsList.Seen) -> None:
        """Show why a hit was found, and the hit itself where somebody goes through them."""
        self.query_one(WhyBars).show(message.hit)
        if self.query_one(HitsList).has_focus:
            self.post_message(DrawerChosen(str(message.hit.drawer.pointer), enters=False))

    def on_hits_list_chosen(self, message: HitsList.Chosen) -> None:
        """Go to the hit's place in its conversation; the way back is kept."""
        self._go_to(message.hit)

    def _go_to(self, hit: Hit) -> None:
        pointer = str(hit.drawer.pointer)
        there = Visited(TREE, pointer)
        self.past.jump(Visited(SEEK, pointer), there)
        self._visit(there)

    def action_go_back(self) -> None:
        """Go back to where one was."""
        self._visit(self.past.back(self.here))

    def action_go_forward(self) -> None:
        """Go again to where one came back from."""
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
