"""Which turn answers one that only asks. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from palace.recall.ranking.signals import is_question
from palace.records import FARTHEST_ANSWER, Compared

Turn = tuple[int, int]
"""A conversation, and a place in it."""


def turns_of(drawers: Iterable[Compared]) -> dict[Turn, Compared]:
    """Map turns to what was said in them; of two wordings of one message, the one that still stands."""
    found: dict[Turn, Compared] = {}
    for drawer in drawers:
        if not (drawer.turn in found and drawer.is_replaced):
            found[drawer.turn] = drawer
    return found


def answer_of(asking: Compared, turns: Mapping[Turn, Compared]) -> Compared | None:
    """Give the first turn behind a question that does not only ask, five turns on at most.

    Where the other side asks back first, what the asking side says to that is no answer: the other side's next turn is
    that does not only ask. None where the answer is not there, answers nothing, or no longer stands.
    """
    conversation, position = asking.turn
    is_asked_back = False
    for behind in range(1, FARTHEST_ANSWER + 1):
        following = turns.get((conversation, position + behind))
        if following is None:
            return None
        if following.is_empty:
            return None
        is_of_other_side = following.is_person != asking.is_person
        if is_question(following):
            is_asked_back |= is_of_other_side
        elif is_of_other_side or not is_asked_back:
            return None if following.is_replaced else following
    return None


def more_relevant(one: Compared | None, other: Compared) -> Compared:
    """Choose, of the questions that one turn answers, the nearer to the query; the first one of two as near."""
    if one is None or _nearness(other) > _nearness(one):
        return other
    return one


def _nearness(drawer: Compared) -> tuple[float, float]:
    return drawer.similarity or 0.0, drawer.coverage
