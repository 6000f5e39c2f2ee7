"""Times told in numbers: dates as they are written, days of a month, years, quarters, decades."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

from palace.nlp.time.named import year_of
from palace.nlp.time.periods import DAY, Clock, Dates, Grain, Period, Tense, add_months, one_day, pick, years_from
from palace.nlp.time.vocabulary import BOUNDS, MONTHS, ORDINALS, WEEKDAYS, Words, ordinal_of, place_of

_HALF_A_DAY = timedelta(hours=12)
_WIDEST = timedelta(days=60)
"""How soft a date is at most whose day and month may be the other way round."""

_DECADES = {
    word: 1900 + 10 * tens for tens, word in enumerate(("fifties", "sixties", "seventies", "eighties", "nineties"), 5)
}


_BEFORE_DAY = BOUNDS | {"on", "for", "of"}
_BEFORE_YEAR = BOUNDS | {"in", "during", "throughout", "part"}


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
    """Choose the year, of the last, this and the next, in which a day is the weekday that stands before it."""
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
    """Read the month first as in the United States, unless there is none by that number."""
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
    decade = words["decade"]
    if decade in _DECADES:
        return clock.days(years_from(_DECADES[decade], 10), Grain.DECADE)
    year = int(decade.strip("'s"))
    return clock.days(years_from(year if year > 99 else 1900 + year, 10), Grain.DECADE)


def _leads_date(words: Words, written: str) -> frozenset[str] | None:
    """Want a word before "may 5", "the 5th may" and "May first", which may be told otherwise than as a date."""
    told = words["year"] or words["relative"] or words["of"]
    start = words.start("month") - words.start()
    is_verb = words["month"] in ("march", "may") and written[start].islower()
    return None if told or not (is_verb or words["day"] in ORDINALS) else _BEFORE_DAY


def _leads_day(words: Words, _written: str) -> frozenset[str] | None:
    return None if words["which"] else _BEFORE_DAY - {"for", "of"}


def _leads_year(words: Words, _written: str) -> frozenset[str] | None:
    return None if "year" in words[0] else _BEFORE_YEAR


def _leads_quarter(words: Words, _written: str) -> frozenset[str] | None:
    return None if words["year"] or words["relative"] else _BEFORE_YEAR


def _leads_decade(words: Words, _written: str) -> frozenset[str] | None:
    sure = words[0].startswith("the") or len(words["decade"]) > 4
    return _BEFORE_YEAR if sure else frozenset({"part"})


def _leads_slashes(words: Words, _written: str) -> frozenset[str] | None:
    return None if words["weekday"] else _BEFORE_DAY - {"of"}


READS = {
    "date": _date,
    "in_figures": _in_figures,
    "slashes": _slashes,
    "day_of_month": _day_of_month,
    "year": _year,
    "quarter": _quarter,
    "decade": _decade,
}
LEADS = {
    "date": _leads_date,
    "day": _leads_day,
    "year": _leads_year,
    "quarter": _leads_quarter,
    "decade": _leads_decade,
    "slashes": _leads_slashes,
}
