"""Answering one request: propose, fuse, refuse what is beneath the floor, load the rest."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from palace.recall.arms import Arms
from palace.recall.floor import above_floor
from palace.recall.fuse import Fused, fuse
from palace.recall.request import RecallRequest
from palace.records import Drawer, Hit, PassageKey, Recollection, Span
from palace.store.database import UserSession
from palace.store.drawers import get_recalled, list_neighbours

SPARE = 10
"""Drawers loaded beyond top_k, to stand in for duplicates that collapse."""


def answer(arms: Arms, request: RecallRequest) -> Recollection:
    """Answer a request with hits, best first; none when nothing is relevant."""
    started = time.perf_counter()
    proposals = arms.propose(request)
    relevant = above_floor(fuse(proposals.by_arm))[: request.top_k + SPARE]
    hits: tuple[Hit, ...] = ()
    if relevant:
        loading = time.perf_counter()
        with arms.database.transaction(arms.user_id) as session:
            hits = _load(session, relevant, request)
        proposals.timings_ms["load"] = (time.perf_counter() - loading) * 1000
    proposals.timings_ms["total"] = (time.perf_counter() - started) * 1000
    warnings = (*request.warnings, *proposals.warnings)
    return Recollection(request.query, hits, warnings, proposals.timings_ms)


def _load(session: UserSession, relevant: Sequence[Fused], request: RecallRequest) -> tuple[Hit, ...]:
    found = get_recalled(session, [fused.passage for fused in relevant])
    kept = _distinct([fused for fused in relevant if fused.passage in found], found)[: request.top_k]
    hits = []
    for fused in kept:
        drawer, span = found[fused.passage]
        before, after = list_neighbours(session, drawer, request.context) if request.context else ((), ())
        hits.append(Hit(drawer, fused.score, span, fused.arms, before, after))
    return tuple(hits)


def _distinct(relevant: Sequence[Fused], found: Mapping[PassageKey, tuple[Drawer, Span]]) -> list[Fused]:
    """Drop all but the best of those that say the same but for case and space."""
    seen: set[str] = set()
    kept = []
    for fused in relevant:
        drawer, _ = found[fused.passage]
        said = " ".join(drawer.content.casefold().split())
        if said not in seen:
            seen.add(said)
            kept.append(fused)
    return kept
