"""Times as people and phones write them: what stands in the text, before anybody decides what it means.

Which of two numbers is the day, which date a time of day belongs to and in which zone it is meant is told by
other lines of the file, or by the person: see ``dating``.
"""

from __future__ import annotations

import re
from datetime import date, time, timedelta
from typing import NamedTuple

from palace.mining.readers.reading import DateOrder
from palace.mining.readers.times.months import MONTH, MONTHS, WEEKDAY

LONGEST = 64
"""Characters of the longest time that is looked at."""

MARKS = "\u200b\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff"
"""What phones put around times and names to steer the direction of writing: no part of either."""

_BLANKS = {ord(blank): " " for blank in "\u00a0\u2007\u2009\u202f\u3000\t"}
_MARKS = re.compile(f"[{MARKS}]")

_HALF = r"(?:a\.? ?m\.?|p\.? ?m\.?)(?![a-z])"
_EARLY = r"午前|上午|凌晨|早上|오전|ص(?!\w)|صباح[اً]*(?!\w)"
_LATE = r"午後|下午|晚上|오후|م(?!\w)|مساء[اً]*(?!\w)"
_ZONE = r"z|utc|gmt|(?:utc|gmt)? ?[+\-−]\d{1,2}(?::?\d\d)?"
_CLOCK = (
    rf"(?:(?P<half_before>{_EARLY}|{_LATE}) ?)?"
    r"(?P<hour>\d{1,2})(?P<mark>[:.h時点시] ?)(?P<minute>\d\d)(?:分|분)?"
    r"(?:[:.](?P<second>\d\d)(?:[.,](?P<fraction>\d{1,9}))?)?"
    rf"(?: ?(?P<half>{_HALF}|{_EARLY}|{_LATE}))?(?: ?uhr| h(?![a-z]))?(?: ?(?P<zone>{_ZONE})(?![a-z0-9:]))?"
)
_ORDINAL = r"(?:st|nd|rd|th|\.|er|º)?"
_DAY_NAME = rf"(?:le |am |on )?(?:(?:{WEEKDAY})\.?,? )?"
_DATE = (
    rf"{_DAY_NAME}(?:"
    r"(?P<iso_year>\d{4})(?:(?P<iso_mark>[-/.])|[年년]) ?"
    r"(?P<iso_month>\d{1,2})(?:(?P=iso_mark)|[月월]) ?(?P<iso_day>\d{1,2})"
    r"(?:[日일]|\.(?!\d))?"
    r"|(?P<first>\d{1,2})(?P<separator>[./-]) ?(?P<second_number>\d{1,2})(?P=separator) ?"
    r"(?P<year>\d{4}|['’]?\d\d)(?!\d)\.?"
    rf"|(?P<day>\d{{1,2}}){_ORDINAL}[ -](?:of |de )?(?P<month>{MONTH})\.?,?[ -](?:de |of )?(?P<named_year>\d{{4}})"
    rf"|(?P<month_before>{MONTH})\.? (?P<day_after>\d{{1,2}}){_ORDINAL},? (?P<year_after>\d{{4}})"
    r")(?:\((?:月|火|水|木|金|土|日)\)| ?[월화수목금토일]요일)?"
)
_BETWEEN = r"(?:t|,? (?:at|um|à|a las|às|alle|ore|om|kl\.?|klo|[-–—@·|]) |[,،.]? ?)"
_WRITTEN = (
    re.compile(f"{_DATE}(?:{_BETWEEN}{_CLOCK})?", re.IGNORECASE),
    re.compile(f"{_CLOCK}(?:,? {_DATE})?", re.IGNORECASE),
)
BEGINNING = rf"(?:\d|(?:le |am |on )?(?:{WEEKDAY}|{MONTH})\b|{_EARLY}|{_LATE})"
"""Matches what every written time begins with."""
_LEADING = re.compile(
    rf"(?={BEGINNING})(?:{_DATE}(?:{_BETWEEN}{_CLOCK})?|{_CLOCK.replace('(?P<', '(?P<own_')})(?!\w|:\d)", re.IGNORECASE
)
MOMENT = f"{_DATE}{_BETWEEN}{_CLOCK}"
"""Matches a date with a time of day, where blanks are plain and case does not count."""


