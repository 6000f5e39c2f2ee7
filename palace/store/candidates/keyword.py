"""What the keyword arm asks: passages that share the query's rarer words, and rooms in which the person used them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import sqlalchemy as sa

from palace.records import Candidate, KeywordLimits, PassageKey, Scope, indexed_text
from palace.store.candidates.budget import Budget
from palace.store.candidates.words import QueryWords, all_of, query_terms, weigh_words
from palace.store.database import UserSession

_CANDIDATES = sa.text(
    "SELECT drawer_id, ordinal, room_id, score FROM keyword_candidates("
    ":user_id, CAST(:terms AS tsquery[]), CAST(:worths AS float8[]), :match_limit, :limit, :tools,"
    " CAST(:wings AS bigint[]), :since, :until, :role, :speaker, CAST(:readers AS text[]))"
)
_IN_LANGUAGE = sa.text(
    # The best of all may be of another language, so everything that is looked at is given back and looked through.
    "SELECT c.drawer_id, c.ordinal, c.room_id, c.score FROM keyword_candidates("
    ":user_id, CAST(:terms AS tsquery[]), CAST(:worths AS float8[]), :match_limit, :everything, :tools,"
    " CAST(:wings AS bigint[]), :since, :until, :role, :speaker, CAST(:readers AS text[])) AS c"
    " LEFT JOIN drawer AS d ON d.user_id = :user_id AND d.id = c.drawer_id"
    " WHERE c.drawer_id IS NULL OR coalesce(d.language, 'en') = :language"
    " ORDER BY row_number() OVER (PARTITION BY c.drawer_id IS NULL ORDER BY c.score DESC, c.drawer_id, c.ordinal)"
    " LIMIT 2 * CAST(:limit AS int)"
)


@dataclass(frozen=True, slots=True)
class KeywordCandidates:
    """Where a query's words stand."""

    passages: tuple[Candidate, ...] = ()
    """Best first."""
    rooms: Mapping[int, float] = field(default_factory=dict)
    """The score of each room in which the person used them, by id."""


def keyword_candidates(
    session: UserSession, words: QueryWords, *, scope: Scope, limits: KeywordLimits
) -> KeywordCandidates:
    """Propose passages by what they share with a query, and score rooms by what the person said there.

    Raises:
        OutOfTime: it took longer than the limits allow; after that the session is of no more use.
    """
    name = all_of(weigh_words(session, indexed_text(scope.speaker, "")).words) if scope.speaker else None
    terms = query_terms(words.words, limits, name)
    if not terms:
        return KeywordCandidates()
    parameters = {
        "terms": [term.query for term in terms],
        "worths": [term.idf for term in terms],
        "match_limit": limits.match_limit,
        "limit": limits.passages,
        "tools": scope.tools,
        **scope.places,
        "since": scope.since,
        "until": scope.until,
        "role": scope.role or None,
        "speaker": scope.speaker or None,
    }
    statement = _CANDIDATES
    if scope.language:
        statement = _IN_LANGUAGE
        parameters |= {"language": scope.language, "everything": limits.match_limit * len(terms)}
    with Budget(session, limits.budget_ms):
        rows = session.execute(statement, parameters).all()
    passages = (Candidate(PassageKey(drawer, ordinal), score) for drawer, ordinal, _, score in rows if drawer)
    return KeywordCandidates(tuple(passages), {room: score for drawer, _, room, score in rows if not drawer})
