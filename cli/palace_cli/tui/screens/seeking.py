"""Seeking on the first screen: what is typed is recalled, hits lead to their places, and from there one comes back."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any, ClassVar

from textual.binding import Binding, BindingType

from palace.cancellation import Cancellation
from palace.errors import Cancelled, PalaceError
from palace.records import Hit, Recollection
from palace_cli.tui.messages import DrawerChosen
from palace_cli.tui.screens.filtering import FilteringScreen
from palace_cli.tui.screens.retracing import SEEK
from palace_cli.tui.seeking.line import Line, read_line
from palace_cli.tui.widgets.bars import WhyBars
from palace_cli.tui.widgets.hits import HitsList
from palace_cli.tui.widgets.search import SearchBox
from palace_cli.tui.widgets.seek import SeekPane

NOBODY_ANSWERS = "the database does not answer: sought again when it does"


class SeekingScreen(FilteringScreen):
    """A screen with a ``SeekPane`` in its left pane; it knows how to show a drawer and where that stands."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash,ctrl+f", "seek", "Search", id="seek.open", tooltip="Search the palace."),
        Binding(
            "ctrl+o",
            "below",
            "Kept back",
            id="seek.below",
            tooltip="Show what is kept back as not relevant.",
            show=False,
        ),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.answered: str | None = None
        """For which words hits stand on the screen."""
        self.answered_at = 0.0
        """Since when, on the clock of ``perf_counter``."""
        self._under_way = Cancellation()
        self._is_prepared = False

    def action_back(self) -> None:
        """Go back to the tree."""
        raise NotImplementedError

    @property
    def hit(self) -> Hit | None:
        """The hit that the cursor is on, while one is among the hits."""
        hits = self.query_one(HitsList)
        return hits.hit if hits.has_focus else None

    @property
    def seeking(self) -> SeekPane:
        """Where one seeks."""
        return self.query_one(SeekPane)

    def action_seek(self) -> None:
        """Go to the box."""
        if not self.source.is_open:
            return
        self.workers.cancel_group(self, "jump")
        self.show_left(SEEK)
        self.query_one(SearchBox).focus()
        self.count_times()
        if not self._is_prepared:
            self._is_prepared = True
            self.ask(self.source.seek.prepare, lambda _: None, group="prepare", failed=lambda _: None)

    def on_search_box_begun(self) -> None:
        """Stop what is sought: something else will be."""
        self._under_way.cancel()

    def on_search_box_typed(self, message: SearchBox.Typed) -> None:
        """Seek what stands in the box."""
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

        def show(found: Recollection) -> None:
            self.seeking.show(found, is_all=floor is not None)
            self.call_after_refresh(self._drawn, line)

        self.ask(
            lambda: self.source.seek.recall(line, cancel, floor=floor), show, group="recall", failed=self._not_answered
        )

    def database_gone(self, problem: PalaceError, group: str, again: Callable[[], Any]) -> None:
        """Say on the banner that no database answers; what is typed meanwhile is sought when it is back."""
        super().database_gone(problem, group, again)
        if self.line.words:
            self.seeking.refuse(NOBODY_ANSWERS)

    def _drawn(self, line: Line) -> None:
        self.answered, self.answered_at = line.words, perf_counter()

    def _not_answered(self, problem: PalaceError) -> None:
        # Who cancelled it types on.
        if isinstance(problem, Cancelled):
            return
        self.seeking.refuse(str(problem))

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
        self.go_to(message.hit)
