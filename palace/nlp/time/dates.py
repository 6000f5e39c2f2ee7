"""Resolve times given by name or number: weekdays, months, seasons, holidays, dates, years, quarters, decades."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from functools import partial
from typing import Any

from palace.nlp.rules import rules
from palace.nlp.time.periods import (
    DAY,
    Clock,
    Dates,
    Grain,
    Period,
    Tense,
    add_months,
    month_of,
    one_day,
    pick,
    season_of,
    unit_around,
    years_from,
)
from palace.nlp.time.vocabulary import MONTHS, WEEKDAYS, Words, group_text, ordinal_of, place_of

_RULES = rules("times", "english")
_HALF_A_DAY = timedelta(hours=12)
_WIDEST = timedelta(days=60)
"""Most softness of a date whose day and month may be swapped."""


def easter(year: int) -> date:
    """Compute Easter Sunday in the Gregorian calendar (algorithm of Meeus, Jones and Butcher)."""
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
    """Return a month's nth weekday (Monday is 0); nth -1 is the last."""
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
    each["pattern"]: partial(_days_in, holiday=each) for each in _RULES.table("holidays")
}
"""Map each holiday, as a pattern on lower-case text, to the function that returns its days in a year."""


def year_of(words: Words, clock: Clock) -> int | None:
    """Return the year that an expression names; None for none."""
    named = words.groupdict()
    if named.get("year"):
        return int(named["year"])
    steps = {"last": -1, "this": 0, "next": 1}
    return clock.today.year + steps[named["relative"]] if named.get("relative") else None


def _which(words: Words) -> str | None:
    which = group_text(words, "which")
    return {"this past": "last", "past": "last", "this coming": "next", "coming": "next"}.get(which or "", which)


def _weekday(words: Words, clock: Clock) -> Period:
    today, wanted = clock.today, place_of(words["weekday"], WEEKDAYS)
    monday = unit_around(today, "week").first
    if words["week"]:
        steps = {"last": -7, "this": 0, "next": 7}[words["week"]]
        return clock.days(one_day(monday + DAY * (steps + wanted)), Grain.DAY)
    back = (today.weekday() - wanted - 1) % 7 + 1
    ahead = (wanted - today.weekday()) % 7
    which = group_text(words, "which")
    if which == "next":
        softness = None if wanted <= today.weekday() else timedelta(days=7)
        return clock.days(one_day(monday + DAY * (7 + wanted)), Grain.DAY, softness)
    if which == "this" and wanted <= today.weekday():
        ahead = wanted - today.weekday()
    if which in ("this", "this coming", "coming") or (which is None and clock.tense is Tense.FUTURE):
        return clock.days(one_day(today + DAY * (ahead or 7 * (which in ("this coming", "coming")))), Grain.DAY)
    ambiguous = which == "last" and wanted < today.weekday()
    return clock.days(one_day(today - DAY * back), Grain.DAY, timedelta(days=7) if ambiguous else None)


def _month(words: Words, clock: Clock) -> Period:
    month, year, which = place_of(words["month"], MONTHS) + 1, year_of(words, clock), _which(words)
    if which == "this":
        year = clock.today.year
    dates = month_of(year, month) if year else pick(clock, lambda year: month_of(year, month), which)
    return clock.days(dates, Grain.MONTH)


def _season(words: Words, clock: Clock) -> Period:
    season, year = words["season"], year_of(words, clock)
    dates = season_of(year, season) if year else pick(clock, lambda year: season_of(year, season), _which(words))
    return clock.days(dates, Grain.SEASON)


def _holiday(words: Words, clock: Clock) -> Period:
    name, year = group_text(words, "holiday"), year_of(words, clock)
    days = next(days for pattern, days in HOLIDAYS.items() if re.fullmatch(pattern, name or ""))
    dates: Dates = days(year) if year else pick(clock, days, _which(words))
    return clock.days(dates, Grain.DAY, timedelta(days=2))


def _bank_holiday(words: Words, clock: Clock) -> Period:
    """Resolve a bank holiday: Easter Monday, the first and last Monday of May, the last of August."""
    year = year_of(words, clock)
    mondays = [
        day
        for each in ([year] if year else range(clock.today.year - 1, clock.today.year + 2))
        for day in (
            easter(each) + DAY,
            *(nth_weekday(each, month, 0, nth) for month, nth in ((5, 1), (5, -1), (8, -1))),
        )
    ]
    if clock.tense is Tense.FUTURE:
        day = min(day for day in mondays if day >= clock.today)
    else:
        day = max(day for day in mondays if day <= clock.today)
    return clock.days(one_day(day), Grain.DAY)


