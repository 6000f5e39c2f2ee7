"""Times as they are written in haste, in the words of the calendar. Pure."""

from __future__ import annotations

import re
from functools import cache

from palace.nlp.time.rewriting import Say
from palace.nlp.time.vocabulary import MONTH

_DAYS = {
    "mon": "monday", "tue": "tuesday", "tues": "tuesday", "wed": "wednesday", "weds": "wednesday", "thu": "thursday",
    "thur": "thursday", "thurs": "thursday", "fri": "friday", "sat": "saturday", "sun": "sunday",
}  # fmt: skip
_FULL = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SHORT = {
    "tmrw": "tomorrow", "tmr": "tomorrow", "tomoz": "tomorrow", "2moro": "tomorrow", "tomorow": "tomorrow",
    "yday": "yesterday", "yest": "yesterday", "tonite": "tonight", "yrs": "years", "mths": "months", "mos": "months",
    "wks": "weeks", "hols": "holidays",
}  # fmt: skip
_ABBREVIATED = rf"(?P<day>{'|'.join(sorted(_DAYS, key=len, reverse=True))})\.?"
_DAY = rf"(?P<day>{'|'.join(_FULL)}|{'|'.join(sorted(_DAYS, key=len, reverse=True))})\.?"
_BY = (
    "after", "before", "between", "by", "coming", "from", "last", "next", "on", "past", "since", "this", "til", "till",
    "until",
)  # fmt: skip
_HABITS = ["a", "an", "ash", "black", "each", "easter", "every", "good", "holiday", "not", "the"]
_WHEN = r"(?:night|morning|evening|afternoon|lunchtime|[0-9]{1,2}(?::[0-9]{2})? ?(?:am|pm)|at [0-9])"
_ENDS = rf"(?= {_WHEN}\b|\s*(?:[.,;!?)]|$)| (?:i|we|he|she|they|at|with|to|in|for|from|and|but|my|our|so)\b)"
_FIGURES = (
    r"(?P<first>[0-9]{1,2})/(?P<second>[0-9]{1,2})(?:/(?:20)?[0-9]{2})?(?![/\w.,]?[0-9])(?! (?:cups?|of|tsp|inch))"
)


_FROM_MONTH = (
    rf"from(?= (?:the )?(?:early |mid |late |(?:start|beginning|middle|end) of )?{MONTH}(?!\w)"
    r"(?!.{0,12} (?:to|until|till|through|and) |.{0,8}[-–]))"
)
"""A month that something begins with, which is read as "between" without its other end: it is sure to be one there."""


def _not_behind(words: list[str]) -> str:
    return "".join(rf"(?<!\b{word} )" for word in words)


def _short_day(found: re.Match[str]) -> str:
    return _DAYS.get(found["day"], found["day"])


def _bare_day(found: re.Match[str]) -> str:
    return f"on {_short_day(found)}"


def _figures(found: re.Match[str]) -> str | None:
    """Read "31/12", whose first number can be no month, where nothing leads to it."""
    if int(found["first"]) > 31 or int(found["second"]) > 12 or int(found["first"]) <= 12:
        return None
    return f"on {found[0]}"


def _century(found: re.Match[str]) -> str:
    return f"{found['lead']} {20 if int(found['year']) < 50 else 19}{found['year']}"


def _counted(found: re.Match[str]) -> str:
    unit = {"w": "week", "m": "month", "y": "year"}[found["unit"][0]]
    return f"{found['count']} {unit}s"


_RULES: tuple[tuple[str, Say], ...] = (
    (rf"(?P<short>{'|'.join(_SHORT)})", lambda it: _SHORT[it["short"]]),
    (r"(?P<count>[0-9]{1,2})(?P<unit>yrs?|y|mths?|wks?)", _counted),
    (r"(?:starting|beginning|effective(?: from| on| as of)?|as of|as from)(?! of)(?= )", lambda _it: "between"),
    (_FROM_MONTH, lambda _it: "between"),
    (r"in (?:around|about|roughly|circa|ca\.?|approx\.?|like|maybe) (?=[0-9]{4})", lambda _it: "in "),
    (
        r"(?P<lead>in|since|until|till|from|summer|winter|spring|autumn|fall|of|back in) '(?P<year>[0-9]{2})(?!s)",
        _century,
    ),
    (rf"(?P<by>{'|'.join(_BY)}) {_ABBREVIATED}(?!')", lambda it: f"{it['by']} {_DAYS[it['day']]}"),
    (rf"{_not_behind([*_BY, *_HABITS])}(?<!, ){_DAY}{_ENDS}", _bare_day),
    (rf"(?<![\w/.,:$€£#+-]){_not_behind(['on', 'from', 'since', 'until', 'till', 'by'])}{_FIGURES}", _figures),
)

HINT = re.compile(
    r"[0-9]|from|mon|tue|wed|thu|fri|sat|sun|tmr|tomo|yday|yest|tonite|yrs|mths|mos|wks|hols|start|begin|effective"
    r"|as of|as from"
)
"""Without one of these nothing is written in haste."""


@cache
def rules() -> tuple[tuple[re.Pattern[str], Say], ...]:
    """Give the rules that write times out."""
    return tuple((re.compile(rf"(?<![\w'])(?:{rule})(?!\w)"), say) for rule, say in _RULES)
