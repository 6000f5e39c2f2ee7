"""Statements that something changed or is cancelled, and the earlier statements that they refer to. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from palace.nlp.time import TimeWindow
from palace.recall.recent.sentences import CHANGES, Item, Sentence, Topic, says_changed

FEW = 2
"""Most specific words of a short sentence, for which one word in common with a change is enough."""

NEXT = 2
"""Turns after a statement in which it may be corrected without being named."""

Find = Callable[[Sentence], Sequence[TimeWindow]]
"""Returns the future times that a sentence names."""


class Changed(NamedTuple):
    """A sentence that states a change."""

    sentence: Sentence
    topic: Topic
    days: Sequence[TimeWindow]
    """Future times named in it or beside it, old ones and new ones."""
    is_off: bool
    """Whether it is a cancellation without a new date."""
    is_dated: bool
    """Whether it names a new future time."""

    def means(self, item: Item) -> bool:
        """Check whether an earlier dated item is what changed, by the words that both contain.

        One specific word is enough if either sentence has few others; any word is enough if the change names the same
        day, or was said in the same chat. A correction needs none if it is said right after the item.
        """
        one, earlier = self.sentence.said, item.sentence.said
        if (one.at, one.turn) <= (earlier.at, earlier.turn) or item.due is None:
            return False
        is_next = one.turn[0] == earlier.turn[0] and 0 < one.turn[1] - earlier.turn[1] <= NEXT
        if is_next and self.is_dated and CHANGES.finds("corrects", self.sentence.text):
            return True
        other = item.sentence.topic
        shared = self.topic.all & other.all
        is_own = bool(shared & self.topic.own & other.own)
        is_short = min(len(self.topic.own), len(other.own)) <= FEW
        is_of_its_day = any(each.start < item.due.end and item.due.start < each.end for each in self.days)
        if self.is_off and self.days and not is_of_its_day:
            return False
        is_of_its_talk = one.turn[0] == earlier.turn[0] and one.speaker is not None
        is_likely = is_of_its_day or is_of_its_talk or (is_own and is_short)
        return len(shared) > 1 or bool(shared and is_likely)

    def nearness(self, item: Item) -> tuple[int, float]:
        """Return how well an item matches: the number of common words, then the nearness of their days."""
        assert item.due is not None
        begins = item.due.start
        apart = min((abs((each.start - begins).total_seconds()) for each in self.days), default=0.0)
        return len(self.topic.all & item.sentence.topic.all), -apart


def changes_in(sentences: Sequence[Sentence], find: Find) -> Iterator[Changed]:
    """Yield the changes stated in a drawer; their topic and new day may be in a neighbouring sentence."""
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
        yield Changed(sentence, topic, days, not is_dated and says_changed(sentence.text, "off"), is_dated)


def new_of(sentence: Sentence, found: Sequence[TimeWindow]) -> Sequence[TimeWindow]:
    """Return those times of a sentence that are valid: all, or the last one if it states a change.

    "Not on the 28th, on 6 December instead", "on 6 December instead of 28 November".
    """
    if not sentence.is_change:
        return found
    kept = [each for each in found if not CHANGES.finds("given_up", sentence.text[: each.span.start])]
    if says_changed(sentence.text, "off") and len(found) < FEW:
        return [each for each in kept if CHANGES.finds("renewed", sentence.text[: each.span.start])]
    return kept[-1:]


def supersedes(changes: Sequence[Changed], sentence: Sentence, at: datetime) -> bool:
    """Check whether a change stated after ``at`` refers to a sentence without a date."""
    topic = sentence.topic

    def is_meant(change: Changed) -> bool:
        return len(change.topic.own & topic.own) > 1 or len(change.topic.all & topic.all) > FEW

    return any(each.sentence.said.at > at and is_meant(each) for each in changes)