def _date(words: Words, clock: Clock) -> Period:
    month, day, year = place_of(words["month"], MONTHS) + 1, ordinal_of(words["day"]), year_of(words, clock)
    days = int(words["last"]) - day + 1 if words["last"] else 1
    if days < 1:
        raise ValueError("the second day is before the first")

    def in_year(year: int) -> Dates:
        return Dates(date(year, month, day), date(year, month, day) + days * DAY)

    dates = in_year(year) if year else _on_weekday(words, clock, in_year) or pick(clock, in_year, None)
    return clock.days(dates, Grain.DAY, _HALF_A_DAY)


def _on_weekday(words: Words, clock: Clock, in_year: Callable[[int], Dates]) -> Dates | None:
    """Choose the year (last, this or next) in which a date falls on its stated weekday; None if not exactly one."""
    if not words["weekday"]:
        return None
    wanted, fitting = place_of(words["weekday"], WEEKDAYS), []
    for year in range(clock.today.year - 1, clock.today.year + 2):
        try:
            fitting += [dates for dates in (in_year(year),) if dates.first.weekday() == wanted]
        except ValueError:
            continue
    return fitting[0] if len(fitting) == 1 else None


def _in_figures(words: Words, clock: Clock) -> Period:
    day = date(int(words["year"]), int(words["month"]), int(words["day"]))
    return clock.days(one_day(day), Grain.DAY, _HALF_A_DAY)


def _slashes(words: Words, clock: Clock) -> Period:
    """Resolve "6/14" with the month first, as in the United States, unless that number is no month."""
    first, second = int(words["first"]), int(words["second"])
    month, day = (first, second) if first <= 12 else (second, first)
    year = int(words["year"]) if words["year"] else None
    if year is not None and year < 100:
        year += 2000 if year < 70 else 1900

    def in_year(year: int) -> Dates:
        return one_day(date(year, month, day))

    if not year and (dates := _on_weekday(words, clock, in_year)):
        return clock.days(dates, Grain.DAY, _HALF_A_DAY)
    if (
        not year
        and max(month, day) <= 12
        and (dates := _on_weekday(words, clock, lambda year: one_day(date(year, day, month))))
    ):
        return clock.days(dates, Grain.DAY, _HALF_A_DAY)
    dates = in_year(year) if year else pick(clock, in_year, None)
    if max(month, day) > 12 or month == day:
        return clock.days(dates, Grain.DAY, _HALF_A_DAY)
    other = date(dates.first.year, day, month)
    return clock.days(dates, Grain.DAY, min(abs(other - dates.first), _WIDEST))


def _day_of_month(words: Words, clock: Clock) -> Period | None:
    day, which = ordinal_of(words["day"]), words["which"]
    this_month = clock.today.replace(day=1)
    if which:
        first = add_months(this_month, {"last": -1, "this": 0, "next": 1}[which])
        return clock.days(one_day(first.replace(day=day)), Grain.DAY, _HALF_A_DAY)
    step = 1 if clock.tense is Tense.FUTURE else -1
    for months in range(4):
        first = add_months(this_month, step * months)
        meant = first + (day - 1) * DAY
        if meant.month == first.month and (meant - clock.today) * step >= timedelta(0):
            return clock.days(one_day(meant), Grain.DAY, _HALF_A_DAY)
    return None


def _year(words: Words, clock: Clock) -> Period:
    first, last = int(words["year"]), int(words.groupdict().get("last") or words["year"])
    return clock.days(Dates(date(first, 1, 1), date(last + 1, 1, 1)), Grain.YEAR)


def _quarter(words: Words, clock: Clock) -> Period:
    month, year = 3 * int(words["quarter"]) - 2, year_of(words, clock)

    def in_year(year: int) -> Dates:
        return Dates(date(year, month, 1), add_months(date(year, month, 1), 3))

    return clock.days(in_year(year) if year else pick(clock, in_year, None), Grain.QUARTER)


def _decade(words: Words, clock: Clock) -> Period:
    decade = words["named"] or words["decade"]
    year = _RULES.table("decades").get(decade) or int(decade.strip("'s"))
    return clock.days(years_from(year if year > 99 else 1900 + year, 10), Grain.DECADE)


READS = {
    "weekday": _weekday,
    "nothing": lambda _words, _clock: None,
    "month": _month,
    "season": _season,
    "holiday": _holiday,
    "bank_holiday": _bank_holiday,
    "date": _date,
    "in_figures": _in_figures,
    "slashes": _slashes,
    "day_of_month": _day_of_month,
    "year": _year,
    "quarter": _quarter,
    "decade": _decade,
}
