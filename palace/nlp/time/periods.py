"""Periods of local time: days, weeks, months, seasons and years around a moment.

Arithmetic is on dates, converted to the time zone last, so that a day of 23 or 25 hours is still one day.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from enum import Enum, StrEnum
from typing import NamedTuple

from palace.models import Span

EARLIEST, LATEST = date(1800, 1, 1), date(2200, 1, 1)
"""Start and end of a period that is open at one side ("before 2020")."""

DAY = timedelta(days=1)


class Tense(StrEnum):
    """Whether an expression without a year means the past or the future: "in May" is the last May or the next one."""

    PAST = "past"
    FUTURE = "future"


@dataclass(frozen=True, slots=True)
class TimeWindow:
    """A period of time that a text mentions."""

    start: datetime
    end: datetime
    """The end, exclusive; like the start, in the time zone of the moment it was resolved against."""
    span: Span
    """Offsets of the expression in the text, with its preposition."""
    softness: timedelta
    """How far beyond its edges the time may lie: hours for a date, weeks for "a couple of months ago"."""
    is_relative: bool = False
    """Whether its meaning depends on the moment of speaking ("yesterday", "last May")."""

    @property
    def widest(self) -> tuple[datetime, datetime]:
        """The window widened by its softness on both sides, in UTC, within the limits of ``datetime``."""
        return _moved(self.start, -self.softness), _moved(self.end, self.softness)


def _moved(moment: datetime, by: timedelta) -> datetime:
    try:
        return moment.astimezone(UTC) + by
    except OverflowError:
        return datetime.min.replace(tzinfo=UTC) if by < timedelta() else datetime.max.replace(tzinfo=UTC)


class Grain(Enum):
    """The unit of an expression; its value is the usual softness of its edges."""

    HOUR = timedelta(minutes=30)
    PART_OF_DAY = timedelta(hours=2)
    DAY = timedelta(hours=6)
    WEEKEND = timedelta(hours=12)
    WEEK = timedelta(days=1)
    MONTH = timedelta(days=3)
    QUARTER = timedelta(days=7)
    SEASON = timedelta(days=14)
    YEAR = timedelta(days=21)
    DECADE = timedelta(days=365)


class Dates(NamedTuple):
    """The days from ``first`` up to, but without, ``end``."""

    first: date
    end: date


class Period(NamedTuple):
    """A period of time, without a position in a text."""

    start: datetime
    end: datetime
    softness: timedelta
    grain: Grain


@dataclass(frozen=True, slots=True)
class Clock:
    """The moment and the tense that expressions are resolved against."""

    now: datetime
    tense: Tense

    @property
    def today(self) -> date:
        return self.now.date()

    def at(self, day: date, hour: int = 0, minute: int = 0) -> datetime:
        """Return a local time of a day in the zone of ``now``."""
        return datetime.combine(day, time(hour, minute), self.now.tzinfo)

    def days(self, dates: Dates, grain: Grain, softness: timedelta | None = None) -> Period:
        """Convert days to a period in the zone of ``now``; the default softness is the grain's."""
        return Period(self.at(dates.first), self.at(dates.end), grain.value if softness is None else softness, grain)

    def around(self, moment: datetime) -> Clock:
        """Return a clock of the same tense at another moment."""
        return Clock(moment, self.tense)


def elapsed(moment: datetime, by: timedelta) -> datetime:
    """Add elapsed time to a moment, across changes to or from daylight saving time; the zone stays."""
    zone: tzinfo | None = moment.tzinfo
    return (moment.astimezone(UTC) + by).astimezone(zone)


def one_day(day: date) -> Dates:
    """Return a day as a range of one day."""
    return Dates(day, day + DAY)


def add_months(day: date, months: int) -> date:
    """Add calendar months to a date; the 31st becomes the last day of a shorter month."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    first = date(year, month + 1, 1)
    return min(first + (day.day - 1) * DAY, month_of(year, month + 1).end - DAY)


def month_of(year: int, month: int) -> Dates:
    """Return the days of a calendar month."""
    return Dates(date(year, month, 1), date(year + month // 12, month % 12 + 1, 1))


def years_from(year: int, count: int = 1) -> Dates:
    """Return the days of ``count`` calendar years from a year on."""
    return Dates(date(year, 1, 1), date(year + count, 1, 1))


def season_of(year: int, season: str) -> Dates:
    """Return a meteorological season of the northern hemisphere; a winter belongs to the year in which it begins."""
    month = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}[season]
    first = date(year, month, 1)
    return Dates(first, add_months(first, 3))


def unit_around(day: date, unit: str, steps: int = 0) -> Dates:
    """Return the calendar unit that contains a day, or the one ``steps`` later; weeks begin on Monday."""
    if unit in ("week", "weekend"):
        monday = day + (7 * steps - day.weekday()) * DAY
        return Dates(monday + (5 * DAY if unit == "weekend" else 0 * DAY), monday + 7 * DAY)
    if unit == "month":
        return Dates(add_months(day.replace(day=1), steps), add_months(day.replace(day=1), steps + 1))
    if unit == "quarter":
        first = add_months(date(day.year, (day.month - 1) // 3 * 3 + 1, 1), 3 * steps)
        return Dates(first, add_months(first, 3))
    size = 10 if unit == "decade" else 1
    return years_from((day.year // size + steps) * size, size)


def occurrences(clock: Clock, in_year: Callable[[int], Dates]) -> Iterator[Dates]:
    """Yield in order a yearly event in the nine years before and after, skipping years without that day."""
    for year in range(clock.today.year - 9, clock.today.year + 10):
        try:
            yield in_year(year)
        except ValueError:
            continue


def pick(clock: Clock, in_year: Callable[[int], Dates], which: str | None) -> Dates:
    """Choose the occurrence of a yearly event that is meant.

    "last" has ended, "next" has not begun, "this" is the nearest one. Without such a word it is the latest that has
    begun, or in the future tense the first that has not ended. Raises ValueError for 30 February.
    """
    today, known = clock.today, list(occurrences(clock, in_year))
    if not known:
        raise ValueError("no year has that day")
    if which == "last":
        return [dates for dates in known if dates.end <= today][-1]
    if which == "next":
        return next(dates for dates in known if dates.first > today)
    if which == "this":
        return min(known, key=lambda dates: max(dates.first - today, today - dates.end))
    if clock.tense is Tense.FUTURE:
        return next(dates for dates in known if dates.end > today)
    return [dates for dates in known if dates.first <= today][-1]
