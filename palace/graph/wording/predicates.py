"""A predicate in words, and what of a drawer is so no longer. Pure."""

from __future__ import annotations

from palace.graph.names.folded import fold_name
from palace.records import Ended
from palace.records.graph import SELF

_OF_ONESELF = {
    **{
        "lives": "live",
        "comes": "come",
        "works": "work",
        "studies": "study",
        "owns": "own",
        "has": "have",
        "uses": "use",
    },
    **{"takes": "take", "does": "do", "plays": "play", "speaks": "speak", "likes": "like", "dislikes": "dislike"},
    **{"prefers": "prefer", "costs": "cost", "leads": "lead", "is": "am"},
}
"""Verbs that a predicate begins with, as "I" has them."""
_SELF_KEY = fold_name(SELF)


def words_of(predicate: str, subject: str = "") -> str:
    """Write a predicate as words: "lives in", "has battery"; "live in" where its ``subject`` is the person, "I"."""
    verb, *more = predicate.split("_")
    if subject == SELF:
        verb = _OF_ONESELF.get(verb, verb)
    return " ".join((verb, *more))


def predicate_of(words: str) -> str:
    """Return the predicate that words say: "live in" and "lives in" are ``lives_in``; "" where there are none."""
    verb, *more = words.lower().replace("_", " ").split() or [""]
    of_others = next((said for said, own in _OF_ONESELF.items() if own == verb), verb)
    return "_".join((of_others, *more))


def written_ended(ended: Ended) -> str:
    """Write what is so no longer: "live in Ghent" of the person's own, "anna lives in Ghent" of somebody else's.

    >>> written_ended(Ended("efoil", "has_battery", "12V"))
    'efoil has battery 12V'
    """
    if ended.subject == _SELF_KEY:
        return f"{words_of(ended.predicate, SELF)} {ended.object}"
    return f"{ended.subject} {words_of(ended.predicate)} {ended.object}"
