"""What a query says, weighed by how rare it is, and which of it is looked for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from palace.records import KeywordLimits
from palace.store.database import UserSession

_LEXEME = re.compile(r"'((?:[^'\\]|''|\\\\)*)'")
"""A lexeme in a ``tsquery``, as Postgres writes it."""

_WEIGH = sa.text("SELECT CAST(word AS text), df, idf, is_pair FROM weigh_words(:user_id, :query)")


class Word(NamedTuple):
    """Something to look for in passages: a word, a quotation, or two words beside each other."""

    query: str
    """A ``tsquery``."""
    df: int
    """How many passages hold it."""
    idf: float

    @property
    def lexeme(self) -> str | None:
        """What it is in an index; None of what is more than one word."""
        found = _LEXEME.fullmatch(self.query)
        return _unquoted(found[1]) if found else None

    @property
    def lexemes(self) -> set[str]:
        """All that it is made of."""
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

    @property
    def weight(self) -> float:
        """What a passage that holds all of the words weighs."""
        return sum(word.idf for word in self.words)

    @property
    def lexemes(self) -> dict[str, float]:
        """Its single words, rarest first, each with its idf."""
        return {word.lexeme: word.idf for word in self.words if word.lexeme is not None}

    def weights_elsewhere(self, words: Sequence[Word]) -> list[float]:
        """Give what some of its words, or pairs, weigh in what means another time."""
        return [word.idf * (1.0 if self.time.lexemes.isdisjoint(word.lexemes) else self.time.share) for word in words]


def weigh_words(session: UserSession, query: str) -> QueryWords:
    """Weigh what a query says."""
    rows = session.execute(_WEIGH, {"query": query}).all()
    words = sorted((Word(query, df, idf) for query, df, idf, is_pair in rows if not is_pair), key=_by_rarity)
    return QueryWords(tuple(words), tuple(Word(query, df, idf) for query, df, idf, is_pair in rows if is_pair))


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
