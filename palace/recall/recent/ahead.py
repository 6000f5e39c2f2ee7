"""Finds upcoming dates and open ends: unanswered questions and tasks. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from palace.models import Role, SaidDrawer, Stretch, Why
from palace.nlp.direction import FARTHEST, directed, looks_ahead, may_point_ahead, tells_past
from palace.nlp.questions.questions import only_asks
from palace.nlp.rules import rules
from palace.nlp.statements import is_request
from palace.nlp.time import Tense, TimeWindow, find_times_asked, tense_of
from palace.nlp.time.periods import EARLIEST, LATEST
from palace.nlp.time.vocabulary import fold
from palace.nlp.todos import Closing, Intent, closes, intent_of, is_ticked, is_unticked, says_done
from palace.recall.recent.changes import Changed, changes_in, new_of
from palace.recall.recent.sentences import CHANGES, Item, Sentence, say_the_same

MOST_OF_A_DRAWER = 5
"""Most items of one drawer, so that a long checklist does not fill the view."""


class Read(NamedTuple):
    """A drawer with its sentences."""

    said: SaidDrawer
    sentences: Sequence[Sentence]


def open_ends(read: Sequence[Read], limit: int) -> list[Item]:
    """List the person's open ends, newest first, at least ``limit`` if there are; ``read`` is newest first.

    A question is open if its drawer contains nothing else and nobody answered it or a repetition. A task is open unless
    it leads to a question or request, whose answer settles it. Those closed by a later statement are left out, and
    repetitions are listed once.
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
            # "Done" alone refers to the last task.
            closed[drawer.said.turn[0]] -= 1
            ends = []
        found += [end for end in ends if not any(_are_one(end, other) for other in found)]
        if says_done(drawer.said.text):
            closed[drawer.said.turn[0]] += 1
        later += (each.closing for each in drawer.sentences if each.closing)
    if all(end.why is not Why.QUESTION for end in found):
        return found
    answered = [drawer.sentences[0] for drawer in read if drawer.said.is_answered and drawer.sentences]
    return [
        end
        for end in found
        if end.why is not Why.QUESTION or not any(say_the_same(end.sentence.words, each.words) for each in answered)
    ]


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
        if intent is None or not sentence.words:
            continue
        if intent is Intent.LIKELY and any(each.asks or is_request(each.text) for each in sentences):
            continue
        following = sentences[place + 1 :]
        if not any(says_done(each.text) for each in following[:1]):
            yield Item(sentence, Why.INTENTION)


def _is_closed(end: Item, later: Sequence[Closing]) -> bool:
    return end.why is not Why.QUESTION and any(closes(each, end.sentence.words) for each in later)


def _are_one(one: Item, other: Item) -> bool:
    return say_the_same(one.sentence.words, other.sentence.words)


LONGEST = timedelta(days=32)
"""Longest time that may be an appointment: a month."""

DAY = timedelta(days=1)
LONGEST_NOW = timedelta(days=8)
"""Longest time that may have begun already: a week."""

MOST_LOOKED_AT = 200
"""Most sentences in which times are searched."""
MOST_CHANGES = 60
"""Most statements of a change that are considered, newest first."""

_HINT = re.compile(
    r"\d|day\b|\b(?:tomorrow|tonight|week|month|weekend|spring|summer|autumn|fall|winter|christmas|easter|new year"
    r"|january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?"
    r"|oct|nov|dec|mittwoch|märz|mai|okt|dez|sommer|herbst|frühling|weihnacht|ostern)|tag\b|morgen|woche|abend",
    re.IGNORECASE,
)
"""Words of which a sentence with a time contains one: a cheap first check."""
_YEAR = re.compile(r"(?<!\d)20\d\d(?!\d)")


_COMING = rules("recall", "coming")


class Ahead(NamedTuple):
    """Upcoming dates and statements of changes."""

    items: Sequence[Item]
    """Nearest first; those that no longer hold are marked."""
    changes: Sequence[Changed]


def coming(read: Sequence[Read], now: datetime) -> Ahead:
    """List what the person said about times after ``now``; ``read`` is newest first.

    Dates that were later moved, cancelled or done are marked. A change of only the hour or place gets the day of what
    it changes. Questions are ignored. Days are those of the zone of ``now``.
    """
    if not EARLIEST.year < now.year < LATEST.year:
        return Ahead((), ())
    items: list[Item] = []
    changes: list[Changed] = []
    closings: list[Closing] = []
    known: dict[tuple[int, int], Sequence[TimeWindow]] = {}

    def find(sentence: Sentence) -> Sequence[TimeWindow]:
        place = sentence.said.drawer_id, sentence.span.start
        if place not in known and len(known) < MOST_LOOKED_AT and _may_be_ahead(sentence):
            known[place] = list(_windows(sentence, now))
        return known.get(place, ())

    for drawer in read:
        if drawer.said.role is not Role.USER:
            continue
        # The text of a mail precedes its subject, which may repeat it.
        for place, sentence in reversed(list(enumerate(drawer.sentences))):
            if sentence.denies_change:
                continue
            before = drawer.sentences[place - 1] if place else None
            for each in _ahead(sentence, before, find(sentence)):
                is_done = any(closes(closing, sentence.words) for closing in closings)
                is_over = each.is_over or is_done or any(_are_the_same(each, other) for other in items)
                items.append(each._replace(is_over=is_over))
        changes.extend(changes_in(drawer.sentences, find))
        closings.extend(
            each.closing for each in drawer.sentences if each.closing and not each.is_change and not each.denies_change
        )
    del changes[MOST_CHANGES:]
    for change in reversed(changes):
        items = list(_as_changed(items, change))
    items.sort(key=lambda each: ((each.due and each.due.start) or now, -each.sentence.said.at.timestamp()))
    return Ahead(items, changes)


