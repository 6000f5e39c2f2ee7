"""Times told by name: weekdays, months, seasons, holidays."""

from __future__ import annotations

import re
from datetime import timedelta

from palace.nlp.time.holidays import HOLIDAYS, easter, nth_weekday
from palace.nlp.time.periods import (
    DAY,
    Clock,
    Dates,
    Grain,
    Period,
    Tense,
    month_of,
    one_day,
    pick,
    season_of,
    unit_around,
)
from palace.nlp.time.vocabulary import BOUNDS, MONTHS, WEEKDAYS, Words, place_of, told

_BEFORE_WEEKDAY = BOUNDS | {"on"}
_BEFORE_MONTH = (BOUNDS - {"from", "by"}) | {"in", "during", "part"}
_BEFORE_SEASON = BOUNDS | {"in", "over", "during", "throughout", "part"}
_BEFORE_HOLIDAY = BOUNDS | {"in", "on", "at", "over", "for", "during", "part"}

_SURE_MONTHS = frozenset(MONTHS) - {"march", "april", "may", "june", "august"}
"""Months whose names are neither words nor names of people."""

_SHORT_WORDS = frozenset({"mon", "wed", "sat", "sun", "mar"})
"""Abbreviations that are words of their own in lower case."""


def year_of(words: Words, clock: Clock) -> int | None:
    """Read which year is named; None when none is."""
    named = words.groupdict()
    if named.get("year"):
        return int(named["year"])
    steps = {"last": -1, "this": 0, "next": 1}
    return clock.today.year + steps[named["relative"]] if named.get("relative") else None


def _which(words: Words) -> str | None:
    which = told(words, "which")
    return {"this past": "last", "past": "last", "this coming": "next", "coming": "next"}.get(which or "", which)


def _weekday(words: Words, clock: Clock) -> Period:
    today, wanted = clock.today, place_of(words["weekday"], WEEKDAYS)
    monday = unit_around(today, "week").first
    if words["week"]:
        steps = {"last": -7, "this": 0, "next": 7}[words["week"]]
        return clock.days(one_day(monday + DAY * (steps + wanted)), Grain.DAY)
    back = (today.weekday() - wanted - 1) % 7 + 1
    ahead = (wanted - today.weekday()) % 7
    which = told(words, "which")
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
    name, year = told(words, "holiday"), year_of(words, clock)
    days = next(days for pattern, days in HOLIDAYS.items() if re.fullmatch(pattern, name or ""))
    dates: Dates = days(year) if year else pick(clock, days, _which(words))
    return clock.days(dates, Grain.DAY, timedelta(days=2))


def _bank_holiday(words: Words, clock: Clock) -> Period:
    """Take the bank holiday Monday that is meant: Easter Monday, the first and the last of May, the last of August."""
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


def _leads_weekday(words: Words, written: str) -> frozenset[str] | None:
    if words["weekday"].rstrip(".") in _SHORT_WORDS and not written[words.start("weekday") - words.start()].isupper():
        return frozenset()
    return None if words["which"] or words["week"] or words["ends"] is not None else _BEFORE_WEEKDAY


def _leads_month(words: Words, written: str) -> frozenset[str] | None:
    if words["month"].rstrip(".") in _SHORT_WORDS and not written[words.start("month") - words.start()].isupper():
        return frozenset()
    is_sure = words["year"] or words["relative"] or words["which"]
    if words["which"] == "this" and words["month"] in ("march", "may") and written[-5:].islower():
        return frozenset()
    return None if is_sure or words["month"] in _SURE_MONTHS else _BEFORE_MONTH


def _leads_season(words: Words, _written: str) -> frozenset[str] | None:
    return None if words["which"] or words["year"] or words["relative"] else _BEFORE_SEASON


def _leads_holiday(words: Words, _written: str) -> frozenset[str] | None:
    return None if words["which"] or words["year"] or words["relative"] else _BEFORE_HOLIDAY


READS = {
    "weekday": _weekday,
    "nothing": lambda _words, _clock: None,
    "month": _month,
    "season": _season,
    "holiday": _holiday,
    "bank_holiday": _bank_holiday,
}
LEADS = {"weekday": _leads_weekday, "month": _leads_month, "season": _leads_season, "holiday": _leads_holiday}
