"""Assertions prepared for the fold: in order of time, with dates as spans, and with what retracted each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from palace.models.claims import Action, Precision, VagueDate
from palace.models.graph import Assertion

_EXACTNESS = {precision: place for place, precision in enumerate(Precision)}
_MONTHS = {Precision.MONTH: 1, Precision.SEASON: 3, Precision.YEAR: 12, Precision.VAGUE: 12}
_FIRST = datetime.min.replace(tzinfo=UTC)
_LAST = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Span:
    """The range of time that a date may mean."""

    start: datetime
    end: datetime
    """Exclusive, after ``start``."""
    precision: Precision

    def is_finer_than(self, other: Span) -> bool:
        """Check whether this date is more precise."""
        return _EXACTNESS[self.precision] < _EXACTNESS[other.precision]

    def by(self, moment: datetime) -> Span:
        """Return the part of it before a moment; all of it if it does not begin earlier."""
        return replace(self, end=min(self.end, moment)) if self.start < moment else self

    def is_apart_from(self, other: Span) -> bool:
        """Check whether the two do not overlap."""
        return self.end <= other.start or other.end <= self.start


def span_of(told: VagueDate, zone: tzinfo) -> Span:
    """Return the span of a date in a zone: its day, month, three months or year; a vague one is a year long."""
    start = _midnight(told.day, zone)
    end = _midnight(_day_after(told), zone)
    return Span(start, max(end, start + timedelta(microseconds=1)) if start < _LAST else _LAST, told.precision)


def later(moment: datetime, by: timedelta) -> datetime:
    """Return a later moment, or the last possible one if that exceeds the calendar."""
    try:
        return moment + by
    except OverflowError:
        return _LAST


def next_midnight(moment: datetime, zone: tzinfo) -> datetime:
    """Return the start of the day after a moment's, in UTC."""
    try:
        return _midnight(moment.astimezone(zone).date() + timedelta(days=1), zone)
    except OverflowError:
        return _LAST


def _day_after(told: VagueDate) -> date:
    months = _MONTHS.get(told.precision)
    try:
        if months is None:
            return told.day + timedelta(days=1)
        years, month = divmod(told.day.month - 1 + months, 12)
        return told.day.replace(year=told.day.year + years, month=month + 1, day=1)
    except (OverflowError, ValueError):
        return date.max


def _midnight(day: date, zone: tzinfo) -> datetime:
    try:
        return datetime.combine(day, time.min, tzinfo=zone).astimezone(UTC)
    except OverflowError:
        return _FIRST if day.year == 1 else _LAST


VALUES = frozenset({Action.HOLDS, Action.BEGINS, Action.CORRECTS, Action.HAPPENS})
"""Actions that state that something is or will be true."""
_WITHOUT_OBJECT = frozenset({Action.ENDS, Action.DENIES, Action.CORRECTS, Action.HOLDS})
"""Actions that may refer to any value: it ended, was wrong, or goes on after all."""


@dataclass(slots=True)
class Statement:
    """One assertion."""

    order: int
    """Its index in order of time."""
    assertion: Assertion
    action: Action
    """Its effect; for a correction, that of the statement it replaced."""
    key: str
    """Key of its object."""
    learned: datetime
    """When it became known, in UTC."""
    start: Span | None
    """Its own start, or that of the statement it corrects."""
    end: Span | None
    taken_back_by: Statement | None = None

    def stands_at(self, moment: datetime) -> bool:
        """Check whether it was known at a moment and not yet retracted."""
        return self.learned <= moment and (self.taken_back_by is None or moment < self.taken_back_by.learned)

    @property
    def is_value(self) -> bool:
        """Check whether it states that something is or will be true."""
        return self.action in VALUES and bool(self.key)

    @property
    def is_going_on(self) -> bool:
        """Check whether it states that the current value does not end after all."""
        return self.action is Action.HOLDS and not self.key

    @property
    def is_undated(self) -> bool:
        """Check whether it has no date."""
        return self.start is None and self.end is None

    @property
    def is_observation(self) -> bool:
        """Check whether it states that its value is true at the time of saying."""
        if self.end is not None and self.end.start <= self.learned:
            return False
        if self.action is Action.HOLDS:
            return self.start is None or self.start.start <= self.learned
        return self.action is Action.BEGINS and self.start is None


