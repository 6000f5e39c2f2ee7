"""Stretches of local time: days, weeks, months, seasons and years around a moment.

Arithmetic is made on dates and put into the zone last, so a day that is 23 or 25 hours long is still one day.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from enum import Enum, StrEnum
from typing import NamedTuple

from palace.models import Span

EARLIEST, LATEST = date(1800, 1, 1), date(2200, 1, 1)
"""Where a stretch that is open at one side begins or ends ("before 2020"); nobody converses about a time outside."""

DAY = timedelta(days=1)


class Tense(StrEnum):
    """Which way an expression without a year points: "in May" is the latest May or the next one."""

    PAST = "past"
    FUTURE = "future"


@dataclass(frozen=True, slots=True)
class TimeWindow:
    """A stretch of time that a text speaks of."""

    start: datetime
    end: datetime
    """The moment after the last one; like the start, in the time zone of the moment it was resolved against."""
    span: Span
    """The expression's place in the text, with the preposition that belongs to it."""
    softness: timedelta
    """How far outside its edges what is meant may well lie: hours for a date, weeks for "a couple of months ago"."""
    is_relative: bool = False
    """Whether it is told from the moment of speaking ("yesterday", "last May"): at another it means another time."""

    @property
    def widest(self) -> tuple[datetime, datetime]:
        """The stretch with what lies that far outside, in UTC; it ends where the calendar does."""
        return _moved(self.start, -self.softness), _moved(self.end, self.softness)


def _moved(moment: datetime, by: timedelta) -> datetime:
    try:
        return moment.astimezone(UTC) + by
    except OverflowError:
        return datetime.min.replace(tzinfo=UTC) if by < timedelta() else datetime.max.replace(tzinfo=UTC)


class Grain(Enum):
    """The unit an expression speaks in, and how exact its edges are when people use it."""

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
    """Days ``[first, end)``."""

    first: date
    end: date


class Period(NamedTuple):
    """A stretch of time before it is known where in the text it stands."""

    start: datetime
    end: datetime
    softness: timedelta
    grain: Grain


@dataclass(frozen=True, slots=True)
class Clock:
    """The moment that expressions are resolved against, and which way they point."""

    now: datetime
    tense: Tense

    @property
    def today(self) -> date:
        return self.now.date()

    def at(self, day: date, hour: int = 0, minute: int = 0) -> datetime:
        """Name a local time of a day."""
        return datetime.combine(day, time(hour, minute), self.now.tzinfo)

    def days(self, dates: Dates, grain: Grain, softness: timedelta | None = None) -> Period:
        """Put days into the zone; without a softness of their own their edges are as exact as the unit's."""
        return Period(self.at(dates.first), self.at(dates.end), grain.value if softness is None else softness, grain)

    def around(self, moment: datetime) -> Clock:
        """Tell the time of another moment."""
        return Clock(moment, self.tense)


def elapsed(moment: datetime, by: timedelta) -> datetime:
    """Move a moment by time that really passes, whatever clocks do meanwhile; it stays in its zone."""
    zone: tzinfo | None = moment.tzinfo
    return (moment.astimezone(UTC) + by).astimezone(zone)


def one_day(day: date) -> Dates:
    """Take a day as a stretch."""
    return Dates(day, day + DAY)


def add_months(day: date, months: int) -> date:
    """Move a date by calendar months; the 31st becomes the last day of a shorter month."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    first = date(year, month + 1, 1)
    return min(first + (day.day - 1) * DAY, month_of(year, month + 1).end - DAY)


def month_of(year: int, month: int) -> Dates:
    """Take a calendar month."""
    return Dates(date(year, month, 1), date(year + month // 12, month % 12 + 1, 1))


def years_from(year: int, count: int = 1) -> Dates:
    """Take calendar years."""
    return Dates(date(year, 1, 1), date(year + count, 1, 1))


def season_of(year: int, season: str) -> Dates:
    """Take a meteorological season of the northern half of the earth; a winter belongs to the year it begins in."""
    month = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}[season]
    first = date(year, month, 1)
    return Dates(first, add_months(first, 3))


def unit_around(day: date, unit: str, steps: int = 0) -> Dates:
    """Take the calendar unit that a day lies in, or one some steps later; weeks begin on Monday."""
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
    """List in order what comes back every year, over the years around; leap days come back less often."""
    for year in range(clock.today.year - 9, clock.today.year + 10):
        try:
            yield in_year(year)
        except ValueError:
            continue


def pick(clock: Clock, in_year: Callable[[int], Dates], which: str | None) -> Dates:
    """Choose the one that is meant of what comes back every year.

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
