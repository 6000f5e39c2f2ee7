"""The keyword arm: passages that share the query's rarer words, and rooms in which the person used them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import sqlalchemy as sa
from psycopg.errors import QueryCanceled

from palace.records import Candidate, PassageKey, Scope, indexed_text
from palace.store.candidates.words import MATCH_LIMIT, QueryWords, Word, all_of, probes, weigh_words
from palace.store.database import UserSession

BUDGET_MS = 500
"""What the arm may take: some ten times what it takes at 100,000 drawers. The others answer without it."""

_BUDGET = sa.text("SELECT set_config('statement_timeout', :budget, true)")
_CANDIDATES = sa.text(
    "SELECT drawer_id, ordinal, room_id, score FROM keyword_candidates("
    "CAST(:probes AS tsquery[]), CAST(:worths AS float8[]), :match_limit, :limit, :tools, :wing_id, :since, :until)"
)


@dataclass(frozen=True, slots=True)
class Worded:
    """Where a query's words stand."""

    passages: tuple[Candidate, ...] = ()
    """Best first."""
    rooms: Mapping[int, float] = field(default_factory=dict)
    """The score of each room in which the person used them, by id."""
    is_cut: bool = False
    """Whether the server was stopped before it had found any."""


def search_words(session: UserSession, query: str, *, scope: Scope, limit: int) -> tuple[QueryWords, Worded]:
    """Weigh what a query says, and propose passages and rooms that say it, or none when that takes too long.

    After that the session is of no more use.
    """
    said = weigh_words(session, query)
    name = all_of(weigh_words(session, indexed_text(scope.speaker, "")).words) if scope.speaker else None
    session.execute(_BUDGET, {"budget": f"{BUDGET_MS}ms"})
    try:
        return said, keyword_candidates(session, probes(said.words, MATCH_LIMIT, name), scope=scope, limit=limit)
    except sa.exc.OperationalError as problem:
        if not isinstance(problem.orig, QueryCanceled):
            raise
        return said, Worded(is_cut=True)


def keyword_candidates(session: UserSession, wanted: Sequence[Word], *, scope: Scope, limit: int) -> Worded:
    """Propose passages by what they share with a query, and score rooms by what the person said there."""
    if not wanted:
        return Worded()
    parameters = {
        "probes": [word.query for word in wanted],
        "worths": [word.idf for word in wanted],
        "match_limit": MATCH_LIMIT,
        "limit": limit,
        "tools": scope.tools,
        "wing_id": scope.wing_id,
        "since": scope.since,
        "until": scope.until,
    }
    if scope.role or scope.speaker:
        said_by = {"role": scope.role, "speaker": scope.speaker}
        rows = session.run("keyword_said_by", parameters | said_by).all()
    else:
        rows = session.execute(_CANDIDATES, parameters).all()
    passages = (Candidate(PassageKey(drawer, ordinal), score) for drawer, ordinal, _, score in rows if drawer)
    return Worded(tuple(passages), {room: score for drawer, _, room, score in rows if not drawer})