def _as_changed(items: Sequence[Item], change: Changed) -> Iterator[Item]:
    """Mark the item that a change refers to, by common words and nearness of days, and others of the same time.

    If the change names no new day and is no cancellation, nothing is marked; a new hour or place is added as an item.
    """
    meant = [each for each in items if not each.is_over and each.due and change.means(each)]
    best = max(meant, key=change.nearness, default=None)
    replaces = change.is_off or change.is_dated
    for each in items:
        is_meant = best is not None and each.due == best.due and each in meant
        yield each._replace(is_over=True) if is_meant and replaces else each
    if best is not None and not replaces and CHANGES.finds("elsewhere", change.sentence.text):
        yield Item(change.sentence, Why.DATE, due=best.due)


def _are_the_same(one: Item, other: Item) -> bool:
    """Check whether two sentences name the same day of the same thing: most words of the shorter one are common."""
    if one.due is None or other.due is None or one.due.start.date() != other.due.start.date():
        return False
    these, those = one.sentence.topic.all, other.sentence.topic.all
    return 3 * len(these & those) >= 2 * min(len(these), len(those)) > 0


def _may_be_ahead(sentence: Sentence) -> bool:
    said, has_year = sentence.said, _YEAR.search(sentence.text) is not None
    is_known = (said.is_dated or has_year) and EARLIEST.year < said.at.year < LATEST.year
    if not is_known or not _HINT.search(sentence.text):
        return False
    is_told = has_year or _is_meant_ahead(sentence.text) or sentence.is_change or may_point_ahead(sentence.text)
    is_real = not sentence.asks and not _COMING.finds("unreal", sentence.text)
    is_real = is_real and not _COMING.finds("fiction", said.text)
    return (said.speaks_ahead or is_told) and is_real and bool(sentence.words)


def _ahead(sentence: Sentence, before: Sentence | None, windows: Sequence[TimeWindow]) -> Iterator[Item]:
    """Yield the first future time of a sentence; the valid one if the sentence states a change.

    One that names nothing else is shown with the sentence before it.
    """
    kept = new_of(sentence, windows)
    for window in kept[:1] or windows[:1]:
        shown = sentence if sentence.topic.all or before is None else before.joined(sentence)
        due = Stretch(window.start.astimezone(UTC), window.end.astimezone(UTC))
        yield Item(shown, Why.DATE, due=due, is_over=not kept)


def _windows(sentence: Sentence, now: datetime) -> Iterator[TimeWindow]:
    """Find the times ahead that a sentence speaks of; of what ends with one, that end."""
    is_meant_ahead = _is_meant_ahead(sentence.text)
    said_at = sentence.said.at.astimezone(now.tzinfo)
    text = CHANGES["leads_to_day"].sub("on", sentence.text) if sentence.is_change else sentence.text

    def find(tense: Tense) -> Sequence[TimeWindow]:
        return find_times_asked(text, said_at, tense=tense)

    is_told_ahead = is_meant_ahead or tense_of(sentence.said.text) is Tense.FUTURE
    for window in find(Tense.FUTURE) if is_told_ahead or sentence.is_change else directed(sentence.text, said_at, find):
        edge = _edge(window, said_at)
        # A date with its year means the same whenever it was said.
        if not sentence.said.is_dated and str(edge.start.year) not in text[slice(*window.span)]:
            continue
        # "Was to be switched off in March" is of the last one.
        if _is_ahead(edge, now, is_meant_ahead) and (is_told_ahead or edge.start - said_at <= FARTHEST):
            yield edge


def _edge(window: TimeWindow, said_at: datetime) -> TimeWindow:
    """Return the first day of an endless window, the last of one that begins when it is said: "by 30 November"."""
    if window.end.date() >= LATEST:
        return replace(window, end=window.start + DAY)
    if window.start == said_at and window.end - window.start > DAY:
        return replace(window, start=window.end - DAY)
    return window


def _is_meant_ahead(text: str) -> bool:
    """Check whether a sentence is about the future: by its words, or because it sets an hour or a day."""
    if looks_ahead(text) or intent_of(text) is not None:
        return True
    return _COMING.finds("is_set", text) and not tells_past(fold(text), "")


def _is_ahead(window: TimeWindow, now: datetime, is_meant_ahead: bool) -> bool:
    if window.end <= now or window.end.date() >= LATEST or window.end - window.start > LONGEST:
        return False
    return window.start > now or (is_meant_ahead and window.end - window.start <= LONGEST_NOW)
