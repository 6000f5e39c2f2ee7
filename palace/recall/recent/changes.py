"""What was said later to be otherwise, or off, and what of before it means. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from palace.nlp.time import TimeWindow
from palace.recall.recent.sentences import CHANGES, Item, Sentence, Topic

FEW = 2
"""Words of its own of what is so short that one in common with a change is enough."""

Find = Callable[[Sentence], Sequence[TimeWindow]]
"""Finds the times ahead that a sentence speaks of."""


class Changed(NamedTuple):
    """A sentence that says that something is otherwise than it was."""

    sentence: Sentence
    topic: Topic
    days: Sequence[TimeWindow]
    """Times ahead that are named there."""
    is_off: bool
    """Nothing takes its place."""
    is_dated: bool
    """A time ahead is named that holds instead."""

    def means(self, item: Item) -> bool:
        """Tell whether it means something that was said before for some day, by the words that both say.

        One word of its own is enough where either says little else; any word is where it names that day, or is of the
        chat in which that was said.
        """
        if self.sentence.said.at <= item.sentence.said.at or item.due is None:
            return False
        other = item.sentence.topic
        shared = self.topic.all & other.all
        is_own = bool(shared & (self.topic.own | other.own))
        is_short = min(len(self.topic.own), len(other.own)) <= FEW
        is_of_its_day = any(each.start < item.due.end and item.due.start < each.end for each in self.days)
        if self.is_off and self.days and not is_of_its_day:
            return False
        one, earlier = self.sentence.said, item.sentence.said
        is_of_its_talk = one.turn[0] == earlier.turn[0] and one.speaker is not None
        is_likely = is_of_its_day or is_of_its_talk or (is_own and is_short)
        return len(shared) > 1 or bool(shared and is_likely)

    def nearness(self, item: Item) -> tuple[int, float]:
        """Return how surely it means something: how many words both say, and how near the days are that they name."""
        assert item.due is not None
        begins = item.due.start
        apart = min((abs((each.start - begins).total_seconds()) for each in self.days), default=0.0)
        return len(self.topic.all & item.sentence.topic.all), -apart


def changes_in(sentences: Sequence[Sentence], find: Find) -> Iterator[Changed]:
    """Find what a drawer says to be otherwise; what it is about, and the new day, may stand in a sentence beside it."""
    for place, sentence in enumerate(sentences):
        if sentence.asks or not sentence.is_change:
            continue
        topic = sentence.topic
        beside = [
            each
            for at, each in enumerate(sentences)
            if abs(at - place) <= 1 or not each.topic.own or each.topic.own & topic.own
        ]
        days = [window for each in beside for window in find(each)]
        for each in sentences[max(place - 1, 0) : place + 2]:
            topic = topic.joined(each.topic)
        is_dated = any(new_of(each, find(each)) for each in beside)
        yield Changed(sentence, topic, days, not is_dated and says_off(sentence.text), is_dated)


def new_of(sentence: Sentence, found: Sequence[TimeWindow]) -> Sequence[TimeWindow]:
    """Keep of the times that a sentence speaks of those that hold; of one that changes something the last.

    "Not on the 28th, on 6 December instead", "on 6 December instead of 28 November".
    """
    if not sentence.is_change:
        return found
    kept = [each for each in found if not CHANGES.finds("given_up", sentence.text[: each.span.start])]
    if says_off(sentence.text) and len(found) < FEW:
        return [each for each in kept if CHANGES.finds("renewed", sentence.text[: each.span.start])]
    return kept[-1:]


def says_off(text: str) -> bool:
    """Tell whether a text says that something is off."""
    return CHANGES.finds("off", text.lower())


def supersedes(changes: Sequence[Changed], sentence: Sentence, at: datetime) -> bool:
    """Tell whether any of some changes, said later than ``at``, means what a sentence says without a date."""
    topic = sentence.topic

    def is_meant(change: Changed) -> bool:
        return len(change.topic.own & topic.own) > 1 or len(change.topic.all & topic.all) > FEW

    return any(each.sentence.said.at > at and is_meant(each) for each in changes)
