"""Finds the existing wing that a conversation clearly belongs to, by its title and its speakers. Pure.

Clearly means that exactly one wing is named; in doubt, none is chosen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from palace.models import Conversation, Role
from palace.nlp.words import slugify

SHORTEST_NAME = 3
"""Fewest characters of a wing's name that can be matched."""

FEWEST_MOVED = 2
"""Fewest conversations that must have been moved to a wing for others of their project to follow."""

_SEPARATED = re.compile(r"[:|\[\](){}«»“”\"„]|\s[-–—•·>]+\s|(?<!\w)#|\s#")
_WORD = re.compile(r"[\w'’&+.-]*\w")
_BEFORE_WRITTEN = "for about on in at with re regarding from of to für über zu zum zur im am beim vom von bei mit"
_BEFORE = frozenset(_BEFORE_WRITTEN.split())
_ARTICLES_WRITTEN = "the my our das die der den dem mein meine meinem unser unsere"
_ARTICLES = frozenset(_ARTICLES_WRITTEN.split())
_JOINING_WRITTEN = "and or vs versus against compared plus und oder gegen statt instead"
_JOINING = frozenset(_JOINING_WRITTEN.split())
_DESIGNATOR = re.compile(r"\d.*|[a-z]|[ivx]+|v\d.*")


class Reason(StrEnum):
    """Why a conversation belongs to a wing."""

    TITLE = "the title names it"
    PERSON = "it is a talk with that person"
    MOVED = "most of its project was moved there"


class NamedWing(NamedTuple):
    """A wing with its names, aliases included."""

    id: int
    name: str
    names: tuple[str, ...]
    slugs: tuple[str, ...] = ()
    """The slugs of the names, as stored."""


class WingMatch(NamedTuple):
    """The wing that a conversation belongs to, and why."""

    wing: NamedWing
    reason: Reason


def people_of(conversation: Conversation) -> tuple[str, ...]:
    """Return the speakers of a conversation between people, sorted; empty if an assistant or tool takes part."""
    if any(turn.role in (Role.ASSISTANT, Role.TOOL) for turn in conversation.turns):
        return ()
    return tuple(sorted({turn.speaker for turn in conversation.turns if turn.speaker}))


def wing_of_title(title: str, wings: Sequence[NamedWing]) -> NamedWing | None:
    """Return the only wing named in a title, or the one whose name contains all others that are; else None."""
    named = [(name, wing) for wing in wings for name in wing.names if names_wing(title, name)]
    if not named:
        return None
    longest, found = max(named, key=lambda each: len(slugify(each[0])))
    whole = f"-{slugify(longest)}-"
    return found if all(wing == found or f"-{slugify(name)}-" in whole for name, wing in named) else None


def names_wing(title: str, name: str) -> bool:
    """Check whether a title names a wing: as a whole, set off, at its beginning, or after a final preposition."""
    slug = slugify(name)
    if len(slug) < SHORTEST_NAME or not any(sign.isalpha() for sign in slug):
        return False
    words, wanted = _WORD.findall(title), slug.split("-")
    if _speaks_of_another(words, wanted):
        return False
    if any(slugify(part) == slug for part in _SEPARATED.split(title) if part.strip()):
        return True
    return len(wanted) > 1 and (_opens_with(words, wanted) or _closes_with(words, wanted))


def wing_of_person(people: Sequence[str], wings: Sequence[NamedWing]) -> NamedWing | None:
    """Return the only wing named after one of two people who talk with each other, or None."""
    if len(people) != 2:
        return None
    slugs = {slugify(name) for name in people}
    called = {wing for wing in wings if not slugs.isdisjoint(map(slugify, wing.names))}
    return called.pop() if len(called) == 1 else None


def are_alike(one: NamedWing, other: NamedWing) -> bool:
    """Check whether two wings' names differ in a single word: "Project A" and "Project B"."""
    return any(_differ_in_one_word(slugify(a), slugify(b)) for a in one.names for b in other.names)


def wing_of_most(standing: Mapping[int, int], wings: Iterable[NamedWing], home: int) -> NamedWing | None:
    """Return the wing to which more than half, and at least two, of a wing's conversations were moved, or None."""
    wing_id, most = max(standing.items(), key=lambda each: each[1], default=(home, 0))
    if wing_id == home or most < FEWEST_MOVED or 2 * most <= sum(standing.values()):
        return None
    return next((wing for wing in wings if wing.id == wing_id), None)


def _differ_in_one_word(one: str, other: str) -> bool:
    words, others = one.split("-"), other.split("-")
    if len(words) != len(others) or len(words) < 2:
        return False
    return sum(word != theirs for word, theirs in zip(words, others, strict=True)) == 1


def _speaks_of_another(words: Sequence[str], wanted: Sequence[str]) -> bool:
    """Check whether a title names a similar subject: "Project B" for the wing "Project A", "Boat 2" for "Boat"."""
    slugs = [slugify(word) for word in words]
    for index in range(len(slugs) - len(wanted) + 1):
        there, behind = slugs[index : index + len(wanted)], slugs[index + len(wanted) : index + len(wanted) + 1]
        if len(wanted) > 1 and there[:-1] == wanted[:-1] and there[-1] != wanted[-1]:
            return True
        if there == list(wanted) and behind and (_DESIGNATOR.fullmatch(behind[0]) or behind[0] in _JOINING):
            return True
    return False


def _opens_with(words: Sequence[str], wanted: Sequence[str]) -> bool:
    """Check whether a title begins with a name and goes on in lower case, unlike "New York" in "New York Times"."""
    if [slugify(word) for word in words[: len(wanted)]] != list(wanted) or len(words) == len(wanted):
        return False
    return words[len(wanted)].islower()


def _closes_with(words: Sequence[str], wanted: Sequence[str]) -> bool:
    """Check whether a title ends with a name after a preposition: "Battery wiring for the Efoil rebuild"."""
    if [slugify(word) for word in words[-len(wanted) :]] != list(wanted):
        return False
    before = [word.lower() for word in words[: -len(wanted)]]
    if before and before[-1] in _ARTICLES:
        before.pop()
    return bool(before) and before[-1] in _BEFORE
