"""The arm of names: what the person said in places whose names say what the query says."""

from __future__ import annotations

from dataclasses import dataclass

from palace.db.candidates.named import NamedPlace, named_drawers, named_places
from palace.db.candidates.words import QueryWords, weigh_words
from palace.db.database import UserSession
from palace.models import NamedLimits
from palace.recall.arms.protocol import ArmRequest, Proposal


@dataclass(frozen=True, slots=True)
class NamedArm:
    """Proposes by the names of conversations, closets and wings."""

    name: str = "named"
    needs_vector: bool = True

    def propose(self, session: UserSession, request: ArmRequest) -> Proposal:
        """Propose what is nearest to the query in the places whose names hold most of it."""
        words = request.words if request.words is not None else weigh_words(session, request.query)
        limits = request.strategy.named
        places = named_places(session, words, most=limits.names)
        chosen = _telling(places, words, limits)
        if request.near is None or not chosen:
            return Proposal(places=tuple(places))
        return Proposal(
            tuple(named_drawers(session, chosen, request.near, limits=limits, scope=request.scope)),
            places=tuple(places),
        )


def _telling(places: list[NamedPlace], words: QueryWords, limits: NamedLimits) -> list[NamedPlace]:
    """Choose the places whose names hold enough of the query, those that hold most first."""

    def held(place: NamedPlace) -> float:
        return sum(words.words[number].idf for number in place.words) / (words.weight or 1.0)

    return sorted((place for place in places if held(place) >= limits.share), key=lambda p: -held(p))[: limits.places]
