"""Times told in numbers: dates as they are written, days of a month, years, quarters, decades."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

from palace.text.times.named import year_of
from palace.text.times.periods import DAY, Clock, Dates, Grain, Period, Tense, add_months, one_day, pick, years_from
from palace.text.times.vocabulary import (
    BOUNDS,
    MONTH,
    MONTHS,
    NOT_COUNTED,
    OF_YEAR,
    ORDINAL,
    ORDINALS,
    WEEKDAY,
    WEEKDAYS,
    YEAR,
    Rule,
    Words,
    ordinal_of,
    place_of,
)

_HALF_A_DAY = timedelta(hours=12)
_WIDEST = timedelta(days=60)
"""How soft a date is at most whose day and month may be the other way round."""

_DECADES = {
    word: 1900 + 10 * tens for tens, word in enumerate(("fifties", "sixties", "seventies", "eighties", "nineties"), 5)
}

_APART = r"(?<![\w.,:/$€£#+-])"
_SUFFIX = r"(?:st|nd|rd|th)"
_FIGURES = rf"[0-9]{{1,2}}(?:{_SUFFIX}|(?!\w))"
_ANY_YEAR = r"(?:1[89]|20)[0-9]{2}"
_FIGURES_END = r"(?![-/.]?[0-9])"
_UPTO = rf"(?:(?: ?[-–] ?| to | through | until | till )(?:{WEEKDAY},? )?(?P<last>[0-9]{{1,2}}){_SUFFIX}?(?![\w:]))"
_NO_UNIT = r"(?![%°$€£]|[.:][0-9]|\s{0,2}(?:people|times|miles|km|kilomet|hours|minutes|days|weeks)\b)"
_NAMED = rf"(?:(?P<weekday>{WEEKDAY}),? (?:the )?)?"
_SPOKEN_NEXT = (
    r"(?=\s*(?:[,;:!?)]|\.(?!\w)|$)|\s+(?:i|we|you|he|she|they|it|at|in|and|or|to|with|my|our|the|because|when|for|but"
    r"|was|were|is|did|so|as|if|after|before|until|from|too|though|tho|again|btw|lol|haha|tbh|fyi|yay)\b)"
)

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


RULES = (
    Rule(
        "month",
        rf"{_NAMED}(?P<month>{MONTH}) (?P<of>)(?:the )?(?P<day>{ORDINAL}|{_FIGURES}){_UPTO}?(?:{OF_YEAR}|{_NO_UNIT})",
        _date,
        _leads_date,
    ),
    Rule(
        "month",
        rf"{_NAMED}(?:the )?{_APART}(?P<day>{ORDINAL}(?= of)|{_FIGURES}){_UPTO}? "
        rf"(?P<of>of )?(?P<month>{MONTH}){OF_YEAR}?",
        _date,
        _leads_date,
    ),
    Rule(
        "digit",
        rf"{_NAMED}{_APART}(?P<year>{_ANY_YEAR})(?P<mark>[-/.])(?P<month>[0-9]{{1,2}})(?P=mark)(?P<day>[0-9]{{1,2}})"
        rf"(?:t[0-9:.]{{4,16}}z?)?{_FIGURES_END}",
        _in_figures,
    ),
    Rule(
        "digit",
        rf"{_NAMED}{_APART}(?P<day>[0-9]{{1,2}})\.(?: )?(?P<month>[0-9]{{1,2}})\.(?: )?"
        rf"(?P<year>{_ANY_YEAR}){_FIGURES_END}",
        _in_figures,
    ),
    Rule(
        "digit",
        rf"{_NAMED}{_APART}(?P<first>[0-9]{{1,2}})(?P<mark>[/-])(?P<second>[0-9]{{1,2}})"
        rf"(?:(?P=mark)(?={_ANY_YEAR})|/)(?P<year>{_ANY_YEAR}|[0-9]{{2}}){_FIGURES_END}",
        _slashes,
    ),
    Rule(
        "digit",
        rf"{_NAMED}{_APART}(?P<first>[0-9]{{1,2}})/(?P<second>[0-9]{{1,2}})(?P<year>){_FIGURES_END}{NOT_COUNTED}",
        _slashes,
        lambda words, _written: None if words["weekday"] else _BEFORE_DAY - {"of"},
    ),
    Rule(
        "digit",
        rf"(?:the )?{_APART}(?P<day>[0-9]{{1,2}}{_SUFFIX})(?: of (?P<which>last|this|next) month)?{_SPOKEN_NEXT}",
        _day_of_month,
        _leads_day,
    ),
    Rule("digit", rf"(?:the )?(?:year )?(?<![\w.,:/$€£#+])(?<![0-9]-)(?P<year>{YEAR})", _year, _leads_year),
    Rule(
        "digit",
        rf"{_APART}(?P<year>{_ANY_YEAR})(?: )?[-–](?: )?(?P<last>{YEAR})",
        _year,
    ),
    Rule("digit", rf"q(?P<quarter>[1-4]){OF_YEAR}?", _quarter, _leads_quarter),
    Rule(
        "digit",
        rf"(?:the )?(?P<decade>'?[5-9]0'?s|(?:1[89]|20)[0-9]0'?s|{'|'.join(_DECADES)})",
        _decade,
        _leads_decade,
    ),
)
