"""Answering one request: propose, fuse, refuse what is beneath the floor, load the rest, rerank on request."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from palace.recall.arms import Arms, Proposals, compare
from palace.recall.floor import above_floor
from palace.recall.fuse import Fused, Fusion, fuse
from palace.recall.reading import read_query
from palace.recall.request import RecallRequest
from palace.recall.rerank import PURPOSE, Reranker, rerank
from palace.records import Drawer, Hit, PassageKey, Recollection, Span, doubts
from palace.store.database import UserSession
from palace.store.drawers import get_recalled, list_neighbours
from palace.store.ledger import record_calls

SPARE = 10
"""Drawers loaded beyond top_k, to stand in for duplicates that collapse."""


def answer(arms: Arms, request: RecallRequest, reranker: Reranker | None = None) -> Recollection:
    """Answer a request with hits, best first; none when nothing is relevant."""
    started = time.perf_counter()
    reading = read_query(request.query, request.now)
    proposals = arms.propose(request, reading)
    wanted = max(request.top_k, reranker.candidates) if reranker else request.top_k

    def compare_and_load(session: UserSession) -> tuple[Hit, ...]:
        with proposals.timed("compare"):
            compared = compare(session, proposals, request, reading)
            fusion = fuse(compared, proposals.worded.rooms, reading, arms.weights)
        with proposals.timed("load"):
            return _load(session, fusion, wanted, request.context)

    hits = arms.database.run(compare_and_load)
    if reranker:
        hits = _reranked(arms, reranker, request, hits, proposals)
    proposals.timings_ms["total"] = (time.perf_counter() - started) * 1000
    warnings = (*request.warnings, *proposals.warnings)
    return Recollection(request.query, hits[: request.top_k], warnings, proposals.timings_ms)


def _reranked(
    arms: Arms, reranker: Reranker, request: RecallRequest, hits: tuple[Hit, ...], proposals: Proposals
) -> tuple[Hit, ...]:
    """Rerank with no transaction open, then write what it cost to the ledger."""
    started = time.perf_counter()
    reranked = rerank(reranker, request, hits)
    if reranked.calls:
        arms.database.run(lambda session: record_calls(session, PURPOSE, reranked.calls))
    proposals.warnings.extend((*reranked.warnings, *doubts(reranked.calls)))
    proposals.timings_ms["rerank"] = (time.perf_counter() - started) * 1000
    return reranked.hits


def _load(session: UserSession, fusion: Fusion, wanted: int, context: int) -> tuple[Hit, ...]:
    relevant = above_floor(fusion.ranked)[: wanted + SPARE]
    if not relevant:
        return ()
    found = get_recalled(session, [fused.drawer.passage for fused in relevant])
    hits = []
    for first, *others in _alike([fused for fused in relevant if fused.drawer.passage in found], found)[:wanted]:
        drawer, span = found[first.drawer.passage]
        before, after = list_neighbours(session, drawer, context) if context else ((), ())
        # A former reading of the same message is no repetition of it.
        again = tuple(found[other.drawer.passage][0] for other in others if not other.drawer.is_replaced)
        hits.append(Hit(drawer, first.score, span, fusion.arms_of(first), before, after, again))
    return tuple(hits)


def _alike(relevant: Sequence[Fused], found: Mapping[PassageKey, tuple[Drawer, Span]]) -> list[list[Fused]]:
    """Group those that say the same but for case and space, each where its best stands; what is current comes first."""
    groups: dict[str, list[Fused]] = {}
    for fused in relevant:
        drawer, _ = found[fused.drawer.passage]
        groups.setdefault(" ".join(drawer.content.casefold().split()), []).append(fused)
    return [sorted(group, key=lambda fused: fused.drawer.is_replaced) for group in groups.values()]
