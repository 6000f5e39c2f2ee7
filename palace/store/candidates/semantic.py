"""The semantic arm: passages nearest to a query's vector, by an exact scan, by the vectors' signs, or by HNSW.

The choice is made here, from maintained counts, because the planner gets it wrong both ways. Inner product is used
throughout: on unit vectors it is the cosine, at less work.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum

import sqlalchemy as sa

from palace.records import Candidate, Generation, PassageKey, Scope
from palace.store.database import UserSession

EXACT_UP_TO = 5_000
"""Vectors of 384 dimensions that are compared one by one; of wider vectors, fewer in proportion."""

CODED_UP_TO = 50_000
"""Vectors whose signs are compared one by one, where an HNSW index would be faster above."""

CODED = 4
"""How many times as many are looked at by their signs as are proposed: 0.9995 of the nearest 20 are among them."""

REFERENCE_DIMENSION = 384
EF_SEARCH = 200
MAX_SCAN_TUPLES = 40_000


class Scan(Enum):
    """How candidates are found."""

    EXACT = "exact"
    CODED = "coded"
    HNSW = "hnsw"


def choose_scan(*, vectors: int, dimension: int, scope: Scope, has_index: Callable[[], bool]) -> Scan:
    """Choose the scan: by signs where the user has many vectors and looks at all of them, by HNSW where very many.

    ``has_index`` is asked only where it matters.
    """
    work = vectors * dimension // REFERENCE_DIMENSION
    if work <= EXACT_UP_TO or not scope.is_open:
        return Scan.EXACT
    return Scan.HNSW if work > CODED_UP_TO and has_index() else Scan.CODED


def semantic_candidates(
    session: UserSession,
    generation: Generation,
    vector: Sequence[float],
    *,
    scope: Scope,
    scan: Scan,
    limit: int,
) -> list[Candidate]:
    """Propose passages by cosine similarity to a unit vector, nearest first."""
    parameters = {"vector": str(list(vector)), "limit": limit}
    name, literals = "semantic_exact", {"generation": generation.id}
    if scan is Scan.HNSW:
        session.execute(_HNSW, {"ef": str(max(EF_SEARCH, limit)), "tuples": str(MAX_SCAN_TUPLES)})
        name, literals = "semantic_hnsw", literals | {"dimension": generation.dimension}
    elif scan is Scan.CODED:
        session.execute(_ALONE)
        name = "semantic_coded"
        parameters["coded"] = CODED * limit
    elif not scope.is_open:
        name = "semantic_exact_scoped"
        parameters |= {"wing_id": scope.wing_id, "since": scope.since, "until": scope.until}
        parameters |= {"role": scope.role, "speaker": scope.speaker}
    rows = session.run(name, parameters, **literals)
    return [Candidate(PassageKey(drawer_id, ordinal), -negated) for drawer_id, ordinal, negated in rows]


_ALONE = sa.text(
    # The other cores are wanted by the other arm, and starting workers takes as long as they save.
    "SELECT set_config('max_parallel_workers_per_gather', '0', true)"
)
_HNSW = sa.text(
    # Sorting is made dear: what the planner knows of a user may be too little to choose the index by itself.
    "SELECT set_config('hnsw.ef_search', :ef, true), set_config('hnsw.iterative_scan', 'relaxed_order', true),"
    " set_config('hnsw.max_scan_tuples', :tuples, true), set_config('enable_sort', 'off', true)"
)
