"""Running the arms: each proposes passages on its own; keywords are looked up while the query is embedded."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field

from palace.embedding.protocol import EmbeddedTexts, Embedder
from palace.errors import EmbeddingError
from palace.recall.request import RecallRequest
from palace.records import CallRecord, Candidate, Generation
from palace.store.candidates.keyword import keyword_candidates
from palace.store.candidates.semantic import Scan, choose_scan, semantic_candidates
from palace.store.counts import get_counts
from palace.store.database import Database, UserSession
from palace.store.ledger import record_calls
from palace.store.vectors.index import has_index

CANDIDATES = 150
PURPOSE = "memory_embed"


@dataclass(slots=True)
class Proposals:
    """What the arms propose, and what went wrong on the way."""

    by_arm: dict[str, list[Candidate]] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    timings_ms: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Arms:
    """The arms over one user's palace."""

    database: Database
    user_id: int
    generation: Generation | None
    embedder: Embedder | None
    """None while nothing was ever mined: then there is nothing to compare with either."""

    def propose(self, request: RecallRequest) -> Proposals:
        """Ask every arm. Without the model the keywords answer alone, with a warning."""
        proposals = Proposals()
        started = time.perf_counter()
        with ThreadPoolExecutor(max_workers=1) as pool:
            embedding = pool.submit(self.embedder.embed, [request.query]) if self.embedder else None
            with self.database.transaction(self.user_id) as session:
                proposals.by_arm["keyword"] = keyword_candidates(
                    session, request.query, scope=request.scope, limit=CANDIDATES
                )
            proposals.timings_ms["keyword"] = _milliseconds_since(started)
            vector = self._await(embedding, proposals)
        proposals.timings_ms["embed"] = _milliseconds_since(started)
        if vector is not None and self.generation is not None:
            started = time.perf_counter()
            with self.database.transaction(self.user_id) as session:
                proposals.by_arm["semantic"] = self._nearest(session, request, vector)
            proposals.timings_ms["semantic"] = _milliseconds_since(started)
        return proposals

    def _await(self, embedding: Future[EmbeddedTexts] | None, proposals: Proposals) -> list[float] | None:
        if embedding is None:
            return None
        try:
            embedded = embedding.result()
        except EmbeddingError as problem:
            proposals.warnings.append(f"keywords only, the query could not be embedded: {problem}")
            self._record(problem.calls)
            return None
        self._record(embedded.calls)
        vector: list[float] = embedded.vectors[0].tolist()
        return vector

    def _record(self, calls: Sequence[CallRecord]) -> None:
        if calls:
            self.database.run(self.user_id, lambda session: record_calls(session, PURPOSE, calls))

    def _nearest(self, session: UserSession, request: RecallRequest, vector: Sequence[float]) -> list[Candidate]:
        assert self.generation is not None
        if len(vector) != self.generation.dimension:
            raise EmbeddingError(
                f"the model gives {len(vector)} numbers, this palace's embeddings have {self.generation.dimension}:"
                f" run `palace embeddings switch {self.generation.model}`"
            )
        passages = get_counts(session)["passage"]
        scan = choose_scan(passages=passages, dimension=self.generation.dimension, scope=request.scope, has_index=True)
        if scan is Scan.HNSW and not has_index(session, self.generation.id):
            scan = Scan.EXACT
        return semantic_candidates(session, self.generation, vector, scope=request.scope, scan=scan, limit=CANDIDATES)


def _milliseconds_since(started: float) -> float:
    return (time.perf_counter() - started) * 1000
