"""The timeline of one set of statements: about one object, or about a predicate with one value at a time."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo

from palace.graph.folding.points import Drawn, Point, points_of
from palace.graph.folding.statements import Span, Statement, exact, next_midnight
from palace.models.claims import Action, Precision


@dataclass(slots=True)
class Interval:
    """A value and the period in which it was true."""

    key: str
    start: datetime | None
    start_precision: Precision
    end: datetime | None = None
    end_precision: Precision | None = None
    closed_by: Statement | None = None
    support: list[Statement] = field(default_factory=list)
    known_until: datetime | None = None
    """The latest possible moment of its beginning or of an observation of it."""
    is_observed: bool = True
    """False if it was only said to begin, and never observed."""

    @property
    def identity(self) -> tuple[object, ...]:
        """Return the fields that identify a relation."""
        return self.key, self.start, self.start_precision, self.end, self.end_precision

    def covers(self, moment: datetime) -> bool:
        """Check whether it was true at a moment."""
        return (self.start is None or self.start <= moment) and (self.end is None or moment < self.end)

    def close(self, at: datetime, precision: Precision, by: Statement) -> None:
        """Set its end."""
        self.end, self.end_precision, self.closed_by = at, precision, by


def timeline(statements: Sequence[Statement], zone: tzinfo, known: Drawn | None = None) -> list[Interval]:
    """Return the intervals of statements, in order of time, without overlaps.

    Expects statements in order of time, about one object or a predicate with one value at a time. ``known`` caches the
    points of statements between calls.
    """
    happenings = _happenings([s for s in statements if s.action is Action.HAPPENS], zone)
    rest = [s for s in statements if s.action is not Action.HAPPENS]
    if happenings:
        rest = _without_plans(rest, happenings)
    line = _Line()
    points = points_of(rest, zone, known)
    for point in points:
        line.take(point)
    placed = _by_key([*line.intervals, *happenings])
    line.intervals.sort(key=_time)
    loose = {p.statement.order: p.statement for p in line.loose}
    for _, statement in sorted(loose.items(), reverse=True):
        _place(statement, placed, line.intervals)
    taken = {p.statement.order for p in points}
    held = _by_key(line.intervals)
    for statement in rest:
        if statement.order not in taken and statement.is_value:
            _support(statement, held)
    kept = [i for i in line.intervals if i.is_observed or i.start is None or i.end is None or i.start < i.end]
    return sorted([*happenings, *kept], key=_time)


def _time(interval: Interval) -> tuple[object, ...]:
    i = interval
    return i.start is not None, i.start, i.end is None, i.end, i.key


class _Line:
    """Builds intervals from points in order of time."""

    def __init__(self) -> None:
        self.intervals: list[Interval] = []
        self.loose: list[Point] = []
        """Ends of values that were not known to be true then."""
        self._current: Interval | None = None
        self._keys: set[str] = set()

    def take(self, point: Point) -> None:
        """Add the next point in order of time."""
        if point.is_start:
            self._begin(point)
        elif self._current and point.key in ("", self._current.key):
            self._end(point, self._current)
        elif point.key:
            self._end_unknown(point)

    def _begin(self, point: Point) -> None:
        at, precision = point.span.start, point.span.precision
        if self._current is None or self._current.key != point.key:
            if self._current:
                self._current.close(at, precision, point.statement)
            self._open(Interval(point.key, at, precision, is_observed=False))
        current = self.intervals[-1]
        current.support.append(point.statement)
        current.is_observed = current.is_observed or not point.is_told
        until = max(point.span.end, at)
        current.known_until = max(current.known_until or until, until)

    def _end(self, point: Point, current: Interval) -> None:
        is_vague = point.statement.action is Action.WAS and not point.is_told
        current.close(point.span.start, Precision.VAGUE if is_vague else point.span.precision, point.statement)
        if point.key:
            current.support.append(point.statement)
        self._current = None

    def _end_unknown(self, point: Point) -> None:
        """Add an end of a value that was not known to be true: it implies that it was."""
        current = self._current
        if not point.is_told or point.has_beginning or (point.key in self._keys and current):
            self.loose.append(point)
            return
        before = self.intervals[-1] if self.intervals else None
        if before and not current and before.key == point.key:
            before.support.append(point.statement)
            return
        at = point.span.start
        start, precision = None, Precision.VAGUE
        if current:
            start = min(current.known_until or at, at)
            if start < at:
                current.close(start, precision, point.statement)
        elif before and before.end:
            start, precision = before.end, before.end_precision or precision
        ended = Interval(point.key, start, precision, at, point.span.precision, point.statement, [point.statement])
        if current and start == at:
            self.intervals.insert(-1, ended)
            self._keys.add(ended.key)
        else:
            self._open(ended)
            self._current = None

    def _open(self, interval: Interval) -> None:
        self.intervals.append(interval)
        self._keys.add(interval.key)
        self._current = interval


def _by_key(intervals: Iterable[Interval]) -> defaultdict[str, list[Interval]]:
    found: defaultdict[str, list[Interval]] = defaultdict(list)
    for interval in intervals:
        found[interval.key].append(interval)
    return found


def _place(statement: Statement, known: defaultdict[str, list[Interval]], intervals: list[Interval]) -> None:
    """Place a value that was already over when it was mentioned, with an unknown beginning.

    It supports an earlier interval of the same object if there is one; else it is put directly before the interval at
    the time of saying, else before all intervals. If neither has room, it gets no duration. ``intervals`` are in order
    of time, and stay so.
    """
    if _support(statement, known):
        return
    place = next((n for n, i in enumerate(intervals) if i.covers(statement.learned)), 0)
    start, end = _room(intervals, place, statement.learned)
    vague = Precision.VAGUE
    placed = Interval(statement.key, start, vague, end, vague, statement, [statement])
    insort(intervals, placed, key=_time)
    known[statement.key].append(placed)


def _support(statement: Statement, known: defaultdict[str, list[Interval]]) -> bool:
    """Add a statement as evidence to the latest interval of its object that had begun; return whether there is one."""
    same = [i for i in known[statement.key] if i.start is None or i.start <= statement.learned]
    if same:
        max(same, key=_time).support.append(statement)
    return bool(same)


def _room(intervals: Sequence[Interval], place: int, learned: datetime) -> tuple[datetime | None, datetime]:
    """Return the free time before the interval at an index, else before the first one, else an empty period."""
    for n in (place, 0):
        if n < len(intervals):
            end = intervals[n].start
            start = max((i.end for i in intervals[:n] if i.end), default=None)
            if end is not None and (start is None or start < end):
                return start, min(end, learned)
    return (learned, learned) if intervals else (None, learned)


def _happenings(statements: Iterable[Statement], zone: tzinfo) -> list[Interval]:
    """Return events; one within another of the same object is merged with it, at the better precision."""
    found: list[Interval] = []
    starts: list[datetime] = []
    spans = [(_happening(s, zone), s) for s in statements]
    for span, statement in sorted(spans, key=lambda p: (p[0].end - p[0].start, p[0].start, p[1].order)):
        place = bisect_left(starts, span.start)
        same = found[place] if place < len(found) else None
        if same is None or same.end is None or same.end > span.end:
            same = Interval(statement.key, span.start, span.precision, span.end, span.precision)
            found.insert(place, same)
            starts.insert(place, span.start)
        elif statement.start and statement.end:
            same.start, same.end, same.start_precision = span.start, span.end, span.precision
            same.end_precision = statement.end.precision
            starts[place] = span.start
        same.support.append(statement)
    return found


def _happening(statement: Statement, zone: tzinfo) -> Span:
    start, end = statement.start, statement.end
    if start is None and end is None:
        return Span(statement.learned, next_midnight(statement.learned, zone), Precision.DAY)
    if start is None:
        return end or exact(statement.learned)
    return Span(start.start, max(end.end, start.end) if end else start.end, start.precision)


def _without_plans(statements: Iterable[Statement], happenings: Sequence[Interval]) -> list[Statement]:
    """Add undated plans as evidence to the next event of the object; return the other statements."""
    kept = []
    for statement in statements:
        after = [i for i in happenings if i.end and i.end > statement.learned]
        if statement.is_value and statement.is_undated and after:
            min(after, key=lambda i: i.start or statement.learned).support.append(statement)
        else:
            kept.append(statement)
    return kept
