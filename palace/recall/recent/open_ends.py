"""What stands open in what was said: questions that nobody answered, and what is to be done. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from palace.recall.recent.choosing import say_the_same
from palace.recall.recent.sentences import Sentence
from palace.records import Role, SaidDrawer, Why
from palace.text.asked.questions import only_asks
from palace.text.open_ends import Closing, Intent, closes, intent_of, is_ticked, is_unticked, says_done
from palace.text.statements import is_request

MOST_OF_A_DRAWER = 5
"""Items that one drawer may have: a list of boxes is one thing more than it is many."""


class Read(NamedTuple):
    """A drawer that was read, with its sentences."""

    said: SaidDrawer
    sentences: Sequence[Sentence]


class OpenEnd(NamedTuple):
    """A sentence that stands open, and what it is."""

    sentence: Sentence
    why: Why


def open_ends(read: Sequence[Read], limit: int) -> list[OpenEnd]:
    """List what the person left open, the newest first, about ``limit`` at least; ``read`` is newest first.

    A question is open where it is all that its drawer says and nobody answered, here or where it was asked again. What
    is to be done is, unless it leads to a question or a request, whose answer was what was needed. What a later
    statement plainly closes is left out, and what is said again stands once.
    """
    later: list[Closing] = []
    closed: Counter[int] = Counter()
    found: list[OpenEnd] = []
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


def _ends_in(drawer: Read) -> list[OpenEnd]:
    if only_asks(drawer.said.text):
        telling = [each for each in drawer.sentences if each.asks and each.words]
        return [] if drawer.said.is_answered or not telling else [OpenEnd(telling[-1], Why.QUESTION)]
    return list(_meant_in(drawer.sentences))[:MOST_OF_A_DRAWER]


def _meant_in(sentences: Sequence[Sentence]) -> Iterator[OpenEnd]:
    for place, sentence in enumerate(sentences):
        if is_unticked(sentence.text):
            if sentence.words:
                yield OpenEnd(sentence, Why.BOX)
            continue
        intent = None if is_ticked(sentence.text) else intent_of(sentence.text)
        if intent is None or not sentence.words or (intent is Intent.LIKELY and _lead_on(sentences)):
            continue
        following = sentences[place + 1 :]
        if not any(says_done(each.text) for each in following[:1]):
            yield OpenEnd(sentence, Why.INTENTION)


def _lead_on(sentences: Sequence[Sentence]) -> bool:
    """Whether some sentences lead to a question or a request."""
    return any(each.asks or is_request(each.text) for each in sentences)


def _is_closed(end: OpenEnd, later: Sequence[Closing]) -> bool:
    return end.why is not Why.QUESTION and any(closes(each, end.sentence.words) for each in later)


def _is_asked_in(question: Sentence, answered: Sequence[Sentence]) -> bool:
    return any(say_the_same(question.words, each.words) for each in answered)


def _are_one(one: OpenEnd, other: OpenEnd) -> bool:
    return say_the_same(one.sentence.words, other.sentence.words)
