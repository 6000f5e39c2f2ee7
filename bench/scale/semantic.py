"""The semantic arm's two scans on the same queries: what HNSW finds of what is nearest, and how long either takes."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from bench.metrics import percentiles
from bench.scale.report import Result
from palace import Strategy
from palace.embedding.protocol import Embedder
from palace.opened import OpenPalace
from palace.records import Candidate, Generation, PassageKey, ScanLimits, Scope
from palace.settings import Settings
from palace.store.candidates.semantic import Scan, semantic_candidates
from palace.store.database import UserSession

NEAREST = 20
EF_SEARCH = (40, 100, 200, 400)

Found = list[list[Candidate]]
"""Candidates by query, nearest first."""


def semantic(settings: Settings, queries: Sequence[str], *, embedder: Embedder | None = None) -> Result:
    """Ask for the nearest passages of each query exactly, and through HNSW with several values of ef_search.

    The rows with the higher limit are what recall asks for. Without an index, HNSW's rows are an exact scan too.
    """
    opened = OpenPalace.open(settings, user=None, embedder=embedder)
    try:
        found = opened.find_model()
        if found is None:
            raise SystemExit(f"{settings.user} has no embeddings in {settings.home}: fill it with `grow` first")
        generation, model = found
        vectors: list[list[float]] = model.embed_queries(queries).vectors.tolist()
        with opened.session() as session:
            rows = list(_compare(_Asking(session, generation, vectors)))
    finally:
        opened.database.shared.close()
    return {"queries": len(queries), "scans": rows}


@dataclass(frozen=True, slots=True)
class _Asking:
    """The same queries, asked of one palace in different ways."""

    session: UserSession
    generation: Generation
    vectors: Sequence[Sequence[float]]

    def ask(self, scan: Scan, limit: int, limits: ScanLimits) -> tuple[Found, list[float]]:
        """Ask every query; give what was found, and how many milliseconds each took."""
        found, milliseconds = [], []
        for vector in self.vectors:
            started, near = time.perf_counter(), (self.generation, vector)
            found.append(semantic_candidates(self.session, near, scope=Scope(), scan=scan, limit=limit, limits=limits))
            milliseconds.append((time.perf_counter() - started) * 1000)
        return found, milliseconds


def _compare(asking: _Asking) -> Iterator[Result]:
    usual = Strategy()
    for limit, efs in ((NEAREST, EF_SEARCH), (usual.semantic.vectors, (usual.scan.ef_search,))):
        # Once unmeasured, so that either scan finds its pages in memory.
        asking.ask(Scan.EXACT, limit, usual.scan)
        nearest, milliseconds = asking.ask(Scan.EXACT, limit, usual.scan)
        top = statistics.median(candidates[0].score for candidates in nearest)
        yield {"scan": "exact", "limit": limit, "recall": 1.0, **percentiles(milliseconds), "nearest_cosine": top}
        for ef in efs:
            limits = replace(usual.scan, ef_search=ef)
            asking.ask(Scan.HNSW, limit, limits)
            found, milliseconds = asking.ask(Scan.HNSW, limit, limits)
            recall = statistics.mean(
                recall_at(limit, keys_of(few), keys_of(all_)) for few, all_ in zip(found, nearest, strict=True)
            )
            yield {"scan": f"hnsw, ef_search {ef}", "limit": limit, "recall": recall, **percentiles(milliseconds)}


def keys_of(candidates: Sequence[Candidate]) -> list[PassageKey]:
    """Give the passages that candidates are."""
    return [candidate.key for candidate in candidates]


def recall_at(limit: int, found: Sequence[PassageKey], nearest: Sequence[PassageKey]) -> float:
    """Give the share of the nearest passages, ``limit`` at most, that is among as many found; 1 when there are none."""
    wanted = set(nearest[:limit])
    return len(wanted & set(found[:limit])) / len(wanted) if wanted else 1.0
