"""The timeline of an entity: its relations as bars over time.

``├`` is a stated beginning, ``╶`` the time since which something is known, ``┤`` an end, ``╳`` an end by a later
relation, ``▸`` still true, ``◆`` an event. Without a known beginning, or without any time, a bar is dotted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import ClassVar

from rich.cells import cell_len, set_cell_size
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import OptionList, Static

from palace.config.zones import in_zone
from palace.graph.predicates import tells_events
from palace.graph.wording import words_of
from palace.models import Precision, Relation, Standing, Timeline, TimelineEntry
from palace_cli.clock import zone_shown
from palace_cli.render.visible import one_line
from palace_cli.styles import ASIDE
from palace_cli.tui.keys import key
from palace_cli.tui.places import DrawerChosen
from palace_cli.tui.widgets.rows import Row, Rows, line, lines

_SHORTEST = timedelta(days=30)
_TICK = 6
"""Columns of a year on the axis, with a space."""


@dataclass(frozen=True, slots=True)
class Span:
    """The time between the ends of the axis."""

    start: datetime
    end: datetime
    known: datetime
    """The first moment in it of which something is known: it begins earlier where that is not long ago."""

    @classmethod
    def of(cls, relations: Iterable[Relation], now: datetime) -> Span:
        known = [now]
        for each in relations:
            known += [moment for moment in (each.valid_from, each.valid_to) if moment is not None]
        first, end = min(known), max(known)
        return cls(first if end - first >= _SHORTEST else _before(end, _SHORTEST), end, first)

    def column(self, moment: datetime, width: int) -> int:
        """Return the column of a moment, of ``width`` columns; one outside the span is at the edge."""
        share = (moment - self.start) / (self.end - self.start)
        return max(0, min(width - 1, int(share * width)))


def bar(relation: Relation, span: Span, now: datetime, width: int) -> str:
    """Draw the bar of a relation."""
    if width < 1:
        return ""
    begun, over = relation.valid_from, relation.valid_to
    if begun is None and over is None:
        return "┄" * width
    first = 0 if begun is None else span.column(begun, width)
    last = max(first, span.column(over or max(now, begun or now), width))
    if begun is not None and (tells_events(relation.predicate) or begun == over):
        inside = max(begun, over - timedelta(microseconds=1)) if over and over > begun else begun
        last = first if over is None else max(first, span.column(inside, width))
        drawn = "◆" if first == last else f"◆{'─' * (last - first - 1)}◆"
    else:
        drawn = _state(relation, last - first + 1)
    return f"{' ' * first}{drawn}".ljust(width)


def axis(span: Span, zone: tzinfo, width: int) -> str:
    """Write years above the columns in which they begin, as many as fit."""
    line = [" "] * max(width, 0)
    free = 0
    for year in _years(span, zone, width):
        at = span.column(_new_year(year, zone), width) if year > in_zone(span.start, zone).year else 0
        if at >= free and at + 4 <= width:
            line[at : at + 4] = f"{year:04d}"
            free = at + _TICK
    return "".join(line)


def _state(relation: Relation, length: int) -> str:
    is_dotted = relation.valid_from is None
    begin = "┄" if is_dotted else "╶" if relation.from_precision is Precision.MOMENT else "├"
    end = "▸" if relation.valid_to is None else "╳" if relation.closed_by else "┤"
    if length == 1:
        return end
    return begin + ("┄" if is_dotted else "━") * (length - 2) + end


def _years(span: Span, zone: tzinfo, width: int) -> Iterable[int]:
    first, last = in_zone(span.known, zone).year, in_zone(span.end, zone).year
    # At most one year a column, however long the span is.
    return range(first, last + 1, max(1, (last - first) // max(width, 1)))


def _new_year(year: int, zone: tzinfo) -> datetime:
    return datetime(year, 1, 1, tzinfo=zone).astimezone(UTC) if 1 < year < 9999 else datetime(year, 1, 1, tzinfo=UTC)


def _before(moment: datetime, length: timedelta) -> datetime:
    try:
        return moment - length
    except OverflowError:
        return datetime.min.replace(tzinfo=UTC)


_STYLES = {Standing.PAST: "dim", Standing.PRESENT: "bold", Standing.FUTURE: "italic"}


class TimelinePane(Vertical):
    """Bars over time. Choosing one goes to a drawer that says so (``DrawerChosen``)."""

    BINDINGS: ClassVar[list[BindingType]] = [
        key("right", "turn(1)", "Next drawer", "timeline.next", "Choose the next drawer that says so."),
        key("left", "turn(-1)", "Drawer before", "timeline.before", "Choose the one before."),
        key("e", "ended", "Ended by", "timeline.ended", "Go to the drawer that ended it."),
    ]

    def __init__(self, id: str) -> None:
        super().__init__(id=id)
        self._timeline: Timeline | None = None
        self._place = 0

    def compose(self) -> ComposeResult:
        yield Static(id="timeline-axis", markup=False)
        yield Rows(id="timeline-rows")
        yield Static(id="timeline-said", markup=False)

    @property
    def rows(self) -> Rows:
        return self.query_one("#timeline-rows", Rows)

    def show(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    def _draw(self) -> None:
        timeline, width = self._timeline, self.rows.scrollable_content_region.width or self.size.width - 4
        if timeline is None or width < 8:
            return
        names = (cell_len(one_line(_beside(timeline, each.relation))) for each in timeline.entries)
        beside = min(max(names, default=0), width // 2)
        span = Span.of((each.relation for each in timeline.entries), timeline.seen_from)
        years = axis(span, zone_shown(), width - beside - 1)
        self.query_one("#timeline-axis", Static).update(Content(f" {' ' * beside} {years}"))
        self.rows.fill(_rows(timeline, span, (beside, width - beside - 1)))
        self._say()

    @property
    def chosen(self) -> Relation | None:
        entries = self._timeline.entries if self._timeline else ()
        place = self.rows.chosen
        return entries[int(place)].relation if place is not None and int(place) < len(entries) else None

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        self._place = 0
        self._say()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if self.chosen is not None:
            self.post_message(DrawerChosen(str(self.chosen.evidence[self._place]), jumps=True))

    def action_turn(self, by: int) -> None:
        if self.chosen is not None:
            self._place = (self._place + by) % len(self.chosen.evidence)
            self._say()

    def action_ended(self) -> None:
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
    """Yield the rows of bars, grouped by predicate in the order of first occurrence."""
    groups: dict[tuple[str, bool], list[tuple[int, TimelineEntry]]] = {}
    for place, each in enumerate(timeline.entries):
        is_object = _is_object(timeline, each.relation)
        groups.setdefault((each.relation.predicate, is_object), []).append((place, each))
    for (predicate, is_object), entries in groups.items():
        subject = entries[0][1].relation.subject
        words = words_of(predicate, subject)
        yield (
            None,
            line(f"… {words_of(predicate)} {one_line(timeline.entity.name)}" if is_object else words, "underline"),
        )
        for place, each in entries:
            name = _beside(timeline, each.relation)
            yield str(place), _row(each, name, span, timeline.seen_from, widths)


def _is_object(timeline: Timeline, relation: Relation) -> bool:
    return relation.subject_id != timeline.entity.id


def _beside(timeline: Timeline, relation: Relation) -> str:
    """Return the name beside a bar: the other entity or value of the relation."""
    return relation.subject if _is_object(timeline, relation) else relation.object


def _row(each: TimelineEntry, name: str, span: Span, now: datetime, widths: tuple[int, int]) -> Content:
    relation, style = each.relation, _STYLES[each.standing]
    name = one_line(name)
    if cell_len(name) > widths[0]:
        name = set_cell_size(name, widths[0] - 1) + "…"
    drawn = f"{set_cell_size(name, widths[0])} {bar(relation, span, now, widths[1])}"
    when = each.when or "at some time"
    ended = ", superseded" if relation.closed_by else ""
    return lines(Content.styled(drawn, style), line(f"  {when}{ended}", ASIDE))
