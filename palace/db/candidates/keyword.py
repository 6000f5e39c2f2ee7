"""What the keyword arm asks: passages that share the query's rarer words, and rooms in which the person used them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import sqlalchemy as sa
from psycopg.errors import QueryCanceled

from palace.db.candidates.words import QueryWords, all_of, query_terms, weigh_words
from palace.db.database import UserSession
from palace.errors import OutOfTime
from palace.models import Candidate, KeywordLimits, PassageKey, Scope, indexed_text


@contextmanager
def limited(session: UserSession, milliseconds: int) -> Iterator[None]:
    """Let each statement in the block take so long, 0 for any time, and each after it until the transaction ends.

    Raises:
        OutOfTime: one took longer and was stopped; after that the session is of no more use.
    """
    session.execute(sa.text(f"SET LOCAL statement_timeout = {int(milliseconds)}"))
    try:
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
    with limited(session, limits.budget_ms):
        rows = session.execute(statement, parameters).all()
    passages = (Candidate(PassageKey(drawer, ordinal), score) for drawer, ordinal, _, score in rows if drawer)
    return KeywordCandidates(tuple(passages), {room: score for drawer, _, room, score in rows if not drawer})


_ALL = Scope()

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_UNSAID = sa.text(
    # Weighed word by word, whatever a word is stemmed to; what is not counted yet, or not at all, is looked for.
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
    """A word that others are like which begin with its letter and hold one of its pieces where it stands, or beside.

    They have as many letters, or one more or less.
    """

    pieces: tuple[str, str, str]
    """Together the word, in lower case; it begins with a letter from a to z, or nothing is like it."""

    @property
    def patterns(self) -> list[str]:
        """Patterns of LIKE of which one is met: the beginning, the end, or the middle at most one letter away."""
        first, middle, last = self.pieces
        return [f"{first}%", f"%{last}", *(f"{'_' * (len(first) + shift)}{middle}%" for shift in (-1, 0, 1))]


def words_like(session: UserSession, spelled: Collection[str], long: LongWord | None = None) -> Mapping[str, int]:
    """Give words of the user's that are spelled in one of some ways, or like a long word, with how many passages hold
    each.

    Stems are among them, as they are counted too.
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
    """Tell of each of some words whether no passage and no name of the user's holds it in any form.

    A stop word counts as said.
    """
    return session.values(_UNSAID, {"words": list(words)})


def words_written(session: UserSession, words: Sequence[str], scope: Scope = _ALL) -> list[str]:
    """Keep those of some words, in lower case and of letters alone, that the user's passages hold as they are.

    Of a scope its wings count alone, and what its readers did not read.

    A stem that nobody wrote by itself is none of them. In no order.
    """
    parameters = {"words": list(words), "queries": [f"'{word}':B" for word in words], **scope.places}
    return session.values(_WRITTEN, parameters)
