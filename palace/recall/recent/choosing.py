"""Choosing what is shown: what is said again once, few of one conversation or day. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from palace.recall.recent.sentences import Sentence
from palace.records import Role

SAME_WORDS = 0.8
"""Share of their words that two sentences have in common which say the same."""


@dataclass(frozen=True, slots=True)
class Spread:
    """What is left of a sentence's worth for each one in front of it."""

    conversation: float = 0.5
    """Of the same conversation."""
    day: float = 0.9
    """Of the same day in the same wing."""


USUAL = Spread()


@dataclass(frozen=True, slots=True)
class Scored:
    """A sentence and how much it tells."""

    sentence: Sentence
    score: float


def choose(sentences: Sequence[Scored], limit: int, spread: Spread = USUAL) -> list[Scored]:
    """Choose the most telling sentences, one of a drawer, each statement once, spread over conversations; best first.

    Of what is said again, the latest stands for all. An assistant's stands only where the person said nothing
    telling in that room.
    """
    left = _once(_best_of_each(sentences))
    rooms = {each.sentence.said.room_id for each in left if each.sentence.said.role is Role.USER}
    left = [each for each in left if each.sentence.said.role is Role.USER or each.sentence.said.room_id not in rooms]
    chosen: list[Scored] = []
    conversations: Counter[int] = Counter()
    days: Counter[tuple[int, object]] = Counter()

    def worth(each: Scored) -> tuple[float, object, int]:
        said = each.sentence.said
        of_day = spread.day ** days[said.wing_id, said.at.date()]
        return each.score * spread.conversation ** conversations[said.turn[0]] * of_day, said.at, said.drawer_id

    while left and len(chosen) < limit:
        best = max(left, key=worth)
        left.remove(best)
        chosen.append(best)
        conversations[best.sentence.said.turn[0]] += 1
        days[best.sentence.said.wing_id, best.sentence.said.at.date()] += 1
    return chosen


def say_the_same(one: Iterable[str], other: Iterable[str]) -> bool:
    """Tell whether two sentences have nearly all their telling words in common."""
    these, those = set(one), set(other)
    return bool(these) and len(these & those) >= SAME_WORDS * len(these | those)


def _best_of_each(sentences: Sequence[Scored]) -> list[Scored]:
    """Keep of each drawer the sentence that tells most, the first of several as good."""
    best: dict[int, Scored] = {}
    for each in sentences:
        known = best.get(each.sentence.said.drawer_id)
        if known is None or each.score > known.score:
            best[each.sentence.said.drawer_id] = each
    return list(best.values())


def _once(sentences: Iterable[Scored]) -> list[Scored]:
    """Keep of those that say the same the latest, the person's before an assistant's."""
    kept: list[Scored] = []
    by_word: dict[str, list[int]] = {}
    for each in sorted(sentences, key=_latest_first):
        words = each.sentence.words
        near = {place for word in words for place in by_word.get(word, ())}
        if any(say_the_same(kept[place].sentence.words, words) for place in near):
            continue
        for word in words:
            by_word.setdefault(word, []).append(len(kept))
        kept.append(each)
    return kept


def _latest_first(each: Scored) -> tuple[bool, float, int]:
    said = each.sentence.said
    return said.role is not Role.USER, -said.at.timestamp(), -said.drawer_id
