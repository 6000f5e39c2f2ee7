"""Times that are told in German, read as what is told in English. Pure.

"Letzte Woche" is put into English ("last week") and resolved as that, so that a time means the same in both.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from functools import cache

from palace.records import Span
from palace.text.times import Tense, TimeWindow, find_times
from palace.text.times.feasts import BLACK_FRIDAY, FEASTS
from palace.text.times.vocabulary import MONTHS, WEEKDAYS

_UNITS = {"tag": "day", "woche": "week", "monat": "month", "jahr": "year", "wochenende": "weekend"}
_WHICH = {"letzt": "last", "vorig": "last", "vergangen": "last", "dies": "this", "nächst": "next", "kommend": "next"}
_COUNTS = {
    "ein": "a", "paar": "few", "einig": "several", "mehrer": "several", "zwei": "two", "drei": "three", "vier": "four",
    "fünf": "five", "sechs": "six", "sieben": "seven", "acht": "eight", "neun": "nine", "zehn": "ten", "elf": "eleven",
    "zwölf": "twelve",
}  # fmt: skip
_DAYS = {
    "vorgestern": "the day before yesterday", "gestern": "yesterday", "heute": "today",
    "übermorgen": "the day after tomorrow",
}  # fmt: skip
_PARTS = {
    "früh": "morning", "morgen": "morning", "vormittag": "morning", "nachmittag": "afternoon", "abend": "evening",
}  # fmt: skip
_NAMES = {
    "montag": "Monday", "dienstag": "Tuesday", "mittwoch": "Wednesday", "donnerstag": "Thursday", "freitag": "Friday",
    "samstag": "Saturday", "sonntag": "Sunday", "januar": "January", "februar": "February", "märz": "March",
    "april": "April", "mai": "May", "juni": "June", "juli": "July", "august": "August", "september": "September",
    "oktober": "October", "november": "November", "dezember": "December", "frühling": "spring", "frühjahr": "spring",
    "sommer": "summer", "herbst": "autumn", "winter": "winter", "weihnachten": "Christmas", "ostern": "Easter",
}  # fmt: skip
_LEADS = {"seit": "since", "bis": "until"}


def _any(words: dict[str, str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_END = r"(?:e[nmrs]?)?"
_LEAD = r"(?:(?P<lead>seit|bis|am|im|in|an|zu|über|während) )?(?:(?:de[rnm]|die|das) )?"
_MUST = (
    r"(?P<lead>seit|bis|(?:erst )?ab|frühestens(?: am| im| ab)?|nicht vor|am|im|über|auf|für) (?:(?:de[rnm]|die|das) )?"
)
_COUNT = rf"(?:[0-9]{{1,3}}|(?:ein )?(?:{_any(_COUNTS)}){_END})"
_YEAR = r"(?: (?P<year>(?:1[89]|20)[0-9]{2}))?"

_SHORT_DAYS = ("mo", "di", "mi", "do", "fr", "sa", "so")
_DAY_NAMES = "(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag)"
_DAY_OF_WEEK = (
    rf"(?P<weekday>{_DAY_NAMES}|(?:mo|di|mi|do|fr|sa|so)\.?),? "
    r"(?:de[nmr] )?"
)
_WEEKDAY, _WEEKDAY_TOLD = rf"(?:{_DAY_OF_WEEK})?", rf"(?:{_DAY_OF_WEEK})"
"""A date may have the weekday's name before it, which is then no day of its own."""
_FIGURES = r"(?P<date>[0-3]?[0-9])\. ?(?P<month>[01]?[0-9])\.(?: ?(?P<year>(?:20)?[0-9]{2})(?![0-9.:]))?"

_Say = Callable[[re.Match[str]], str]


def _count(found: re.Match[str]) -> str:
    word = found["count"].split()[-1]
    return next((english for german, english in _COUNTS.items() if word.startswith(german)), word)


def _which(found: re.Match[str]) -> str:
    return next(english for german, english in _WHICH.items() if found["which"].startswith(german))


def _name(found: re.Match[str]) -> str:
    return f"{_NAMES[found['name']]} {found.groupdict().get('year') or ''}".strip()


def _weekday(found: re.Match[str]) -> str:
    """Say the weekday that a date has before it, which tells its year."""
    told = (found.groupdict().get("weekday") or "").rstrip(".")
    return f"{WEEKDAYS[_SHORT_DAYS.index(told[:2])]} " if told else ""


def _figures(found: re.Match[str]) -> str:
    """Say "08.11." in English; what is no day of any year says nothing."""
    day, month, year = int(found["date"]), int(found["month"]), found["year"] or ""
    if not (1 <= day <= 31 and 1 <= month <= 12):
        return ""
    return f"on {_weekday(found)}{day} {MONTHS[month - 1]} {year if len(year) != 2 else f'20{year}'}".rstrip()


def _feast(found: re.Match[str]) -> str:
    return f"at {FEASTS[found['name']]} {found['year'] or ''}".rstrip()


