"""The words of a query, weighed by how rare they are, and the choice of those to search for."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import sqlalchemy as sa

from palace.db.database import UserSession
from palace.models import KeywordLimits

_LEXEME = re.compile(r"'((?:[^'\\]|''|\\\\)*)'")
_LEXEMES = re.compile(rf"{_LEXEME.pattern}(?: \| {_LEXEME.pattern})*")
"""A ``tsquery`` of one lexeme, or of alternatives, in Postgres's notation."""

_WEIGH = sa.text(
    "SELECT CAST(word AS text), df, idf, is_pair"
    " FROM weigh_words(:user_id, :query, CAST(:parts AS text[]), CAST(:grams AS text[]))"
)


class Word(NamedTuple):
    """A search term: a word, a quotation, or a pair of adjacent words."""

    query: str
    """A ``tsquery`` in text form."""
    df: int
    """How many passages hold it."""
    idf: float

    @property
    def lexemes(self) -> tuple[str, ...]:
        """Its stems in the indexed languages; empty for a quotation or a pair."""
        return _lexemes_of(self.query)

    @property
    def made_of(self) -> set[str]:
        """All lexemes in its query."""
        return {_unquoted(found) for found in _LEXEME.findall(self.query)}


@dataclass(frozen=True, slots=True)
class TimeWords:
    """The words in a query's time expressions: in a passage about another time they count less."""

    lexemes: frozenset[str] = frozenset()
    around: Sequence[tuple[datetime, datetime]] = ()
    """The times that the query means, as wide ranges."""
    share: float = 0.0
    """The share of its weight that such a word keeps in a passage about another time."""


@dataclass(frozen=True, slots=True)
class QueryWords:
    """The weighed words of a query; empty when it has only stop words."""

    words: tuple[Word, ...]
    """Words and quotations, rarest first."""
    pairs: tuple[Word, ...]
    time: TimeWords = TimeWords()
    """The words that express the query's time."""
    grams: tuple[str, ...] = ()
    """The words from scripts without spaces."""

    @property
    def weight(self) -> float:
        """The weight of a passage that holds all words."""
        return sum(word.idf for word in self.words)

    @property
    def lexemes(self) -> dict[str, float]:
        """Map the first stem of each single word to its idf, rarest first."""
        return {word.lexemes[0]: word.idf for word in self.words if word.lexemes}

    @property
    def forms(self) -> dict[str, str]:
        """Map every stem of each single word to its first stem."""
        return {lexeme: word.lexemes[0] for word in reversed(self.words) for lexeme in word.lexemes}

    def weights_elsewhere(self, words: Sequence[Word]) -> list[float]:
        """Return the weights of some words or pairs in passages about another time."""
        return [word.idf * (1.0 if self.time.lexemes.isdisjoint(word.made_of) else self.time.share) for word in words]


def weigh_words(
    session: UserSession, query: str, *, parts: Sequence[str] = (), grams: Sequence[str] = ()
) -> QueryWords:
    """Weigh the words of a query, ``parts`` of names and codes in it, and ``grams`` of scripts without spaces.

    A word is searched for by its stem in each language that the user has drawers in.
    """
    parameters = {"query": query, "parts": list(parts), "grams": list(grams)}
    rows = session.execute(_WEIGH, parameters, generic_plan=True).all()
    words = sorted(
        (Word(query, df, idf) for query, df, idf, is_pair in rows if not is_pair),
        key=lambda word: (word.df, word.query),
    )
    pairs = tuple(Word(query, df, idf) for query, df, idf, is_pair in rows if is_pair)
    return QueryWords(tuple(words), pairs, grams=tuple(grams))


def written_without_spaces(grams: Sequence[str], text: str) -> Iterator[tuple[str, str]]:
    """Yield the longest stretches of a text that consist of grams, each with its first gram."""
    if not grams:
        return
    # A lookahead finds overlapping grams.
    any_gram = re.compile(f"(?=({'|'.join(map(re.escape, sorted(grams, key=len, reverse=True)))}))")
    first, start, end = "", 0, 0
    for found in any_gram.finditer(text):
        if found.start() >= end:
            if end:
                yield first, text[start:end]
            first, start = found[1], found.start()
        end = max(end, found.start() + len(found[1]))
    if end:
        yield first, text[start:end]


def all_of(words: Sequence[Word]) -> Word | None:
    """Combine words into a term for passages that hold all of them; None without any."""
    query = " & ".join(f"({word.query})" for word in words)
    return Word(query, min(word.df for word in words), sum(word.idf for word in words)) if words else None


def any_of(words: Collection[Word]) -> str | None:
    """Return the query for passages that hold any of some words; None without any."""
    return " | ".join(f"({word.query})" for word in words) or None


def query_terms(words: Sequence[Word], limits: KeywordLimits, name: Word | None = None) -> list[Word]:
    """Choose the search terms: the rarest words within the limit on matches, and pairs of some of the more common ones.

    ``words`` are sorted rarest first. A single word is searched for however common it is. With a speaker's ``name``,
    which that speaker's passages hold, words that are too common are combined with it.
    """
    if len(words) == 1 and name is None:
        return list(words)
    affordable, matches = _affordable(words, limits.match_limit)
    if name is None:
        return [*words[:affordable], *_meetings(words[affordable : affordable + limits.meeting])]
    beside = [Word(f"({word.query}) & ({name.query})", min(word.df, name.df), word.idf) for word in words[affordable:]]
    more, _ = _affordable(beside, limits.match_limit - matches)
    left = beside[more:]
    return [*words[:affordable], *beside[:more], *(left if len(words) == 1 else _meetings(left[: limits.meeting]))]


@lru_cache(maxsize=4096)
def _lexemes_of(query: str) -> tuple[str, ...]:
    # Cached: each drawer of a recall asks for the same few words.
    return tuple(map(_unquoted, _LEXEME.findall(query))) if _LEXEMES.fullmatch(query) else ()


def _unquoted(lexeme: str) -> str:
    return lexeme.replace("''", "'").replace("\\\\", "\\")


def _affordable(words: Sequence[Word], limit: int) -> tuple[int, int]:
    """Count the first words whose matches together are within the limit; return that and their matches."""
    count, matches = 0, 0
    while count < len(words) and matches + words[count].df <= limit:
        matches += words[count].df
        count += 1
    return count, matches


def _meetings(common: Sequence[Word]) -> list[Word]:
    return [
        Word(f"({one.query}) & ({other.query})", min(one.df, other.df), one.idf + other.idf)
        for one, other in combinations(common, 2)
    ]


_TELLING = sa.text(
    "SELECT lexeme FROM unnest(to_tsvector('english', :told))"
    " EXCEPT SELECT lexeme FROM unnest(to_tsvector('english', :rest))"
)


def mark_times(session: UserSession, words: QueryWords, time: TimeWords, *, told: str, rest: str) -> QueryWords:
    """Mark the words that are only in a query's time expressions, ``told``, and not in the ``rest`` of it."""
    found = session.execute(_TELLING, {"told": told, "rest": rest}).scalars()
    return replace(words, time=replace(time, lexemes=frozenset(found)))
