"""The keyword arm: passages that share the query's rarer words."""

from __future__ import annotations

import sqlalchemy as sa

from palace.records import Candidate, PassageKey, Scope
from palace.store.database import UserSession

MATCH_LIMIT = 3000
"""How many matches are looked at, the rarest words' first."""

_CANDIDATES = sa.text(
    "SELECT drawer_id, ordinal, score, coverage"
    " FROM keyword_candidates(:query, :match_limit, :limit, :tools, :wing_id, :since, :until)"
)


def keyword_candidates(session: UserSession, query: str, *, scope: Scope, limit: int) -> list[Candidate]:
    """Propose passages by the words they share with the query, best first."""
    parameters = {
        "query": query,
        "match_limit": MATCH_LIMIT,
        "limit": limit,
        "tools": scope.tools,
        "wing_id": scope.wing_id,
        "since": scope.since,
        "until": scope.until,
    }
    rows = session.execute(_CANDIDATES, parameters)
    return [Candidate(PassageKey(row.drawer_id, row.ordinal), float(row.score), float(row.coverage)) for row in rows]