class WrittenDate(NamedTuple):
    """A date of three numbers; only the text around it may say which of the first two is the day."""

    year: int
    first: int
    second: int
    order: DateOrder | None
    """None where both are possible ways of writing."""
    is_dotted: bool = False
    """Written with dots: nobody who does puts the month first."""

    @property
    def is_open(self) -> bool:
        """Tell whether it makes a date either way, and not the same one."""
        return self.order is None and max(self.first, self.second) <= 12 and self.first != self.second

    @property
    def shows(self) -> DateOrder | None:
        """Tell which order it shows by a number that can be no month; None for none."""
        if self.order is not None or (self.first > 12) == (self.second > 12):
            return None
        return DateOrder.DAY_FIRST if self.first > 12 else DateOrder.MONTH_FIRST

    def on(self, order: DateOrder) -> date:
        """Give the date, read in an order where nothing in it shows another.

        Raises:
            ValueError: there is no such day.
        """
        day_first = (self.order or self.shows or order) is DateOrder.DAY_FIRST
        day, month = (self.first, self.second) if day_first else (self.second, self.first)
        return date(self.year, month, day)


class Written(NamedTuple):
    """A time as it stands in a text: a date, a time of day, or both."""

    date: WrittenDate | None
    clock: time | None
    offset: timedelta | None = None
    """East of UTC, where one is written."""
    is_half_day: bool = False
    """Told with AM or PM, as people do who put the month first."""


def read_written(text: str) -> Written | None:
    """Read a whole text as a time; None where it is none, or one that no clock or calendar has."""
    plain = plain_blanks(_MARKS.sub("", text)).strip(" ,")
    if not plain or len(plain) > LONGEST:
        return None
    for pattern in _WRITTEN:
        found = pattern.fullmatch(plain)
        if found:
            try:
                return _written(found.groupdict())
            except ValueError:
                return None
    return None


def leading_time(text: str, at: int = 0) -> str | None:
    """Find the time that stands at a place of a text with plain blanks, the longest there is; None where none does."""
    found = _LEADING.match(text, at)
    return found.group() if found else None


def plain_blanks(text: str) -> str:
    """Make every blank an ordinary space; the length stays."""
    return text.translate(_BLANKS)


def _written(found: dict[str, str | None]) -> Written:
    half = (found["half"] or found["half_before"] or "").casefold()
    clock = _clock(found, half) if found["hour"] else None
    day, zone = _date(found), found["zone"] or ""
    if day is None and zone[:1] in ("-", "−"):
        raise ValueError("a stretch of time, not a time with its offset")
    return Written(day, clock, _offset(zone), half[:1] in ("a", "p"))


def _clock(found: dict[str, str | None], half: str) -> time:
    hour, minute, second = int(found["hour"] or 0), int(found["minute"] or 0), int(found["second"] or 0)
    if half:
        if not 1 <= hour <= 12 and not half[0].isascii() and hour == 0:
            hour = 12
        elif not 1 <= hour <= 12:
            raise ValueError("no hour of a half day")
        is_late = half.startswith("p") or re.fullmatch(_LATE, half) is not None
        hour = hour % 12 + 12 * is_late
    micro = int((found["fraction"] or "0").ljust(6, "0")[:6])
    return time(hour, minute, 59 if second == 60 else second, micro)


def _date(found: dict[str, str | None]) -> WrittenDate | None:
    if found["iso_year"]:
        return _named(found["iso_year"], found["iso_month"], found["iso_day"])
    if found["first"]:
        year = int((found["year"] or "").lstrip("'’"))
        first, second = int(found["first"]), int(found["second_number"] or 0)
        if not (1 <= min(first, second) <= 12 and max(first, second) <= 31):
            raise ValueError("no day of any month")
        full = year if year >= 100 else year + (2000 if year < 70 else 1900)
        return WrittenDate(full, first, second, None, found["separator"] == ".")
    if found["day"]:
        return _named(found["named_year"], str(MONTHS[(found["month"] or "").casefold()]), found["day"])
    if found["day_after"]:
        return _named(found["year_after"], str(MONTHS[(found["month_before"] or "").casefold()]), found["day_after"])
    return None


def _named(year: str | None, month: str | None, day: str | None) -> WrittenDate:
    found = WrittenDate(int(year or 0), int(day or 0), int(month or 0), DateOrder.DAY_FIRST)
    found.on(DateOrder.DAY_FIRST)
    return found


def _offset(zone: str) -> timedelta | None:
    if not zone:
        return None
    digits = re.sub(r"\D", "", zone)
    if not digits:
        return timedelta(0)
    hours, minutes = (int(digits[:-2]), int(digits[-2:])) if len(digits) > 2 else (int(digits), 0)
    if hours > 18 or minutes > 59:
        raise ValueError("no offset")
    sign = -1 if re.search(r"[-−]", zone) else 1
    return sign * timedelta(hours=hours, minutes=minutes)
