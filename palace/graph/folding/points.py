"""The points in time at which values begin and end, with vague dates refined by more precise ones."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from itertools import islice

from palace.graph.folding.statements import Span, Statement, exact, next_midnight
from palace.models.claims import Action, Precision


@dataclass(frozen=True, slots=True)
class Point:
    """The beginning or the end of a value."""

    statement: Statement
    is_start: bool
    span: Span
    """The range of time in which it lies; its start is used."""
    is_told: bool = True
    """False if it is the time of saying, not a date in the text."""
    has_beginning: bool = False
    """For an end: whether the statement also has a beginning."""

    @property
    def key(self) -> str:
        """Return the key of its object."""
        return self.statement.key

    @property
    def place(self) -> tuple[datetime, int, bool]:
        """Return the sort key: time, then order of statements."""
        return self.span.start, self.statement.order, not self.is_start


Drawn = dict[int, tuple[Point, ...]]
"""Cache of points by the statement's index in order of time."""


def points_of(statements: Sequence[Statement], zone: tzinfo, known: Drawn | None = None) -> list[Point]:
    """Return the beginnings and ends of one timeline's statements, in order.

    An observation is dropped if a later statement contradicts it for the same days. The date of a month or a year is
    replaced by a more precise date of the same change within it, and put after contrary observations before the change.
    """
    by_order: Drawn = {} if known is None else known
    for statement in statements:
        if statement.order not in by_order:
            by_order[statement.order] = tuple(_points(statement))
    drawn = [point for statement in statements for point in by_order[statement.order]]
    observed = sorted(_standing(drawn, statements), key=lambda point: point.place)
    begun = {(s.learned, s.key): s.order for s in statements if s.is_value and s.start}
    ends = [p for p in drawn if not p.is_start and not p.is_told and not _is_taken_up(p, begun)]
    told = [_behind(point, observed, zone) for point in _refined([p for p in drawn if p.is_told])]
    return sorted([*observed, *ends, *told], key=lambda point: point.place)


def _points(statement: Statement) -> Iterator[Point]:
    start, end = statement.start, statement.end
    if statement.is_value or (statement.action is Action.WAS and start):
        if start:
            yield Point(statement, True, start)
        if statement.is_observation:
            yield Point(statement, True, exact(statement.learned), is_told=False)
    if end and statement.action is not Action.DENIES:
        yield Point(statement, False, end, has_beginning=start is not None or statement.is_observation)
    elif statement.action in (Action.ENDS, Action.WAS):
        yield Point(statement, False, exact(statement.learned), is_told=False, has_beginning=start is not None)


def _is_taken_up(end: Point, begun: Mapping[tuple[datetime, str], int]) -> bool:
    """Check whether the same message says that it began again ("I used to play, and started again in March")."""
    s = end.statement
    return begun.get((s.learned, s.key), -1) > s.order


def _standing(points: Sequence[Point], statements: Sequence[Statement]) -> Iterator[Point]:
    """Yield the observations, except for days for which a later statement gives another value or an end."""
    begun: dict[str, datetime] = {}
    over: dict[str, datetime] = {}
    seen = {p.statement.order: p for p in points if p.is_start and not p.is_told}
    for statement in reversed(statements):
        s, point = statement, seen.get(statement.order)
        if point is not None:
            gone = [moment for key, moment in begun.items() if key != s.key]
            gone += [over[key] for key in (s.key, "") if key in over]
            if all(s.learned < moment for moment in gone):
                yield point
        if s.action is Action.HOLDS and s.start and s.is_observation and not s.end:
            begun[s.key] = min(s.start.end, begun.get(s.key, s.start.end))
        elif s.action is Action.ENDS and s.end and s.end.start <= s.learned:
            over[s.key] = min(s.end.end, over.get(s.key, s.end.end))


def _refined(points: Sequence[Point]) -> Iterator[Point]:
    """Refine each date by the earliest more precise one within it, of the same change, else of the opposite one."""
    told = sorted({(p.is_start, p.key, p.span) for p in points}, key=lambda each: (each[2].start, each[2].end))
    sides = {side: [(key, span) for start, key, span in told if start is side] for side in (True, False)}
    finest: dict[tuple[bool, str, Span], Span] = {}
    for is_start, key, span in told:
        finer = None
        if span.precision not in (Precision.MOMENT, Precision.DAY):
            finer = _finest(span, span.end, sides[is_start], key, is_own=True)
            finer = finer or _finest(span, span.end, sides[not is_start], key, is_own=False)
        finest[is_start, key, span] = finer or span
    yield from (replace(point, span=finest[point.is_start, point.key, point.span]) for point in points)


def _finest(coarse: Span, limit: datetime, spans: Sequence[tuple[str, Span]], key: str, *, is_own: bool) -> Span | None:
    """Return the most precise date in ``spans`` (sorted) within a coarse one, of this object or of any other."""
    first = bisect_left(spans, coarse.start, key=lambda each: each[1].start)
    for other, span in islice(spans, first, None):
        if span.start >= min(coarse.end, limit):
            return None
        if (other == key) is is_own and span.is_finer_than(coarse):
            return _finest(span, min(limit, coarse.end), spans, key, is_own=is_own) or span
    return None


def _behind(point: Point, observed: Sequence[Point], zone: tzinfo) -> Point:
    """Move a dated point after the contrary observations on its days, before the change."""
    s, span = point.statement, point.span
    limit, told_by = span.end, None
    if s.action in (Action.BEGINS, Action.ENDS) and span.start <= s.learned < limit:
        limit, told_by = s.learned, s.order
    last = None
    for seen in islice(observed, bisect_left(observed, span.start, key=lambda each: each.span.start), None):
        at = seen.span.start
        is_later = at >= limit if told_by is None else seen.statement.order > told_by
        if at > limit or is_later:
            break
        if not _is_contrary(seen, point):
            limit = at
            break
        last = at
    if last is None:
        return point
    return replace(point, span=replace(span, start=min(next_midnight(last, zone), limit)))


def _is_contrary(seen: Point, change: Point) -> bool:
    """Check whether an observation is true only before a change."""
    if change.is_start:
        return seen.key != change.key
    return change.key in ("", seen.key)
