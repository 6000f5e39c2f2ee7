"""A timeline: what held, holds and will hold of an entity, drawn over time below its predicates."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import ClassVar

from rich.cells import cell_len, set_cell_size
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList, Static

from palace.graph.wording.predicates import words_of
from palace.records import Relation, Standing, Timeline, TimelineEntry
from palace_cli.clock import zone_shown
from palace_cli.render.visible import one_line
from palace_cli.terminal.styles import ASIDE
from palace_cli.tui.drawing.bars import Span, axis, bar
from palace_cli.tui.messages import DrawerChosen
from palace_cli.tui.widgets.rows import Row, Rows, line, lines

_STYLES = {Standing.PAST: "dim", Standing.PRESENT: "bold", Standing.FUTURE: "italic"}
_LONGEST = 28
"""Columns of what stands beside a bar."""


class TimelinePane(Vertical):
    """Bars over time. Who chooses one is led to a drawer that says so (``DrawerChosen``)."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right", "turn(1)", "Next drawer", id="timeline.next", tooltip="Choose the next drawer that says so."),
        Binding(
            "left", "turn(-1)", "Drawer before", id="timeline.before", tooltip="Choose the one before.", show=False
        ),
        Binding("w", "ended", "What ended it", id="timeline.ended", tooltip="Go to the drawer that ended it."),
    ]

    class Turned(Message):
        """Another drawer is chosen."""

    def __init__(self, id: str) -> None:
        super().__init__(id=id)
        self._timeline: Timeline | None = None
        self._place = 0

    def compose(self) -> ComposeResult:
        """Years, bars, and where the one under the cursor is said."""
        yield Static(id="timeline-axis", markup=False)
        yield Rows(id="timeline-rows")
        yield Static(id="timeline-said", markup=False)

    @property
    def rows(self) -> Rows:
        """The bars."""
        return self.query_one("#timeline-rows", Rows)

    def show(self, timeline: Timeline) -> None:
        """Draw a timeline."""
        self._timeline = timeline
        self._draw()

    def on_resize(self) -> None:
        """Draw it as wide as there is room."""
        self._draw()

    def _draw(self) -> None:
        timeline, width = self._timeline, self.rows.scrollable_content_region.width or self.size.width - 4
        if timeline is None or width < 8:
            return
        beside = min(_LONGEST, width * 2 // 5)
        span = Span.of((each.relation for each in timeline.entries), timeline.seen_from)
        years = axis(span, zone_shown(), width - beside - 1)
        self.query_one("#timeline-axis", Static).update(Content(f" {' ' * beside} {years}"))
        self.rows.fill(_rows(timeline, span, (beside, width - beside - 1)))
        self._say()

    @property
    def chosen(self) -> Relation | None:
        """The relation under the cursor."""
        entries = self._timeline.entries if self._timeline else ()
        place = self.rows.chosen
        return entries[int(place)].relation if place is not None and int(place) < len(entries) else None

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Say where it is said."""
        event.stop()
        self._place = 0
        self._say()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Go to the drawer that says so."""
        event.stop()
        if self.chosen is not None:
            self.post_message(DrawerChosen(str(self.chosen.evidence[self._place]), jumps=True))

    def action_turn(self, by: int) -> None:
        """Choose another of the drawers that say so."""
        if self.chosen is not None:
            self._place = (self._place + by) % len(self.chosen.evidence)
            self._say()

    def action_ended(self) -> None:
        """Go to the drawer that says what came in its place."""
        if self.chosen is not None and self.chosen.closed_by:
            self.post_message(DrawerChosen(str(self.chosen.closed_by[0]), jumps=True))
        else:
            self.notify("nothing came in its place", markup=False)

    def _say(self) -> None:
        relation = self.chosen
        said = "" if relation is None else _said(relation, self._place)
        if self._timeline is not None and not self._timeline.entries:
            said = "it is named, and nothing more is known of it"
        self.query_one("#timeline-said", Static).update(Content(said))


def _said(relation: Relation, place: int) -> str:
    number = f" ({place + 1} of {len(relation.evidence)})" if len(relation.evidence) > 1 else ""
    ended = f"; ended by {relation.closed_by[0]}" if relation.closed_by else ""
    return f"said in {relation.evidence[place]}{number}{ended}"


def _rows(timeline: Timeline, span: Span, widths: tuple[int, int]) -> Iterator[Row]:
    """Give the bars below their predicates, which stand in the order in which they first come."""
    groups: dict[tuple[str, bool], list[tuple[int, TimelineEntry]]] = {}
    for place, each in enumerate(timeline.entries):
        is_object = each.relation.subject_id != timeline.entity.id
        groups.setdefault((each.relation.predicate, is_object), []).append((place, each))
    for (predicate, is_object), entries in groups.items():
        subject = entries[0][1].relation.subject
        words = words_of(predicate, subject)
        yield None, line(f"{words} it" if is_object else words, "underline")
        for place, each in entries:
            yield str(place), _row(each, is_object, span, timeline.seen_from, widths)


def _row(each: TimelineEntry, is_object: bool, span: Span, now: datetime, widths: tuple[int, int]) -> Content:
    relation, style = each.relation, _STYLES[each.standing]
    name = one_line(relation.subject if is_object else relation.object)
    if cell_len(name) > widths[0]:
        name = set_cell_size(name, widths[0] - 1) + "…"
    drawn = f"{set_cell_size(name, widths[0])} {bar(relation, span, now, widths[1])}"
    when = each.when or "at some time"
    ended = "superseded, " if relation.closed_by else ""
    return lines(Content.styled(drawn, style), line(f"  {ended}{when}", ASIDE))
