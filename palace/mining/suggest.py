"""Suggests moving rooms to other wings, by their names, people and topics. Pure."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from palace.mining.filing.wing_matching import NamedWing, Reason, are_alike, names_wing, wing_of_person, wing_of_title
from palace.models import StandingRoom
from palace.nlp.words import TALK_WORDS, content_words, fold

FEWEST_WORDS = 2
"""Fewest words that a room must share with rooms of a wing for a suggestion by topic."""

FEWEST_ROOMS = 2
"""Fewest rooms of the wing that must contain each of those words."""

LEAST_SHARE = 0.3
"""Smallest share of a room's words that must be shared."""

CLEARLY = 2.0
"""Factor by which that wing must be closer than the room's own and every other."""

TOLD_WORDS = 3
_SESSION = re.compile(r"\d{4}-\d\d-\d\d\b|Undated session")
_WEAK = frozenset(fold(word) for word in TALK_WORDS)


class Move(NamedTuple):
    """A suggested move: a room, its new wing, and the reason."""

    room: StandingRoom
    wing_id: int
    reason: str
    weight: float


def suggest_moves(rooms: Sequence[StandingRoom], subjects: Sequence[NamedWing]) -> list[Move]:
    """Return suggested moves to wings about a subject, the strongest first.

    A room whose name contains its own wing's name stays, and so does one without clear evidence.
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
    """The words of rooms' names and closets, and in how many rooms of each wing each word occurs."""

    def __init__(self, rooms: Sequence[StandingRoom]) -> None:
        self._words = {room.pointer: _words_of(room) for room in rooms}
        self._rooms: Mapping[int, Counter[str]] = defaultdict(Counter)
        everywhere: Counter[str] = Counter()
        for room in rooms:
            self._rooms[room.wing_id].update(self._words[room.pointer])
            everywhere.update(self._words[room.pointer])
        self._rare = {word: math.log((1 + len(rooms)) / count) for word, count in everywhere.items()}

    def nearest(self, room: StandingRoom, subjects: Sequence[NamedWing]) -> Move | None:
        """Return a move to the only wing whose rooms clearly share a room's topics, or None."""
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
        """Return a room's words that occur in several rooms of a wing; for its own wing, including itself.

        For another wing, words that occur in several rooms of a third wing are left out, as everyday words occur
        everywhere.
        """
        is_own = wing_id == room.wing_id
        thirds = [each.id for each in subjects if not is_own and each.id not in (wing_id, room.wing_id)]
        # The room itself counts as one of its own wing.
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
