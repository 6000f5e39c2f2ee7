"""Times as bars: what held from when until when, and what happened, each exactly as wide as it is given room.

A told beginning is ``├``, the moment since which something is known ``╶``, an end ``┤``, an end because something else
came in its place ``╳``, what holds still ``▸``, what happened ``◆``. What has no known beginning, or no known time, is
dotted.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo

from palace.graph.predicates import tells_events
from palace.records import Precision, Relation
from palace.zones import in_zone

SIGNS = frozenset(" ├╶━┄┤╳▸◆─")
"""What bars are made of."""
_YEAR = timedelta(days=365)
_SHORTEST = timedelta(days=30)
_TICK = 6
"""Columns that a year on the axis takes, and the space behind it."""


@dataclass(frozen=True, slots=True)
class Span:
    """The time that bars are drawn over."""

    start: datetime
    end: datetime

    @classmethod
    def of(cls, relations: Iterable[Relation], now: datetime) -> Span:
        """Take in all times that are known, and now."""
        known = [now]
        for each in relations:
            known += [moment for moment in (each.valid_from, each.valid_to) if moment is not None]
        start, end = min(known), max(known)
        if start == end:
            start = _before(start, _YEAR)
        elif end - start < _SHORTEST:
            start = _before(end, _SHORTEST)
        return cls(start, end)

    def column(self, moment: datetime, width: int) -> int:
        """Say in which of ``width`` columns a moment lies; what is outside lies at the edge."""
        share = (moment - self.start) / (self.end - self.start)
        return max(0, min(width - 1, int(share * width)))


def bar(relation: Relation, span: Span, now: datetime, width: int) -> str:
    """Draw a relation in so many columns."""
    if width < 1:
        return ""
    begun, over = relation.valid_from, relation.valid_to
    if begun is None and over is None:
        return "┄" * width
    first = 0 if begun is None else span.column(begun, width)
    last = max(first, span.column(over or max(now, begun or now), width))
    if begun is not None and (tells_events(relation.predicate) or begun == over):
        last = first if over is None else max(first, span.column(_inside(begun, over), width))
        drawn = "◆" if first == last else f"◆{'─' * (last - first - 1)}◆"
    else:
        drawn = _state(relation, last - first + 1)
    return f"{' ' * first}{drawn}".ljust(width)


def axis(span: Span, zone: tzinfo, width: int) -> str:
    """Write years above the columns in which they begin, as many as there is room for."""
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
    first, last = in_zone(span.start, zone).year, in_zone(span.end, zone).year
    # Of a thousand years not each is looked at: no more than there are columns.
    return range(first, last + 1, max(1, (last - first) // max(width, 1)))


def _new_year(year: int, zone: tzinfo) -> datetime:
    return datetime(year, 1, 1, tzinfo=zone).astimezone(UTC) if 1 < year < 9999 else datetime(year, 1, 1, tzinfo=UTC)


def _inside(begun: datetime, over: datetime) -> datetime:
    """Give the last moment that something lasted."""
    return max(begun, over - timedelta(microseconds=1)) if over > begun else begun


def _before(moment: datetime, length: timedelta) -> datetime:
    try:
        return moment - length
    except OverflowError:
        return datetime.min.replace(tzinfo=UTC)
