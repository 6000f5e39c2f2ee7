"""The time that a palace is about, cut into as many equal periods as a picture has room for. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from palace.records import Month

MOST = 48
"""Periods of a picture at most."""
_LENGTHS = (1, 3, 12, 60, 120, 600, 1200, 6000)
"""Months of a period, the shortest first; ``MOST`` of the longest are more than the calendar has."""
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of months, with what was said in it and until its end."""

    name: str
    """When it begins: "May 2025", or the year alone where it is a year or longer."""
    drawers: int
    until_then: int


@dataclass(frozen=True, slots=True)
class Periods:
    """All of them, those in which nothing was said included."""

    each: str
    """How long one is: "month", "10 years"."""
    shown: tuple[Period, ...]


def periods_of(months: Sequence[Month]) -> Periods:
    """Cut the time from the first month to the last; without months there is nothing to cut."""
    numbers = {12 * month.begins.year + month.begins.month - 1: month.drawers for month in months}
    if not numbers:
        return Periods("month", ())
    length = next(each for each in _LENGTHS if max(numbers) // each - min(numbers) // each < MOST)
    counted: Counter[int] = Counter()
    for number, drawers in numbers.items():
        counted[number // length] += drawers
    shown, until_then = list[Period](), 0
    for place in range(min(counted), max(counted) + 1):
        until_then += counted[place]
        shown.append(Period(_name(place * length, length), counted[place], until_then))
    return Periods(_in_words(length), tuple(shown))


def _in_words(length: int) -> str:
    return {1: "month", 3: "quarter", 12: "year"}.get(length, f"{length // 12} years")


def _name(number: int, length: int) -> str:
    year, month = divmod(number, 12)
    return f"{_MONTHS[month]} {year}" if length < len(_MONTHS) else str(year)
