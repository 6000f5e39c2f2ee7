"""The keyword arm: passages that share a query's rarer words, and rooms in which the user used them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import sqlalchemy as sa
from psycopg.errors import QueryCanceled

from palace.db.candidates.words import QueryWords, all_of, query_terms, weigh_words
from palace.db.database import UserSession
from palace.db.rows import ids_text
from palace.errors import OutOfTime
from palace.models import Candidate, KeywordLimits, PassageKey, Scope, indexed_text


@contextmanager
def limited(session: UserSession, milliseconds: int) -> Iterator[None]:
    """Set a statement timeout for the block; 0 for none.

    Raises:
        OutOfTime: a statement exceeded it and was stopped; the session is unusable afterwards.
    """
    try:
        with session.options(statement_timeout=int(milliseconds)):
            yield
    except sa.exc.OperationalError as problem:
        if not isinstance(problem.orig, QueryCanceled):
            raise
        raise OutOfTime(f"a statement took more than {milliseconds:,} ms and was stopped") from problem


_CANDIDATES = sa.text(
    "SELECT drawer_id, ordinal, room_id, score FROM keyword_candidates("
    ":user_id, CAST(:terms AS tsquery[]), CAST(:worths AS float8[]), :match_limit, :limit, :tools,"
    " CAST(:wings AS bigint[]), :since, :until, :role, :speaker, CAST(:readers AS text[]))"
)
_IN_LANGUAGE = sa.text(
    # The best may be of another language, so everything examined is returned and then filtered.
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
    """The passages and rooms that use a query's words."""

    passages: tuple[Candidate, ...] = ()
    """Best first."""
    rooms: Mapping[int, float] = field(default_factory=dict)
    """The score of each room in which the user used the words, by id."""


def keyword_candidates(
    session: UserSession, words: QueryWords, *, scope: Scope, limits: KeywordLimits
) -> KeywordCandidates:
    """Propose passages by the words they share with a query, and score rooms by what the user said there.

    Raises:
        OutOfTime: it took longer than the limits allow; the session is unusable afterwards.
    """
    name = all_of(weigh_words(session, indexed_text(scope.speaker, "")).words) if scope.speaker else None
    terms = query_terms(words.words, limits, name)
    if not terms:
        return KeywordCandidates()
    parameters = {
        "terms": [term.query for term in terms],
        "worths": ids_text(term.idf for term in terms),
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
    with limited(session, limits.budget_ms):
        rows = session.execute(statement, parameters, generic_plan=not scope.language).all()
    passages = (Candidate(PassageKey(drawer, ordinal), score) for drawer, ordinal, _, score in rows if drawer)
    return KeywordCandidates(tuple(passages), {room: score for drawer, _, room, score in rows if not drawer})


_ALL = Scope()

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_UNSAID = sa.text(
    # Checked word by word, in all forms of its stem; a word without a count may be new, so it is searched for.
    "SELECT stems > 0 AND said = 0 FROM unnest(CAST(:words AS text[])) WITH ORDINALITY AS given (typed, n)"
    " CROSS JOIN LATERAL (SELECT count(*) AS stems, count(*) FILTER (WHERE df > 0 OR EXISTS ("
    " SELECT FROM keyword_candidates(:user_id, ARRAY[word], ARRAY[CAST(1 AS float8)], 1, 1, true, NULL, NULL, NULL,"
    " NULL, NULL, NULL)) OR EXISTS (SELECT FROM named_places(:user_id, ARRAY[word], 1000000))) AS said"
    " FROM weigh_words(:user_id, typed, '{}', '{}') WHERE NOT is_pair) AS weighed ORDER BY n"
)
_WRITTEN = sa.text(
    "SELECT word FROM unnest(CAST(:words AS text[]), CAST(:queries AS tsquery[])) AS given (word, query)"
    " WHERE EXISTS (SELECT FROM keyword_candidates(:user_id, ARRAY[query], ARRAY[CAST(1 AS float8)], 1, 1, false,"
    " CAST(:wings AS bigint[]), NULL, NULL, NULL, NULL, CAST(:readers AS text[])))"
)


@dataclass(frozen=True, slots=True)
class LongWord:
    """A long word in three pieces, to find words spelled like it.

    Similar words begin with its letter, differ by at most one letter in length, and hold a piece where this word does,
    or one letter beside.
    """

    pieces: tuple[str, str, str]
    """Joined they are the word, in lower case; unless it begins with a letter from a to z, no word is similar."""

    @property
    def patterns(self) -> list[str]:
        """LIKE patterns, one of which must match: the beginning, the end, or the middle shifted by up to one letter."""
        first, middle, last = self.pieces
        return [f"{first}%", f"%{last}", *(f"{'_' * (len(first) + shift)}{middle}%" for shift in (-1, 0, 1))]


def words_like(session: UserSession, spelled: Collection[str], long: LongWord | None = None) -> Mapping[str, int]:
    """Count passages for each of the user's words that are spelled in one of some ways, or similar to a long word.

    Stems are included, as they are counted too.
    """
    word = "".join(long.pieces) if long else ""
    first = word[0] if word and word[0] in _LETTERS else None
    parameters = {
        "spelled": sorted(spelled),
        "letter": first,
        "next_letter": _LETTERS[_LETTERS.index(first) + 1] if first and first != _LETTERS[-1] else None,
        "fewest_letters": len(word) - 1,
        "most_letters": len(word) + 1,
        "patterns": long.patterns if long else [],
    }
    return {lexeme: int(passages) for lexeme, passages in session.run("words_like", parameters)}


def are_unsaid(session: UserSession, words: Sequence[str]) -> list[bool]:
    """For each word, return whether no passage and no name of the user's holds any form of it.

    A stop word counts as held.
    """
    return session.values(_UNSAID, {"words": list(words)})


def words_written(session: UserSession, words: Sequence[str], scope: Scope = _ALL) -> list[str]:
    """Return those of some lower-case words that the user's passages hold literally, unordered.

    Of the scope only wings and readers are used. A stem counts only where somebody wrote it as a word.
    """
    parameters = {"words": list(words), "queries": [f"'{word}':B" for word in words], **scope.places}
    return session.values(_WRITTEN, parameters)
