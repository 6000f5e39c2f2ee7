"""What is coming up, and what stands open: dates ahead, questions without an answer, what is to be done. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from palace.models import Role, SaidDrawer, Stretch, Why
from palace.nlp.direction import directed, looks_ahead, may_point_ahead
from palace.nlp.questions.questions import only_asks
from palace.nlp.rules import Rules
from palace.nlp.statements import is_request
from palace.nlp.time import Tense, TimeWindow, find_times_asked, tense_of
from palace.nlp.time.periods import EARLIEST, LATEST
from palace.nlp.todos import Closing, Intent, closes, intent_of, is_ticked, is_unticked, says_done
from palace.recall.recent.sentences import Item, Sentence, say_the_same

MOST_OF_A_DRAWER = 5
"""Items that one drawer may have: a list of boxes is one thing more than it is many."""


class Read(NamedTuple):
    """A drawer that was read, with its sentences."""

    said: SaidDrawer
    sentences: Sequence[Sentence]


def open_ends(read: Sequence[Read], limit: int) -> list[Item]:
    """List what the person left open, the newest first, about ``limit`` at least; ``read`` is newest first.

    A question is open where it is all that its drawer says and nobody answered, here or where it was asked again. What
    is to be done is, unless it leads to a question or a request, whose answer was what was needed. What a later
    statement plainly closes is left out, and what is said again stands once.
    """
    later: list[Closing] = []
    closed: Counter[int] = Counter()
    found: list[Item] = []
    for drawer in read:
        if drawer.said.role is not Role.USER:
            continue
        if len(found) >= 2 * limit:
            break
        ends = [end for end in _ends_in(drawer) if not _is_closed(end, later)]
        if ends and closed[drawer.said.turn[0]]:
            # Whoever says but "done" means what was spoken of last.
            closed[drawer.said.turn[0]] -= 1
            ends = []
        found += [end for end in ends if not any(_are_one(end, other) for other in found)]
        if says_done(drawer.said.text):
            closed[drawer.said.turn[0]] += 1
        later += (each.closing for each in drawer.sentences if each.closing)
    if all(end.why is not Why.QUESTION for end in found):
        return found
    answered = [drawer.sentences[0] for drawer in read if drawer.said.is_answered and drawer.sentences]
    return [end for end in found if end.why is not Why.QUESTION or not _is_asked_in(end.sentence, answered)]


def _ends_in(drawer: Read) -> list[Item]:
    if only_asks(drawer.said.text):
        telling = [each for each in drawer.sentences if each.asks and each.words]
        return [] if drawer.said.is_answered or not telling else [Item(telling[-1], Why.QUESTION)]
    return list(_meant_in(drawer.sentences))[:MOST_OF_A_DRAWER]


def _meant_in(sentences: Sequence[Sentence]) -> Iterator[Item]:
    for place, sentence in enumerate(sentences):
        if is_unticked(sentence.text):
            if sentence.words:
                yield Item(sentence, Why.BOX)
            continue
        intent = None if is_ticked(sentence.text) else intent_of(sentence.text)
        if intent is None or not sentence.words or (intent is Intent.LIKELY and _lead_on(sentences)):
            continue
        following = sentences[place + 1 :]
        if not any(says_done(each.text) for each in following[:1]):
            yield Item(sentence, Why.INTENTION)


def _lead_on(sentences: Sequence[Sentence]) -> bool:
    """Whether some sentences lead to a question or a request."""
    return any(each.asks or is_request(each.text) for each in sentences)


def _is_closed(end: Item, later: Sequence[Closing]) -> bool:
    return end.why is not Why.QUESTION and any(closes(each, end.sentence.words) for each in later)


def _is_asked_in(question: Sentence, answered: Sequence[Sentence]) -> bool:
    return any(say_the_same(question.words, each.words) for each in answered)


def _are_one(one: Item, other: Item) -> bool:
    return say_the_same(one.sentence.words, other.sentence.words)


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

_RULES = Rules("recall", "coming.toml")
_CALLED_OFF = ("cancel", "called off", "abgesagt", "fällt aus", "won't happen", "no longer")


class _Later(NamedTuple):
    """What was said later, as far as it may take something back."""

    called_off: list[Sentence]
    closings: list[Closing]


def coming(read: Sequence[Read], now: datetime) -> list[Item]:
    """List what the person said of times ahead of ``now``, the nearest first; ``read`` is newest first.

    What was told anew later, called off or done is marked. Questions tell no date. Days are those of
    the zone of ``now``.
    """
    if not EARLIEST.year < now.year < LATEST.year:
        return []
    later = _Later([], [])
    found: list[Item] = []
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
    return sorted(found, key=lambda each: ((each.due and each.due.start) or now, -each.sentence.said.at.timestamp()))


def _may_be_ahead(sentence: Sentence) -> bool:
    said = sentence.said
    if not said.is_dated or not EARLIEST.year < said.at.year < LATEST.year or not _HINT.search(sentence.text):
        return False
    is_ahead = said.speaks_ahead or looks_ahead(sentence.text) or may_point_ahead(sentence.text)
    return is_ahead and not sentence.asks and bool(sentence.words)


def _ahead(sentence: Sentence, now: datetime) -> Iterator[Item]:
    """Give the first time ahead that a sentence speaks of."""
    is_meant_ahead = looks_ahead(sentence.text) or intent_of(sentence.text) is not None
    said_at = sentence.said.at.astimezone(now.tzinfo)

    def find(tense: Tense) -> Sequence[TimeWindow]:
        return find_times_asked(sentence.text, said_at, tense=tense)

    is_told_ahead = is_meant_ahead or tense_of(sentence.said.text) is Tense.FUTURE
    for window in find(Tense.FUTURE) if is_told_ahead else directed(sentence.text, said_at, find):
        if _is_ahead(window, now, is_meant_ahead):
            yield Item(sentence, Why.DATE, due=Stretch(window.start.astimezone(UTC), window.end.astimezone(UTC)))
            return


def _is_ahead(window: TimeWindow, now: datetime, is_meant_ahead: bool) -> bool:
    if window.end <= now or window.end.date() >= LATEST or window.end - window.start > LONGEST:
        return False
    return window.start > now or (is_meant_ahead and window.end - window.start <= LONGEST_NOW)


def _is_over(each: Item, newer: Sequence[Item], later: _Later) -> bool:
    """Whether something said later takes the place of it: another date of the same thing, or that it is off or done."""
    words = each.sentence.words
    if any(speak_of_one(words, other.sentence.words) for other in newer):
        return True
    is_off = any(speak_of_one(words, said.words) for said in later.called_off)
    return is_off or any(closes(closing, words) for closing in later.closings)


def _is_called_off(text: str) -> bool:
    lowered = text.lower()
    return any(sign in lowered for sign in _CALLED_OFF)


def speak_of_one(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two sentences name one thing: two words in common, and most of the shorter's, those of dates apart."""
    these, those = (frozenset(word for word in words if not _is_of_a_date(word)) for words in (one, other))
    shared = len(these & those)
    return shared >= 2 and shared * 3 >= 2 * min(len(these), len(those))


def _is_of_a_date(word: str) -> bool:
    return any(character.isdigit() for character in word) or word in _RULES.words("calendar")
