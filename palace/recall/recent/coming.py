"""What is coming up: what the person said of a time that is ahead. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from palace.recall.recent.open_ends import Read
from palace.recall.recent.sentences import Sentence
from palace.records import Role, Stretch
from palace.text.open_ends import Closing, closes, directed, intent_of, looks_ahead, may_point_ahead
from palace.text.times import Tense, TimeWindow, find_times_asked, tense_of
from palace.text.times.periods import EARLIEST, LATEST

LONGEST = timedelta(days=32)
"""A month: what speaks of longer times is no appointment."""

LONGEST_NOW = timedelta(days=8)
"""A week: how long a time may be that has begun already."""

MOST_LOOKED_AT = 24
"""Sentences in which times are looked for."""

_HINT = re.compile(
    r"\d|day\b|\b(?:tomorrow|tonight|week|month|weekend|spring|summer|autumn|fall|winter|christmas|easter|new year"
    r"|january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?"
    r"|oct|nov|dec|mittwoch|märz|mai|okt|dez|sommer|herbst|frühling|weihnacht|ostern)|tag\b|morgen|woche|abend",
    re.IGNORECASE,
)
"""What a sentence says that speaks of a time: most do not, and are done with after one look."""

_CALLED_OFF = ("cancel", "called off", "abgesagt", "fällt aus", "won't happen", "no longer")


class Coming(NamedTuple):
    """A sentence and the time ahead that it speaks of."""

    sentence: Sentence
    due: Stretch
    is_over: bool = False
    """Another date was told later, or it is off, or done."""


class _Later(NamedTuple):
    """What was said later, as far as it may take something back."""

    called_off: list[Sentence]
    closings: list[Closing]


def coming(read: Sequence[Read], now: datetime) -> list[Coming]:
    """List what the person said of times ahead of ``now``, the nearest first; ``read`` is newest first.

    What was told anew later, called off or done is marked. Questions tell no date. Days are those of
    the zone of ``now``.
    """
    if not EARLIEST.year < now.year < LATEST.year:
        return []
    later = _Later([], [])
    found: list[Coming] = []
    looked_at = 0
    for drawer in read:
        if drawer.said.role is not Role.USER:
            continue
        for sentence in drawer.sentences:
            if looked_at < MOST_LOOKED_AT and _may_be_ahead(sentence):
                looked_at += 1
                found += [each._replace(is_over=_is_over(each, found, later)) for each in _ahead(sentence, now)]
        later.called_off.extend(each for each in drawer.sentences if _is_called_off(each.text))
        later.closings.extend(each.closing for each in drawer.sentences if each.closing)
    return sorted(found, key=lambda each: (each.due.start, -each.sentence.said.at.timestamp()))


def _may_be_ahead(sentence: Sentence) -> bool:
    said = sentence.said
    if not said.is_dated or not EARLIEST.year < said.at.year < LATEST.year or not _HINT.search(sentence.text):
        return False
    is_ahead = said.speaks_ahead or looks_ahead(sentence.text) or may_point_ahead(sentence.text)
    return is_ahead and not sentence.asks and bool(sentence.words)


def _ahead(sentence: Sentence, now: datetime) -> Iterator[Coming]:
    """Give the first time ahead that a sentence speaks of."""
    is_meant_ahead = looks_ahead(sentence.text) or intent_of(sentence.text) is not None
    said_at = sentence.said.at.astimezone(now.tzinfo)

    def find(tense: Tense) -> Sequence[TimeWindow]:
        return find_times_asked(sentence.text, said_at, tense=tense)

    is_told_ahead = is_meant_ahead or tense_of(sentence.said.text) is Tense.FUTURE
    for window in find(Tense.FUTURE) if is_told_ahead else directed(sentence.text, said_at, find):
        if _is_ahead(window, now, is_meant_ahead):
            yield Coming(sentence, Stretch(window.start.astimezone(UTC), window.end.astimezone(UTC)))
            return


def _is_ahead(window: TimeWindow, now: datetime, is_meant_ahead: bool) -> bool:
    if window.end <= now or window.end.date() >= LATEST or window.end - window.start > LONGEST:
        return False
    return window.start > now or (is_meant_ahead and window.end - window.start <= LONGEST_NOW)


def _is_over(each: Coming, newer: Sequence[Coming], later: _Later) -> bool:
    """Whether something said later takes the place of it: another date of the same thing, or that it is off or done."""
    words = each.sentence.words
    if any(_speak_of_one(words, other.sentence.words) for other in newer):
        return True
    is_off = any(_speak_of_one(words, said.words) for said in later.called_off)
    return is_off or any(closes(closing, words) for closing in later.closings)


def _is_called_off(text: str) -> bool:
    lowered = text.lower()
    return any(sign in lowered for sign in _CALLED_OFF)


def _speak_of_one(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two sentences name one thing: two words in common, and most of the shorter's, those of dates apart."""
    these, those = (frozenset(word for word in words if not _is_of_a_date(word)) for words in (one, other))
    shared = len(these & those)
    return shared >= 2 and shared * 3 >= 2 * min(len(these), len(those))


def _is_of_a_date(word: str) -> bool:
    return any(character.isdigit() for character in word) or word in _CALENDAR


_CALENDAR = frozenset(
    """
    january february march april may june july august september october november december monday tuesday wednesday
    thursday friday saturday sunday noon midnight morning evening afternoon one three four five six seven eight nine ten
    eleven twelve half past quarter januar februar märz mai juni juli oktober dezember montag dienstag mittwoch
    donnerstag freitag samstag sonntag uhr moved move
    """.split()  # noqa: SIM905 — read as lines of words
)
