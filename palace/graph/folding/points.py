"""Where statements of one timeline begin and end a value, with vague dates made as exact as others allow."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo

from palace.graph.folding.statements import Statement, exact
from palace.graph.folding.times import Span, next_midnight
from palace.models.claims import Action, Precision


@dataclass(frozen=True, slots=True)
class Point:
    """A value begins, or ends."""

    statement: Statement
    is_start: bool
    span: Span
    """It lies in it, and is taken to be its start."""
    is_told: bool = True
    """False of the moment at which something was said."""
    has_beginning: bool = False
    """Of an end: whether the statement tells a beginning too."""

    @property
    def key(self) -> str:
        """The object's."""
        return self.statement.key

    @property
    def place(self) -> tuple[datetime, int, bool]:
        """What points are sorted by: time, then telling."""
        return self.span.start, self.statement.order, not self.is_start


Drawn = dict[int, tuple[Point, ...]]
"""The points of statements, by their places in telling, as far as they were looked at already."""


def points_of(statements: Sequence[Statement], zone: tzinfo, known: Drawn | None = None) -> list[Point]:
    """Return the beginnings and ends that statements of one timeline tell, in order.

    What was only observed gives way to what was told later of the same days; a date told of a month or a year is taken
    for a finer one in it of the same change, and lies behind what was observed before that change.
    """
    by_order: Drawn = {} if known is None else known
    drawn = [point for statement in statements for point in _drawn(statement, by_order)]
    seen = _Observations(_standing(drawn, statements), zone)
    begun = {(s.learned, s.key): s.order for s in statements if s.is_value and s.start}
    ends = [p for p in drawn if not p.is_start and not p.is_told and not _is_taken_up(p, begun)]
    told = _refined([p for p in drawn if p.is_told])
    return sorted([*seen.points, *ends, *(seen.behind(p) for p in told)], key=lambda p: p.place)


def _drawn(statement: Statement, known: Drawn) -> tuple[Point, ...]:
    if statement.order not in known:
        known[statement.order] = tuple(_points(statement))
    return known[statement.order]


def _points(statement: Statement) -> Iterable[Point]:
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
    """Whether the same breath says that it began again ("I used to play, and started again in March")."""
    s = end.statement
    return begun.get((s.learned, s.key), -1) > s.order


def _standing(points: Sequence[Point], statements: Sequence[Statement]) -> Iterable[Point]:
    """Return what was observed, but on days of which it was told later that another value held, or none of it."""
    held = _Earliest()
    over = _Earliest()
    seen = {p.statement.order: p for p in points if p.is_start and not p.is_told}
    for statement in reversed(statements):
        point = seen.get(statement.order)
        gone = held.of_others(statement.key), over.of(statement.key), over.of("")
        if point and all(moment is None or statement.learned < moment for moment in gone):
            yield point
        if statement.action is Action.HOLDS and statement.start and statement.is_observation and not statement.end:
            held.add(statement.key, statement.start.end)
        elif statement.action is Action.ENDS and statement.end and statement.end.start <= statement.learned:
            over.add(statement.key, statement.end.end)


class _Earliest:
    """The earliest moment of each object."""

    def __init__(self) -> None:
        self._of: dict[str, datetime] = {}
        self._least: list[tuple[datetime, str]] = []

    def add(self, key: str, moment: datetime) -> None:
        known = self._of.get(key)
        if known is not None and known <= moment:
            return
        self._of[key] = moment
        least = {k: m for m, k in self._least} | {key: self._of[key]}
        self._least = sorted((m, k) for k, m in least.items())[:2]

    def of(self, key: str) -> datetime | None:
        return self._of.get(key)

    def of_others(self, key: str) -> datetime | None:
        return next((moment for moment, other in self._least if other != key), None)


def _refined(points: Sequence[Point]) -> Iterable[Point]:
    """Take a date for the earliest finer one in it of the same change: else for one that ends what went before."""
    spans = _Spans(points)
    finest: dict[tuple[bool, str, Span], Span] = {}
    for point in points:
        told = (point.is_start, point.key, point.span)
        if told not in finest:
            finest[told] = spans.finest(*told)
        span = finest[told]
        yield point if span is point.span else _moved(point, span)


def _moved(point: Point, span: Span) -> Point:
    return Point(point.statement, point.is_start, span, point.is_told, point.has_beginning)


class _Spans:
    """When values were told to begin and to end, in order of time."""

    def __init__(self, points: Sequence[Point]) -> None:
        told = {(p.is_start, p.key, p.span) for p in points}
        self._has_others = len({key for _, key, _ in told}) > 1
        self._of: dict[tuple[bool, str], list[Span]] = {}
        ordered = sorted(told, key=lambda each: (each[2].start, each[2].end))
        for is_start, key, span in ordered:
            self._of.setdefault((is_start, key), []).append(span)
        self._sides = {side: [(key, span) for start, key, span in ordered if start is side] for side in (True, False)}
        self._starts = {each: [span.start for span in spans] for each, spans in self._of.items()}
        self._side_starts = {side: [span.start for _, span in spans] for side, spans in self._sides.items()}

    def finest(self, is_start: bool, key: str, span: Span) -> Span:
        """Return the finer date that is meant by one; itself where none is."""
        if span.precision in (Precision.MOMENT, Precision.DAY):
            return span
        same = _finest(span, span.end, self._within(is_start, key))
        if same or not self._has_others:
            return same or span
        return _finest(span, span.end, self._others(not is_start, key)) or span

    def _within(self, is_start: bool, key: str) -> _From:
        spans, starts = self._of[is_start, key], self._starts[is_start, key]
        return lambda moment: (spans[place] for place in range(bisect_left(starts, moment), len(spans)))

    def _others(self, side: bool, key: str) -> _From:
        spans, starts = self._sides[side], self._side_starts[side]

        def later(moment: datetime) -> Iterator[Span]:
            for place in range(bisect_left(starts, moment), len(spans)):
                if spans[place][0] != key:
                    yield spans[place][1]

        return later


_From = Callable[[datetime], Iterator[Span]]
"""Gives the spans that start at a moment or later, in order."""


def _finest(coarse: Span, limit: datetime, spans: _From) -> Span | None:
    for span in spans(coarse.start):
        if span.start >= coarse.end or span.start >= limit:
            return None
        if span.is_finer_than(coarse):
            return _finest(span, min(limit, coarse.end), spans) or span
    return None


class _Observations:
    """What was observed, in order."""

    def __init__(self, points: Iterable[Point], zone: tzinfo) -> None:
        self.points = sorted(points, key=lambda p: p.place)
        self._zone = zone
        self._moments = [p.span.start for p in self.points]

    def behind(self, point: Point) -> Point:
        """Return a told point behind what was observed on its days, before its change, of what it changes."""
        s, span = point.statement, point.span
        limit, told_by = span.end, None
        if s.action in (Action.BEGINS, Action.ENDS) and span.start <= s.learned < limit:
            limit, told_by = s.learned, s.order
        last = None
        for seen in self.points[bisect_left(self._moments, span.start) :]:
            at = seen.span.start
            if (
                at > limit
                or (at == limit and told_by is None)
                or (told_by is not None and seen.statement.order > told_by)
            ):
                break
            if not _is_contrary(seen, point):
                limit = at
                break
            last = at
        if last is None:
            return point
        return replace(point, span=replace(span, start=min(next_midnight(last, self._zone), limit)))


def _is_contrary(seen: Point, change: Point) -> bool:
    """Whether what was observed is so only before a change."""
    if change.is_start:
        return seen.key != change.key
    return change.key in ("", seen.key)
