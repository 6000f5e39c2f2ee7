"""Times of a text in English or German; German ones are put into English, so that a time means the same in both."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from functools import cache

from palace.models import Span
from palace.nlp.rules import rules
from palace.nlp.time.expressions import find_times
from palace.nlp.time.periods import Tense, TimeWindow
from palace.nlp.time.vocabulary import MONTHS, WEEKDAYS, compiled

_RULES = rules("times", "german")
_LEADS = {"seit": "since", "bis": "until"}
_WEEKDAYS = ("mo", "di", "mi", "do", "fr", "sa", "so")
_BRACES = re.compile(r"\{(\w+)\}")


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
    for pattern, template in _times():
        for found in pattern.finditer(query):
            span = Span(*found.span())
            english = _in_english(found, template)
            if lead := _LEADS.get(found.groupdict().get("lead") or ""):
                english = f"{lead} {english.removeprefix('in ').removeprefix('on ')}"
            windows = find_times(english, now, tense=tense)
            if windows and not any(taken[span.start : span.end]):
                taken[span.start : span.end] = b"\x01" * (span.end - span.start)
                yield replace(windows[0], span=span)


@cache
def _times() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple(
        (compiled(rf"(?<!\w){_RULES.filled(each['pattern'])}(?!\w)"), each["english"]) for each in _RULES.table("times")
    )


def _in_english(found: re.Match[str], template: str) -> str:
    """Write what was found in English; "" for what is no day of any year."""
    groups = found.groupdict()
    if groups.get("month") and not (1 <= int(groups["date"]) <= 31 and 1 <= int(groups["month"]) <= 12):
        return ""
    return " ".join(_BRACES.sub(lambda name: _meaning(name[1], groups.get(name[1])), template).split())


def _meaning(group: str, text: str | None) -> str:
    """Return what a group means in English; figures are what they are."""
    if not text or group in ("date", "last"):
        return text or ""
    if group == "weekday":
        return f"{WEEKDAYS[_WEEKDAYS.index(text[:2])]} "
    if group == "month":
        return MONTHS[int(text) - 1]
    if group == "year":
        return text if len(text) > 2 else f"20{text}"
    table, word = _RULES.table(group), text.split()[-1] if group == "count" else text
    inflected = (english for german, english in table.items() if word.startswith(german))
    return str(next(inflected, word) if group in ("count", "which") else table[word])
