"""Parses times as people and phones write them, without interpreting them.

The order of day and month, the date of a time of day and its zone depend on other lines of the file, or on the user:
see ``dating``.
"""

from __future__ import annotations

import re
from datetime import date, time, timedelta
from functools import cache
from typing import NamedTuple

from palace.mining.files.reading import DateOrder
from palace.nlp.rules import Rules

LONGEST = 64
"""Most characters of a time."""
MARKS = "\u200b\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff"
"""Direction marks that phones put around times and names; part of neither."""

_BLANKS = {ord(blank): " " for blank in "\u00a0\u2007\u2009\u202f\u3000\t"}
_LATIN_HALF = re.compile(r"[ap]\.? ?m")
_BUDDHIST = 2400
"""Years from this on are of the Buddhist calendar, 543 years ahead."""
_MARKS = re.compile(f"[{MARKS}]")
_RULES = Rules("readers", "times.toml")


@cache
def _months() -> dict[str, int]:
    return {name: number for number, line in enumerate(_RULES.table("months"), 1) for name in line.split("|")}


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(_RULES.source(name), re.IGNORECASE)


@cache
def _leading() -> re.Pattern[str]:
    beginning, day_first = _RULES.source("beginning"), _RULES.source("day_first")
    alone = _RULES.source("clock").replace("(?P<", "(?P<own_")
    return re.compile(rf"(?={beginning})(?:{day_first}|{alone})(?!\w|:\d)", re.IGNORECASE)


def beginning_pattern() -> str:
    """Return a pattern that matches the beginning of any written time."""
    return _RULES.source("beginning")


def moment_pattern() -> str:
    """Return a pattern of a date with a time of day; it needs plain spaces and IGNORECASE."""
    return _RULES.source("moment")


class WrittenDate(NamedTuple):
    """A date of three numbers; its context may decide which of the first two is the day."""

    year: int
    first: int
    second: int
    order: DateOrder | None
    """None if both orders are possible."""
    is_dotted: bool = False
    """Whether it is written with dots, which implies that the day comes first."""

    @property
    def is_open(self) -> bool:
        """Check whether both orders give a valid date, and different ones."""
        return self.order is None and max(self.first, self.second) <= 12 and self.first != self.second

    @property
    def shows(self) -> DateOrder | None:
        """Return the order implied by a number above 12, or None."""
        if self.order is not None or (self.first > 12) == (self.second > 12):
            return None
        return DateOrder.DAY_FIRST if self.first > 12 else DateOrder.MONTH_FIRST

    def on(self, order: DateOrder) -> date:
        """Return the date; ``order`` is used only if the date itself does not imply one.

        Raises:
            ValueError: there is no such day.
        """
        day_first = (self.order or self.shows or order) is DateOrder.DAY_FIRST
        day, month = (self.first, self.second) if day_first else (self.second, self.first)
        return date(self.year, month, day)


class WrittenTime(NamedTuple):
    """A time as written: a date, a time of day, or both."""

    date: WrittenDate | None
    clock: time | None
    offset: timedelta | None = None
    """Offset from UTC, positive to the east, if written."""
    is_half_day: bool = False
    """Whether it has AM or PM, which suggests that the month comes first."""


def parse_time(text: str) -> WrittenTime | None:
    """Parse a whole text as a time; return None for any other text or an impossible time."""
    plain = plain_blanks(_MARKS.sub("", text)).strip(" ,")
    if not plain or len(plain) > LONGEST:
        return None
    found = _pattern("day_first").fullmatch(plain) or _pattern("clock_first").fullmatch(plain)
    try:
        return _written(found.groupdict()) if found else None
    except ValueError:
        return None


def leading_time(text: str, at: int = 0) -> str | None:
    """Return the longest time at an offset of a text with plain spaces, or None."""
    found = _leading().match(text, at)
    return found.group() if found else None


def plain_blanks(text: str) -> str:
    """Replace every kind of space by an ordinary one; the length stays the same."""
    return text.translate(_BLANKS)


def _written(found: dict[str, str | None]) -> WrittenTime:
    half = (found["half"] or found["half_before"] or "").casefold()
    clock = _clock(found, half) if found["hour"] else None
    day, zone = _date(found), found["zone"] or ""
    if day is None and zone[:1] in ("-", "−"):
        raise ValueError("a stretch of time, not a time with its offset")
    return WrittenTime(day, clock, _offset(zone), _LATIN_HALF.match(half) is not None)


def _clock(found: dict[str, str | None], half: str) -> time:
    hour, minute, second = (int(found[name] or 0) for name in ("hour", "minute", "second"))
    if half:
        if hour == 0 and not _LATIN_HALF.match(half):
            hour = 12
        if not 1 <= hour <= 12:
            raise ValueError("no hour of a half day")
        is_latin = _LATIN_HALF.match(half) is not None
        is_late = half[0] == "p" if is_latin else re.fullmatch(_RULES.text("late"), half) is not None
        hour = hour % 12 + 12 * is_late
    micro = int((found["fraction"] or "0").ljust(6, "0")[:6])
    return time(hour, minute, 59 if second == 60 else second, micro)


def _date(found: dict[str, str | None]) -> WrittenDate | None:
    if found["iso_year"]:
        return _named(found["iso_year"], int(found["iso_month"] or 0), found["iso_day"])
    if found["first"]:
        year = int((found["year"] or "").lstrip("'’"))
        first, second = int(found["first"]), int(found["second_number"] or 0)
        if not (1 <= min(first, second) <= 12 and max(first, second) <= 31):
            raise ValueError("no day of any month")
        full = year if year >= 100 else year + (2000 if year < 70 else 1900)
        return WrittenDate(_common_year(full), first, second, None, found["separator"] == ".")
    if found["day"]:
        return _named(found["named_year"], _months()[(found["month"] or "").casefold()], found["day"])
    if found["day_after"]:
        return _named(found["year_after"], _months()[(found["month_before"] or "").casefold()], found["day_after"])
    return None


def _named(year: str | None, month: int, day: str | None) -> WrittenDate:
    found = WrittenDate(_common_year(int(year or 0)), int(day or 0), month, DateOrder.DAY_FIRST)
    found.on(DateOrder.DAY_FIRST)
    return found


def _common_year(year: int) -> int:
    return year - 543 if year >= _BUDDHIST else year


def _offset(zone: str) -> timedelta | None:
    if not zone:
        return None
    digits = re.sub(r"\D", "", zone)
    hours, minutes = (int(digits[:-2]), int(digits[-2:])) if len(digits) > 2 else (int(digits or 0), 0)
    if hours > 18 or minutes > 59:
        raise ValueError("no offset")
    sign = -1 if re.search(r"[-−]", zone) else 1
    return sign * timedelta(hours=hours, minutes=minutes)
