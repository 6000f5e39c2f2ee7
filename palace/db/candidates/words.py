"""What a query says, weighed by how rare it is, and which of it is looked for."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

import sqlalchemy as sa

from palace.db.database import UserSession
from palace.models import KeywordLimits

_LEXEME = re.compile(r"'((?:[^'\\]|''|\\\\)*)'")
_LEXEMES = re.compile(rf"{_LEXEME.pattern}(?: \| {_LEXEME.pattern})*")
"""A ``tsquery`` of one lexeme, or of several of which one is enough, as Postgres writes it."""

_WEIGH = sa.text(
    "SELECT CAST(word AS text), df, idf, is_pair"
    " FROM weigh_words(:user_id, :query, CAST(:parts AS text[]), CAST(:grams AS text[]))"
)


class Word(NamedTuple):
    """Something to look for in passages: a word, a quotation, or two words beside each other."""

    query: str
    """A ``tsquery``."""
    df: int
    """How many passages hold it."""
    idf: float

    @property
    def lexemes(self) -> tuple[str, ...]:
        """What it is in an index, in each language that takes it to another stem; empty of what is more than a word."""
        return _lexemes_of(self.query)

    @property
    def made_of(self) -> set[str]:
        """All lexemes that it is made of."""
        return {_unquoted(found) for found in _LEXEME.findall(self.query)}


@dataclass(frozen=True, slots=True)
class TimeWords:
    """Words that tell a time: what says them may mean another one."""

    lexemes: frozenset[str] = frozenset()
    around: Sequence[tuple[datetime, datetime]] = ()
    """The times that the query speaks of, as wide as they may be meant."""
    share: float = 0.0
    """What is left of the weight of such a word where it means another time."""


@dataclass(frozen=True, slots=True)
class QueryWords:
    """What a query says; empty when it says stop words alone."""

    words: tuple[Word, ...]
    """Words and quotations, rarest first."""
    pairs: tuple[Word, ...]
    time: TimeWords = TimeWords()
    """Those of them that tell the query's time."""
    grams: tuple[str, ...] = ()
    """Those of the words that are runs of writing without spaces."""

    @property
    def weight(self) -> float:
        """What a passage that holds all of the words weighs."""
        return sum(word.idf for word in self.words)

    @property
    def lexemes(self) -> dict[str, float]:
        """Its single words, by the first of their stems, rarest first, each with its idf."""
        return {word.lexemes[0]: word.idf for word in self.words if word.lexemes}

    @property
    def forms(self) -> dict[str, str]:
        """Every stem of its single words, with the first of the same word."""
        return {lexeme: word.lexemes[0] for word in reversed(self.words) for lexeme in word.lexemes}

    def weights_elsewhere(self, words: Sequence[Word]) -> list[float]:
        """Give what some of its words, or pairs, weigh in what means another time."""
        return [word.idf * (1.0 if self.time.lexemes.isdisjoint(word.made_of) else self.time.share) for word in words]


def weigh_words(
    session: UserSession, query: str, *, parts: Sequence[str] = (), grams: Sequence[str] = ()
) -> QueryWords:
    """Weigh what a query says; ``parts`` of its names and codes, and runs of writing without spaces, beside its words.

    A word is looked for by its stem in each language that the user has drawers in.
    """
    rows = session.execute(_WEIGH, {"query": query, "parts": list(parts), "grams": list(grams)}).all()
    words = sorted((Word(query, df, idf) for query, df, idf, is_pair in rows if not is_pair), key=_by_rarity)
    pairs = tuple(Word(query, df, idf) for query, df, idf, is_pair in rows if is_pair)
    return QueryWords(tuple(words), pairs, grams=tuple(grams))


def written_without_spaces(grams: Sequence[str], text: str) -> Iterator[tuple[str, str]]:
    """Give the longest stretches of a text that are made of grams, each with the first of them."""
    if not grams:
        return
    # Looked for from each place on, so that those are found that overlap.
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
    """Look for a passage that holds all of some words; None without any."""
    query = " & ".join(f"({word.query})" for word in words)
    return Word(query, min(word.df for word in words), sum(word.idf for word in words)) if words else None


def query_terms(words: Sequence[Word], limits: KeywordLimits, name: Word | None = None) -> list[Word]:
    """Choose what to look for: the rarest words, while their matches are within the limit; of some more, two meeting.

    ``words`` come rarest first. A lone word is looked for however common it is. With a speaker's ``name``, which the
    speaker's passages hold, the words whose matches are too many alone are looked for beside it.
    """
    if len(words) == 1 and name is None:
        return list(words)
    affordable, matches = _affordable(words, limits.match_limit)
    if name is None:
        return [*words[:affordable], *_meetings(words[affordable : affordable + limits.meeting])]
    beside = [_beside(word, name) for word in words[affordable:]]
    more, _ = _affordable(beside, limits.match_limit - matches)
    left = beside[more:]
    return [*words[:affordable], *beside[:more], *(left if len(words) == 1 else _meetings(left[: limits.meeting]))]


@lru_cache(maxsize=4096)
def _lexemes_of(query: str) -> tuple[str, ...]:
    # Asked of the same few words for every drawer of a recall.
    return tuple(map(_unquoted, _LEXEME.findall(query))) if _LEXEMES.fullmatch(query) else ()


def _unquoted(lexeme: str) -> str:
    return lexeme.replace("''", "'").replace("\\\\", "\\")


def _affordable(words: Sequence[Word], limit: int) -> tuple[int, int]:
    """Count the first words whose matches are within the limit, and those matches."""
    count, matches = 0, 0
    while count < len(words) and matches + words[count].df <= limit:
        matches += words[count].df
        count += 1
    return count, matches


def _meetings(common: Sequence[Word]) -> list[Word]:
    return [_meeting(one, other) for place, one in enumerate(common) for other in common[place + 1 :]]


def _beside(word: Word, name: Word) -> Word:
    return Word(f"({word.query}) & ({name.query})", min(word.df, name.df), word.idf)


def _meeting(one: Word, other: Word) -> Word:
    return Word(f"({one.query}) & ({other.query})", min(one.df, other.df), one.idf + other.idf)


def _by_rarity(word: Word) -> tuple[int, str]:
    return word.df, word.query


_TELLING = sa.text(
    "SELECT lexeme FROM unnest(to_tsvector('english', :told))"
    " EXCEPT SELECT lexeme FROM unnest(to_tsvector('english', :rest))"
)


def mark_times(session: UserSession, words: QueryWords, time: TimeWords, *, told: str, rest: str) -> QueryWords:
    """Mark those of a query's words that stand in its expressions of time, ``told``, and not in the ``rest`` of it."""
    found = session.execute(_TELLING, {"told": told, "rest": rest}).scalars()
    return replace(words, time=replace(time, lexemes=frozenset(found)))


_HOLDING = sa.text(
    "SELECT DISTINCT drawer_id FROM passage WHERE user_id = :user_id AND drawer_id = ANY(:drawers)"
    " AND kind NOT IN ('sentence', 'tool') AND tsv @@ CAST(:query AS tsquery)"
)


def drawers_holding(session: UserSession, drawer_ids: Collection[int], words: Collection[Word]) -> set[int]:
    """Choose those of some drawers that hold any of some words."""
    if not drawer_ids or not words:
        return set()
    query = " | ".join(f"({word.query})" for word in words)
    return set(session.values(_HOLDING, {"drawers": sorted(drawer_ids), "query": query}))
