"""The keyword arm: passages that say what the query says, and rooms in which the person said it."""

from __future__ import annotations

from dataclasses import dataclass

from palace.db.candidates.keyword import keyword_candidates
from palace.db.database import UserSession
from palace.errors import OutOfTime
from palace.recall.arms.protocol import ArmRequest, Proposal
from palace.recall.arms.understand import words_of


@dataclass(frozen=True, slots=True)
class KeywordArm:
    """Proposes by words."""

    name: str = "keyword"
    needs_vector: bool = False

    def propose(self, session: UserSession, request: ArmRequest) -> Proposal:
        """Propose passages and rooms by the query's rarer words; the words alone when that takes too long."""
        words = request.words if request.words is not None else words_of(session, request.query)
        try:
            found = keyword_candidates(session, words, scope=request.within, limits=request.strategy.keyword)
        except OutOfTime:
            return Proposal(warnings=("the keywords took too long and propose nothing",))
        return Proposal(found.passages, found.rooms)
