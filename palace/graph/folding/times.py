"""Vague dates as spans of time in UTC."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from palace.models.claims import Precision, VagueDate

_EXACTNESS = {precision: place for place, precision in enumerate(Precision)}
_MONTHS = {Precision.MONTH: 1, Precision.SEASON: 3, Precision.YEAR: 12, Precision.VAGUE: 12}
_FIRST = datetime.min.replace(tzinfo=UTC)
_LAST = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Span:
    """All the time a date may mean."""

    start: datetime
    end: datetime
    """Exclusive, after ``start``."""
    precision: Precision

    def is_finer_than(self, other: Span) -> bool:
        """Say whether this is told more exactly."""
        return _EXACTNESS[self.precision] < _EXACTNESS[other.precision]

    def by(self, moment: datetime) -> Span:
        """Return as much of it as lies before a moment; itself where it begins no sooner."""
        return replace(self, end=min(self.end, moment)) if self.start < moment else self

    def is_apart_from(self, other: Span) -> bool:
        """Say whether the two have no moment in common."""
        return self.end <= other.start or other.end <= self.start


def span_of(told: VagueDate, zone: tzinfo) -> Span:
    """Return the span of a date in a zone: its day, month, three months or year; a vague one is a year long."""
    start = _midnight(told.day, zone)
    end = _midnight(_day_after(told), zone)
    return Span(start, max(end, start + timedelta(microseconds=1)) if start < _LAST else _LAST, told.precision)


def later(moment: datetime, by: timedelta) -> datetime:
    """Return a moment that is later, the last there is where the calendar ends before it."""
    try:
        return moment + by
    except OverflowError:
        return _LAST


def next_midnight(moment: datetime, zone: tzinfo) -> datetime:
    """Return the beginning of the day after a moment's, in UTC."""
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
