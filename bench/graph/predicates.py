"""Whether two statements are about the same, whatever words the one and the other uses for it."""

from __future__ import annotations

from dataclasses import dataclass

from bench.graph.words import ABOUT_THINGS, BACKWARD, EMPTY, EVENTS, FORWARD, SINGLE, SYMMETRIC, fold, stem


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a predicate means."""

    family: str | None
    """None of a predicate that no family has."""
    is_backward: bool
    """Whether subject and object stand the other way round."""


def meaning(predicate: str) -> Meaning:
    """Find the family of a predicate, by all of its words or those behind "has", "is" and the like."""
    words = _words(predicate)
    while words:
        name = "_".join(words)
        if name in BACKWARD:
            return Meaning(BACKWARD[name], is_backward=True)
        if name in FORWARD:
            return Meaning(FORWARD[name], is_backward=False)
        if words[0] not in EMPTY:
            break
        words = words[1:]
    return Meaning(None, is_backward=False)


def is_single(predicate: str) -> bool:
    """Tell whether a subject has one such value at a time."""
    family = meaning(predicate).family
    return family in SINGLE if family else predicate.startswith("has_")


def same_predicate(one: str, other: str) -> bool:
    """Tell whether two predicates mean the same: by family, or by a word that they share."""
    if _words(one) == _words(other):
        return True
    first, second = meaning(one).family, meaning(other).family
    if first and second:
        return first == second
    return bool(content(one) & content(other))


def turned(one: str, other: str) -> tuple[bool, ...]:
    """Say how two predicates that mean the same are laid upon each other.

    False is subject on subject, True is subject on object; a relation that has no direction is laid both ways.
    """
    first, second = meaning(one), meaning(other)
    if first.family in SYMMETRIC and first.family == second.family:
        return False, True
    return (first.is_backward != second.is_backward,)


def noun_of(predicate: str) -> str | None:
    """Give what "has_rent" names, and None of another predicate."""
    words = _words(predicate)
    return words[-1] if len(words) > 1 and words[0] == "has" else None


def is_about_things(predicate: str) -> bool:
    """Tell whether a predicate says a thing's own value: "rent is 1,450" is what "I has_rent 1,450" says."""
    return meaning(predicate).family in ABOUT_THINGS


def is_event(predicate: str) -> bool:
    """Tell whether a predicate says what happens at a time, rather than what holds from one on."""
    return meaning(predicate).family in EVENTS


def is_plan(predicate: str) -> bool:
    """Tell whether a predicate says what somebody means to do, rather than did."""
    return any(word.startswith(("plan", "book", "will", "going", "schedul")) for word in _words(predicate))


def content(predicate: str) -> frozenset[str]:
    """Give the words of a predicate that mean something, without endings of plurals."""
    return frozenset(stem(word) for word in _words(predicate) if word not in EMPTY)


def _words(predicate: str) -> list[str]:
    return [word for word in fold(predicate).replace("-", "_").replace(" ", "_").split("_") if word]
