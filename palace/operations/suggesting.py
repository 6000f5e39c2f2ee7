"""Find pairs of entities that a person may want to merge."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations

from palace.budget import Purse, budget_of
from palace.db.database import UserSession
from palace.db.graph.decisions import list_decisions
from palace.db.graph.listing import list_entities, list_latest_naming
from palace.db.graph.naming import ask_naming
from palace.errors import EmbeddingError
from palace.graph.likeness import (
    Candidate,
    DoubtfulPair,
    alike_in_meaning,
    comparable,
    likeliest_first,
    spelled_alike,
    unlike,
)
from palace.graph.names import sort_of
from palace.graph.resolve import fold_name
from palace.graph.resolve.decided import parted_names
from palace.models.graph import Doubtful, Entity
from palace.opened import OpenPalace

MOST = 5_000
"""Entities that are compared by spelling, at most: those mentioned most often."""
MOST_MESSAGES = 100
"""Latest messages of an entity in which co-mentioned entities are looked up."""
MOST_NAMES = 50
"""Entities of one message that are paired, at most."""


def doubtful_joins(opened: OpenPalace, most: int) -> tuple[Doubtful, ...]:
    """List pairs that may be the same entity, likeliest first, without those that a person split.

    The embedding model is called outside of transactions; if it does not answer, only spelling is compared.
    """
    known = opened.run(lambda session: {one.id: one for one in list_entities(session, limit=MOST)})
    candidates = [
        Candidate(one.id, sort_of(one.type), fold_name(one.name), one.mention_count) for one in known.values()
    ]
    pairs = {
        frozenset(pair[:2]): pair for pair in (*_by_meaning(opened, candidates, known), *spelled_alike(candidates))
    }

    def written(session: UserSession) -> tuple[Doubtful, ...]:
        parted = parted_names(list_decisions(session))
        kept = [
            pair
            for pair in likeliest_first(pairs.values())
            if frozenset((pair.one.folded, pair.other.folded)) not in parted
        ]
        return _with_evidence(session, kept[:most], known)

    return opened.run(written)


def _by_meaning(opened: OpenPalace, candidates: Sequence[Candidate], known: Mapping[int, Entity]) -> list[DoubtfulPair]:
    """List pairs of things and places with names of similar meaning by the palace's model; empty without a model."""
    compared = comparable(candidates)
    if len(compared) < 2:
        return []
    try:
        model = opened.find_model()
        if model is None:
            return []
        texts = [*unlike(), *(known[each.id].name for each in compared)]
        made = Purse(opened.database, budget_of(opened.settings)).embed(model[1], texts)
    except EmbeddingError:
        return []
    ids = [each.id for each in compared]
    beside = opened.run(lambda session: _beside(session, ids))
    return alike_in_meaning(compared, made.vectors[len(unlike()) :], made.vectors[: len(unlike())], beside)


def _beside(session: UserSession, entity_ids: Sequence[int]) -> set[frozenset[int]]:
    named: dict[int, list[int]] = defaultdict(list)
    for entity_id, drawer_id in ask_naming(session, entity_ids, most=MOST_MESSAGES).get():
        named[drawer_id].append(entity_id)
    return {frozenset(pair) for ids in named.values() for pair in combinations(ids[:MOST_NAMES], 2)}


def _with_evidence(
    session: UserSession, pairs: Sequence[DoubtfulPair], known: Mapping[int, Entity]
) -> tuple[Doubtful, ...]:
    said = list_latest_naming(session, {each.id for pair in pairs for each in pair[:2]})
    return tuple(
        Doubtful(known[one.id], known[other.id], likeness, said.get(one.id), said.get(other.id))
        for one, other, likeness in pairs
    )