def told(assertions: Iterable[Assertion], zone: tzinfo, *, is_event: bool, is_single: bool) -> list[Statement]:
    """Return assertions as statements in order of time, which does not depend on when their drawers were mined."""
    ordered = sorted((a for a in assertions if a.object_key or a.action in _WITHOUT_OBJECT), key=_telling)
    statements = [_statement(order, assertion, zone) for order, assertion in enumerate(ordered)]
    for statement in statements:
        if not statement.key and statement.action is Action.CORRECTS:
            statement.action = Action.DENIES
        elif is_single and statement.action is Action.HAPPENS:
            statement.action = Action.BEGINS
        elif is_event and statement.start and statement.action in (Action.HOLDS, Action.BEGINS, Action.WAS):
            statement.action = Action.HAPPENS
    if is_single:
        _give_way(statements)
    return statements


def end_by_telling(statements: Iterable[Statement]) -> None:
    """Cut the dates of reported events off at the time of the report, however vague they are."""
    for statement in statements:
        if statement.action is Action.HAPPENS and statement.start and statement.start.start < statement.learned:
            statement.start = statement.start.by(statement.learned)
            statement.end = statement.end and statement.end.by(statement.learned)


def _give_way(statements: Iterable[Statement]) -> None:
    """Treat undated values as past if another value with a known time was filed later.

    The time of filing does not order statements of one import: its first message was filed first, however late it was
    said. Such a value was true at some unknown time, and ends nothing that has a date.
    """
    statements = list(statements)
    newest: dict[str, datetime] = {}
    for statement in statements:
        filed = statement.assertion.filed_at
        if filed is not None and statement.assertion.is_dated and statement.is_value:
            newest[statement.key] = max(filed, newest.get(statement.key, filed))
    for statement in statements:
        filed = statement.assertion.filed_at
        if filed is None or statement.assertion.is_dated or not (statement.is_undated and statement.is_observation):
            continue
        if any(key != statement.key and filed < other for key, other in newest.items()):
            statement.action = Action.WAS


def ids(statements: Iterable[Statement]) -> tuple[int, ...]:
    """Return the ids of the statements' assertions in order of time, each once."""
    return tuple(s.assertion.id for s in sorted({s.order: s for s in statements}.values(), key=lambda s: s.order))


def _telling(assertion: Assertion) -> tuple[object, ...]:
    a = assertion
    dates = (*_sortable(a.valid_from), *_sortable(a.valid_to))
    learned = a.learned_at.astimezone(UTC)
    return (learned, a.position, a.ordinal, a.object_key, a.action, *dates, a.object, a.object_id or 0, a.id)


def _sortable(told: VagueDate | None) -> tuple[str, str]:
    return (told.day.isoformat(), told.precision) if told else ("", "")


def _statement(order: int, assertion: Assertion, zone: tzinfo) -> Statement:
    start = span_of(assertion.valid_from, zone) if assertion.valid_from else None
    end = span_of(assertion.valid_to, zone) if assertion.valid_to else None
    learned = assertion.learned_at.astimezone(UTC)
    if assertion.action is Action.ENDS:
        start, end = None, end or start
    elif start and end and end.start <= start.start:
        start, end = _in_order(start, end)
    return Statement(order, assertion, assertion.action, assertion.object_key, learned, start, end)


def _in_order(start: Span, end: Span) -> tuple[Span | None, Span]:
    """Order two spans: "from 2019 to 2019" ends with the year; an end before the start discards the start."""
    if end.end <= start.start:
        return None, end
    return start, Span(end.end, later(end.end, end.end - end.start), end.precision)


def exact(moment: datetime) -> Span:
    """Return the span of an exact moment."""
    return Span(moment, moment, Precision.MOMENT)
