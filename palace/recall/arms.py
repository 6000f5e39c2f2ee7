"""Running the arms: each proposes passages on its own, side by side, on a connection of its own."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from palace.embedding.protocol import Embedder
from palace.errors import EmbeddingError
from palace.recall.request import RecallRequest
from palace.records import CallRecord, Candidate, Generation
from palace.store.candidates.keyword import keyword_candidates
from palace.store.candidates.semantic import choose_scan, semantic_candidates
from palace.store.counts import get_counts
from palace.store.database import Database, UserSession
from palace.store.ledger import record_calls
from palace.store.vectors.index import has_index

CANDIDATES = 150
PURPOSE = "memory_embed"

Model = tuple[Generation, Embedder]


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
    find_model: Callable[[], Model | None]
    """Gives the active generation and its embedder; None before anything was mined."""

    def propose(self, request: RecallRequest) -> Proposals:
        """Ask every arm. Without the model the keywords answer alone, with a warning.

        Raises:
            EmbeddingError: the settings name another model than the palace has.
        """
        proposals = Proposals()
        with ThreadPoolExecutor(max_workers=1) as pool:
            semantic = pool.submit(self._semantic, request, proposals)
            started = time.perf_counter()
            with self.database.transaction(self.user_id) as session:
                found = keyword_candidates(session, request.query, scope=request.scope, limit=CANDIDATES)
            proposals.timings_ms["keyword"] = _milliseconds_since(started)
            near = semantic.result()
        proposals.by_arm = {"keyword": found} if near is None else {"keyword": found, "semantic": near}
        return proposals

    def _semantic(self, request: RecallRequest, proposals: Proposals) -> list[Candidate] | None:
        model = self.find_model()
        if model is None:
            return None
        generation, embedder = model
        started = time.perf_counter()
        try:
            embedded = embedder.embed([request.query])
        except EmbeddingError as problem:
            proposals.warnings.append(f"keywords only, the query could not be embedded: {problem}")
            self._record(problem.calls)
            return None
        proposals.timings_ms["embed"] = _milliseconds_since(started)
        self._record(embedded.calls)
        started = time.perf_counter()
        with self.database.transaction(self.user_id) as session:
            found = _nearest(session, generation, request, embedded.vectors[0].tolist())
        proposals.timings_ms["semantic"] = _milliseconds_since(started)
        return found

    def _record(self, calls: Sequence[CallRecord]) -> None:
        if calls:
            self.database.run(self.user_id, lambda session: record_calls(session, PURPOSE, calls))


def _nearest(
    session: UserSession, generation: Generation, request: RecallRequest, vector: Sequence[float]
) -> list[Candidate]:
    if len(vector) != generation.dimension:
        raise EmbeddingError(
            f"the model gives {len(vector)} numbers, this palace's embeddings have {generation.dimension}:"
            f" run `palace embeddings switch {generation.model}`"
        )
    scan = choose_scan(
        passages=get_counts(session)["passage"],
        dimension=generation.dimension,
        scope=request.scope,
        has_index=lambda: has_index(session, generation.id),
    )
    return semantic_candidates(session, generation, vector, scope=request.scope, scan=scan, limit=CANDIDATES)


def _milliseconds_since(started: float) -> float:
    return (time.perf_counter() - started) * 1000
