"""Which rooms another wing is the better home of, by their names, their people and their topics. Pure."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from palace.mining.filing.belonging import NamedWing, Reason, are_alike, names_wing, wing_of_person, wing_of_title
from palace.models import StandingRoom
from palace.nlp.words import TALK_WORDS, content_words, fold

FEWEST_WORDS = 2
"""Words that a room shares with a wing's rooms, for its topics to speak for that wing."""

FEWEST_ROOMS = 2
"""Rooms of the wing, in which each of those words has to stand."""

LEAST_SHARE = 0.3
"""Of all the words of a room, how many they have to be."""

CLEARLY = 2.0
"""How much nearer than its own wing, and than any other, that wing has to be."""

TOLD_WORDS = 3
_SESSION = re.compile(r"\d{4}-\d\d-\d\d\b|Undated session")
_WEAK = frozenset(fold(word) for word in TALK_WORDS)


class Move(NamedTuple):
    """A room, the wing it should stand in, and why."""

    room: StandingRoom
    wing_id: int
    reason: str
    weight: float


def suggest_moves(rooms: Sequence[StandingRoom], subjects: Sequence[NamedWing]) -> list[Move]:
    """Propose better homes among the wings that are about something, what speaks most for it first.

    What its own wing's name is found in stays; so does what nothing clearly speaks for.
    """
    topics = _Topics(rooms)
    found = [move for room in rooms if (move := _suggest(room, subjects, topics)) is not None]
    return sorted(found, key=lambda move: -move.weight)


def _suggest(room: StandingRoom, subjects: Sequence[NamedWing], topics: _Topics) -> Move | None:
    here = next((wing for wing in subjects if wing.id == room.wing_id), None)
    if here and any(names_wing(room.name, name) for name in here.names):
        return None
    if (wing := wing_of_title(room.name, subjects)) and wing != here:
        return Move(room, wing.id, str(Reason.TITLE), 3.0)
    if wing := wing_of_person(room.people, subjects):
        return None if wing == here else Move(room, wing.id, str(Reason.PERSON), 2.0)
    apart = [wing for wing in subjects if not here or wing == here or not are_alike(wing, here)]
    return topics.nearest(room, apart)


class _Topics:
    """The words of rooms' names and closets, and in how many rooms of which wing each stands."""

    def __init__(self, rooms: Sequence[StandingRoom]) -> None:
        self._words = {room.pointer: _words_of(room) for room in rooms}
        self._rooms: Mapping[int, Counter[str]] = defaultdict(Counter)
        everywhere: Counter[str] = Counter()
        for room in rooms:
            self._rooms[room.wing_id].update(self._words[room.pointer])
            everywhere.update(self._words[room.pointer])
        self._rare = {word: math.log((1 + len(rooms)) / count) for word, count in everywhere.items()}

    def nearest(self, room: StandingRoom, subjects: Sequence[NamedWing]) -> Move | None:
        """Find the wing whose rooms are clearly about what a room is about, as its own and all others are not."""
        words = self._words[room.pointer]
        near = {wing.id: self._shared(room, wing.id, subjects) for wing in subjects}
        shares = {wing_id: sum(self._rare[word] for word in shared) for wing_id, shared in near.items()}
        others = sorted((share, wing_id) for wing_id, share in shares.items() if wing_id != room.wing_id)
        if not others:
            return None
        best, wing_id = others[-1]
        next_best = max(shares.get(room.wing_id, 0.0), others[-2][0] if len(others) > 1 else 0.0)
        shared = near[wing_id]
        if len(shared) < max(FEWEST_WORDS, LEAST_SHARE * len(words)) or best < CLEARLY * next_best:
            return None
        told = sorted(shared, key=lambda word: (-self._rare[word], word))[:TOLD_WORDS]
        reason = f"rooms there are about the same: {', '.join(told)}"
        return Move(room, wing_id, reason, len(shared) / len(words))

    def _shared(self, room: StandingRoom, wing_id: int, subjects: Sequence[NamedWing]) -> list[str]:
        """List a room's words that stand in several rooms of a wing; of its own wing, in any other.

        For another wing only what stands in several rooms of no third one speaks: words of everyday talk are anywhere.
        """
        is_own = wing_id == room.wing_id
        thirds = [each.id for each in subjects if not is_own and each.id not in (wing_id, room.wing_id)]
        # It stands in one of its own wing's itself.
        return [
            word
            for word in self._words[room.pointer]
            if self._stands(word, wing_id) and not any(self._stands(word, third) for third in thirds)
        ]

    def _stands(self, word: str, wing_id: int) -> bool:
        return wing_id in self._rooms and self._rooms[wing_id][word] >= FEWEST_ROOMS


def _words_of(room: StandingRoom) -> frozenset[str]:
    names = [*room.closets] if _SESSION.match(room.name) else [room.name, *room.closets]
    return frozenset(word for name in names for word in content_words(name) if word not in _WEAK)
