"""The semantic arm's two scans on the same queries: what HNSW finds of what is nearest, and how long either takes."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

from bench.harness import Figures
from bench.metrics import percentiles
from bench.scale.grow import opened_for
from palace import Embedder, Settings, Strategy, UserSession
from palace.db.candidates.semantic import Scan, semantic_candidates
from palace.models import Candidate, Generation, PassageKey, ScanLimits, Scope

NEAREST = 20
EF_SEARCH = (40, 100, 200, 400)
Vectors = Sequence[Sequence[float]]


def semantic(settings: Settings, queries: Sequence[str], *, embedder: Embedder | None = None) -> Figures:
    """Ask for the nearest passages of each query exactly, and through HNSW with several values of ef_search.

    The rows with the higher limit are what recall asks for. Without an index, HNSW's rows are an exact scan too.
    """
    with opened_for(settings, embedder) as opened:
        found = opened.find_model()
        if found is None:
            raise SystemExit(f"{settings.user} has no embeddings in {settings.home}: fill it with `grow` first")
        generation, model = found
        vectors: Vectors = model.embed_queries(queries).vectors.tolist()
        with opened.session() as session:
            rows = list(_compare(session, generation, vectors))
    return {"queries": len(queries), "scans": rows}


def _compare(session: UserSession, generation: Generation, vectors: Vectors) -> Iterator[Figures]:
    def ask(scan: Scan, limit: int, limits: ScanLimits) -> tuple[list[list[Candidate]], list[float]]:
        """Ask every query; give what was found, nearest first, and how many milliseconds each took."""
        found, spent = [], []
        for vector in vectors:
            started, near = time.perf_counter(), (generation, vector)
            found.append(semantic_candidates(session, near, scope=Scope(), scan=scan, limit=limit, limits=limits))
            spent.append((time.perf_counter() - started) * 1000)
        return found, spent

    usual = Strategy()
    for limit, efs in ((NEAREST, EF_SEARCH), (usual.semantic.vectors, (usual.scan.ef_search,))):
        # Once unmeasured, so that either scan finds its pages in memory.
        ask(Scan.EXACT, limit, usual.scan)
        nearest, spent = ask(Scan.EXACT, limit, usual.scan)
        top = statistics.median(candidates[0].score for candidates in nearest)
        yield {"scan": "exact", "limit": limit, "recall": 1.0, **percentiles(spent), "nearest_cosine": top}
        for ef in efs:
            limits = replace(usual.scan, ef_search=ef)
            ask(Scan.HNSW, limit, limits)
            found, spent = ask(Scan.HNSW, limit, limits)
            keys = ([[each.key for each in candidates] for candidates in side] for side in (found, nearest))
            recall = statistics.mean(recall_at(limit, few, all_) for few, all_ in zip(*keys, strict=True))
            yield {"scan": f"hnsw, ef_search {ef}", "limit": limit, "recall": recall, **percentiles(spent)}


def recall_at(limit: int, found: Sequence[PassageKey], nearest: Sequence[PassageKey]) -> float:
    """Give the share of the nearest passages, ``limit`` at most, that is among as many found; 1 when there are none."""
    wanted = set(nearest[:limit])
    return len(wanted & set(found[:limit])) / len(wanted) if wanted else 1.0