_RULES: tuple[tuple[str, _Say], ...] = (
    (
        rf"vor (?P<count>{_COUNT}) (?P<unit>{_any(_UNITS)})(?:e?n|e|s)?",
        lambda it: f"{_count(it)} {_UNITS[it['unit']]}s ago",
    ),
    (
        rf"{_LEAD}letzten (?P<count>{_COUNT}) (?P<unit>tag|woche|monat|jahr)e?n",
        lambda it: f"in the last {_count(it)} {_UNITS[it['unit']]}s",
    ),
    (rf"{_LEAD}letzten (?P<unit>tag|woche|monat)en", lambda it: f"in the last few {_UNITS[it['unit']]}s"),
    (
        rf"{_LEAD}(?P<which>{_any(_WHICH)}){_END} (?P<unit>{_any(_UNITS)})(?:e?s)?",
        lambda it: f"{_which(it)} {_UNITS[it['unit']]}",
    ),
    (rf"{_LEAD}(?P<which>{_any(_WHICH)}){_END} (?P<name>{_any(_NAMES)})", lambda it: f"{_which(it)} {_name(it)}"),
    (rf"{_LEAD}(?P<day>{_any(_DAYS)}) (?P<part>{_any(_PARTS)})", lambda it: f"{_DAYS[it['day']]} {_PARTS[it['part']]}"),
    (rf"{_LEAD}(?P<day>{_any(_DAYS)})", lambda it: _DAYS[it["day"]]),
    (
        rf"(?:(?:vom|von) )?{_WEEKDAY}(?P<date>[0-9]{{1,2}})\.(?: ?[-–] ?| bis (?:zum )?)(?:{_DAY_NAMES},? (?:den )?)?"
        rf"(?P<last>[0-9]{{1,2}})\. ?(?P<name>{_any(_NAMES)}){_YEAR}",
        lambda it: f"on {_weekday(it)}{it['date']}-{it['last']} {_name(it)}",
    ),
    (
        rf"{_LEAD}{_WEEKDAY}(?P<date>[0-9]{{1,2}})\. ?(?P<name>{_any(_NAMES)}){_YEAR}",
        lambda it: f"on {_weekday(it)}{it['date']} {_name(it)}",
    ),
    (rf"(?P<lead>seit|bis|am|ab|vom|zum|den|dem|der|für|auf) (?:de[nmr] )?{_WEEKDAY}{_FIGURES}", _figures),
    (rf"{_LEAD}{_WEEKDAY_TOLD}{_FIGURES}", _figures),
    (
        rf"(?:(?P<lead>seit|bis|am|an|auf|für|vom|zum|ab) )?(?:de[nm] )?(?:{BLACK_FRIDAY})",
        lambda _it: "on black friday",
    ),
    (rf"(?:(?P<lead>seit|bis|am|an|auf|für|über|zu|zum|ab) )?(?:de[nm] )?(?P<name>{_any(FEASTS)}){_YEAR}", _feast),
    (rf"{_MUST}(?P<name>{_any(_NAMES)}){_YEAR}", lambda it: f"in {_name(it)}"),
    (rf"{_MUST}(?P<unit>wochenende)", lambda it: f"this {_UNITS[it['unit']]}"),
    (r"(?P<lead>seit|bis) (?P<name>(?:1[89]|20)[0-9]{2})", lambda it: f"in {it['name']}"),
)


@cache
def _compiled() -> tuple[tuple[re.Pattern[str], _Say], ...]:
    return tuple((re.compile(rf"(?<!\w){rule}(?!\w)".replace(" ", r"(?:\s{1,4})")), say) for rule, say in _RULES)


def find_times_asked(query: str, now: datetime, *, tense: Tense) -> tuple[TimeWindow, ...]:
    """Find the times that a query speaks of, in English or German, as ``find_times`` does; those that overlap once."""
    windows = list(find_times(query, now, tense=tense))
    for window in _german(query.lower(), now, tense) if len(query.lower()) == len(query) else ():
        around = [each for each in windows if each.span.start < window.span.end and window.span.start < each.span.end]
        if all(window.span.start <= each.span.start and each.span.end <= window.span.end for each in around):
            windows = [*(each for each in windows if each not in around), window]
    return tuple(sorted(windows, key=lambda window: window.span))


def _german(query: str, now: datetime, tense: Tense) -> Iterator[TimeWindow]:
    taken = bytearray(len(query))
    for rule, say in _compiled():
        for found in rule.finditer(query):
            span = Span(*found.span())
            lead = _LEADS.get(found.groupdict().get("lead") or "")
            said = say(found)
            english = f"{lead} {said.removeprefix('in ').removeprefix('on ')}" if lead else said
            windows = find_times(english, now, tense=tense)
            if windows and not any(taken[span.start : span.end]):
                taken[span.start : span.end] = b"\x01" * (span.end - span.start)
                yield replace(windows[0], span=span)
