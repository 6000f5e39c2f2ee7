"""The arm of kinds: proposes drawers about the kind of things that a query asks for by a general word."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from palace.db.candidates.keyword import keyword_candidates, words_like
from palace.db.candidates.words import QueryWords, Word
from palace.db.database import UserSession
from palace.db.graph.kinds import find_of_kinds, stems_of
from palace.db.graph.naming import ask_naming
from palace.errors import OutOfTime
from palace.models import Candidate, PassageKey, Scope
from palace.recall.arms.keyword import words_in
from palace.recall.arms.protocol import ArmRequest, KindLimits, Proposal
from palace.recall.intent import asked_kinds


@dataclass(frozen=True, slots=True)
class KindsArm:
    """The arm that proposes passages by nouns of the requested kind, and drawers by entities of it."""

    name: str = "kinds"
    needs_vector: bool = False

    def propose(self, session: UserSession, request: ArmRequest) -> Proposal:
        """Propose passages with a noun of a requested kind, and drawers that name an entity of it."""
        words = words_in(session, request)
        asked = asked_kinds(request.query, words.forms, request.intent)
        if asked is None:
            return Proposal()
        limits, drawers = request.strategy.kinds, request.sizes_in(session).drawers
        most = max(limits.share * drawers, 3.0)
        naming = _naming(session, asked.names, limits, most, request.scope)
        nouns = asked.stems | _stemmed(session, asked.words)
        parts = {part for noun in nouns for part in noun.split()} - words.forms.keys()
        members = _members(nouns, words_like(session, sorted(parts)), drawers, most)
        chosen = tuple(sorted(members, key=lambda word: (word.df, word.query))[: limits.nouns])
        named = tuple(Candidate(PassageKey(drawer_id, 0), 1.0) for drawer_id in sorted(naming))
        looked_for = QueryWords(chosen, ())
        try:
            found = keyword_candidates(session, looked_for, scope=request.within, limits=request.strategy.keyword)
        except OutOfTime:
            warning = "the nouns of a kind took too long and propose nothing"
            return Proposal(named, of_kind=naming, warnings=(warning,))
        return Proposal((*found.passages, *named), nouns=chosen, of_kind=naming)


def _naming(
    session: UserSession, kinds: Collection[str], limits: KindLimits, most: float, scope: Scope
) -> frozenset[int]:
    """Return the drawers that name entities of some kinds, except entities that are named very often."""
    entities = [each for each, times in find_of_kinds(session, kinds, most=limits.entities) if times <= most]
    if not entities:
        return frozenset()
    return frozenset(
        drawer_id for _, drawer_id in ask_naming(session, entities, most=limits.drawers, scope=scope).get()
    )


def _stemmed(session: UserSession, words: Collection[str]) -> set[str]:
    """Return words and phrases as they are, and stemmed in English and in German, because drawers may be in either."""
    if not words:
        return set()
    stems = stems_of(session, {part for word in words for part in word.split()})
    forms = set(words)
    for word in words:
        parts = [stems.get(part, (part, part)) for part in word.split()]
        forms |= {" ".join(part[language] for part in parts) for language in (0, 1)}
    return forms


def _members(nouns: frozenset[str], known: Mapping[str, int], drawers: int, most: float) -> Iterator[Word]:
    """Yield the nouns that passages may contain, each weighted by rarity."""
    for noun in sorted(nouns):
        parts = noun.split()
        times = min(known.get(part, 0) for part in parts)
        if 0 < times <= most:
            query = " <-> ".join(f"'{part.replace(chr(39), chr(39) * 2)}'" for part in parts)
            yield Word(query, times, math.log(1 + max(drawers, times) / times))
