"""The semantic arm: passages nearest to a query's vector, found exactly, by binary quantisation first, or by HNSW.

The scan is chosen here, from maintained counts, because the planner gets it wrong both ways. Inner product is used
throughout: for unit vectors it equals the cosine and is cheaper.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from palace.db.database import UserSession
from palace.db.rows import vector_text
from palace.models import Candidate, Generation, PassageKey, ScanLimits, Scope

LARGEST_EF = 1000
"""The largest value of ``hnsw.ef_search`` in pgvector."""


class Scan(Enum):
    """How nearest passages are found."""

    EXACT = "exact"
    QUANTISED = "quantised"
    HNSW = "hnsw"


def choose_scan(limits: ScanLimits, *, vectors: int, dimension: int, scope: Scope, is_indexed: bool) -> Scan:
    """Choose the scan: quantised for many vectors, HNSW where a query searches all of very many."""
    if limits.are_few(vectors, dimension):
        return Scan.EXACT
    wants_index = scope.is_open and limits.want_index(vectors, dimension)
    return Scan.HNSW if wants_index and is_indexed else Scan.QUANTISED


def semantic_candidates(
    session: UserSession,
    near: tuple[Generation, Sequence[float]],
    *,
    scope: Scope,
    scan: Scan,
    limit: int,
    limits: ScanLimits,
) -> list[Candidate]:
    """Propose passages by cosine similarity to a unit vector of the generation's model, nearest first."""
    generation, vector = near
    parameters = {"vector": vector_text(vector), "limit": limit}
    name, literals = _OPEN[scan] if scan is Scan.HNSW or scope.is_open else _SCOPED[scan], {"generation": generation.id}
    if scan is not Scan.EXACT:
        parameters["shortlist"] = limits.oversampling * limit
    options: dict[str, object] = {}
    if scan is Scan.HNSW:
        ef = min(max(limits.ef_search, limits.oversampling * limit), LARGEST_EF)
        options = {"hnsw__ef_search": int(ef), "hnsw__max_scan_tuples": int(limits.max_scan_tuples), **_HNSW}
        literals |= {"dimension": generation.dimension, "user": session.user_id}
    elif scan is Scan.QUANTISED:
        # The other arm needs the other cores, and starting workers takes as long as they save.
        options = {"max_parallel_workers_per_gather": 0}
    if scan is not Scan.HNSW and not scope.is_open:
        parameters |= scope.filters
    with session.options(**options):
        rows = session.run(name, parameters, **literals).all()
    return [Candidate(PassageKey(drawer_id, ordinal), -negated) for drawer_id, ordinal, negated in rows]


_OPEN = {Scan.EXACT: "semantic_exact", Scan.QUANTISED: "semantic_quantised", Scan.HNSW: "semantic_hnsw"}
_SCOPED = {Scan.EXACT: "semantic_exact_scoped", Scan.QUANTISED: "semantic_quantised_scoped"}
# Sorting is made expensive: the planner may know too little of a user to choose the index by itself.
_HNSW = {"hnsw__iterative_scan": "relaxed_order", "enable_sort": "off"}
