"""The semantic arm: proposes passages nearest to the query's vector, overall and within each time of the query."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from shlex import quote

from palace.db.candidates.semantic import Scan, choose_scan, semantic_candidates
from palace.db.database import UserSession
from palace.errors import EmbeddingError
from palace.models import Candidate, Scope
from palace.recall.arms.protocol import ArmRequest, Proposal, SemanticLimits
from palace.recall.intent import Intent


@dataclass(frozen=True, slots=True)
class SemanticArm:
    """The arm that proposes passages by meaning."""

    name: str = "semantic"
    needs_vector: bool = True

    def propose(self, session: UserSession, request: ArmRequest) -> Proposal:
        """Propose the nearest passages.

        Raises:
            EmbeddingError: the query's vector has another dimension than the palace's.
        """
        near = request.near
        if near is None:
            return Proposal()
        generation, vector = near
        if len(vector) != generation.dimension:
            raise EmbeddingError(
                f"the model gives {len(vector)} numbers, this palace's embeddings have {generation.dimension}:"
                f" run `palace embeddings switch {quote(generation.model)}`"
            )
        limits, scans, scope = request.strategy.semantic, request.strategy.scan, request.scope
        _, vectors, is_indexed = request.sizes_in(session)
        scan = choose_scan(scans, vectors=vectors, dimension=generation.dimension, scope=scope, is_indexed=is_indexed)

        def nearest(scope: Scope, scan: Scan, limit: int) -> list[Candidate]:
            return semantic_candidates(session, near, scope=scope, scan=scan, limit=limit, limits=scans)

        # The index does not know times, and its settings would remain in force for later statements.
        in_time = Scan.QUANTISED if scan is Scan.HNSW else scan
        within = scopes_in_time(request.within, request.intent, limits)
        found = [each for scope in within for each in nearest(scope, in_time, limits.vectors_in_time)]
        found += nearest(request.within, scan, limits.vectors)
        return Proposal(tuple(found))


def scopes_in_time(scope: Scope, intent: Intent, limits: SemanticLimits) -> list[Scope]:
    """Return a scope for each time to search separately; empty if the caller restricts the time."""
    if scope.since or scope.until:
        return []
    return [
        replace(scope, since=window.widest[0], until=window.widest[1])
        for window in intent.windows
        if window.end - window.start <= timedelta(days=limits.longest_window_days)
    ]
