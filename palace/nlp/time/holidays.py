"""Holidays whose date is fixed or can be computed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from functools import partial
from typing import Any

from palace.nlp.rules import rules
from palace.nlp.time.periods import DAY, Dates


def easter(year: int) -> date:
    """Compute Easter Sunday of the Gregorian calendar (the algorithm of Meeus, Jones and Butcher)."""
    golden, (century, rest) = year % 19, divmod(year, 100)
    skipped, correction = divmod(century, 4)
    leaps, common = divmod(rest, 4)
    proemptosis = (century - (century + 8) // 25 + 1) // 3
    epact = (19 * golden + century - skipped - proemptosis + 15) % 30
    weekday = (32 + 2 * correction + 2 * leaps - epact - common) % 7
    shift = (golden + 11 * epact + 22 * weekday) // 451
    month, day = divmod(epact + weekday - 7 * shift + 114, 31)
    return date(year, month, day + 1)


def nth_weekday(year: int, month: int, weekday: int, nth: int) -> date:
    """Find a month's nth weekday, Monday being 0; -1 is the month's last."""
    if nth < 0:
        last = date(year + month // 12, month % 12 + 1, 1) - DAY
        return last - timedelta(days=(last.weekday() - weekday) % 7)
    first = date(year, month, 1)
    return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (nth - 1))


def _days_in(year: int, holiday: Mapping[str, Any]) -> Dates:
    if "easter" in holiday:
        first = easter(year) + holiday["easter"] * DAY
    elif "weekday" in holiday:
        first = nth_weekday(year, *holiday["weekday"]) + holiday.get("later", 0) * DAY
    else:
        first = date(year, *holiday["on"])
    return Dates(first, first + holiday.get("days", 1) * DAY)


HOLIDAYS: dict[str, Callable[[int], Dates]] = {
    each["pattern"]: partial(_days_in, holiday=each) for each in rules("times", "english").table("holidays")
}
"""How each is written, as a pattern on lower-case text, and its days in a year."""
