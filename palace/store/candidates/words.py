"""What a query says, weighed by how rare it is, and which of it is looked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import sqlalchemy as sa

from palace.records import KeywordLimits
from palace.store.database import UserSession

_WEIGH = sa.text("SELECT CAST(word AS text), df, idf, is_pair FROM weigh_words(:query)")


class Word(NamedTuple):
    """Something to look for in passages: a word, a quotation, or two words beside each other."""

    query: str
    """A ``tsquery``."""
    df: int
    """How many passages hold it."""
    idf: float


@dataclass(frozen=True, slots=True)
class QueryWords:
    """What a query says; empty when it says stop words alone."""

    words: tuple[Word, ...]
    """Words and quotations, rarest first."""
    pairs: tuple[Word, ...]

    @property
    def weight(self) -> float:
        """What a passage that holds all of the words weighs."""
        return sum(word.idf for word in self.words)


def weigh_words(session: UserSession, query: str) -> QueryWords:
    """Weigh what a query says."""
    rows = session.execute(_WEIGH, {"query": query}).all()
    words = sorted((Word(query, df, idf) for query, df, idf, is_pair in rows if not is_pair), key=_by_rarity)
    return QueryWords(tuple(words), tuple(Word(query, df, idf) for query, df, idf, is_pair in rows if is_pair))


def query_terms(words: Sequence[Word], limits: KeywordLimits) -> list[Word]:
    """Choose what to look for: the rarest words, while their matches are within the limit; of some more, two meeting.

    ``words`` come rarest first. A lone word is looked for however common it is.
    """
    if len(words) == 1:
        return list(words)
    affordable, matches = 0, 0
    while affordable < len(words) and matches + words[affordable].df <= limits.match_limit:
        matches += words[affordable].df
        affordable += 1
    common = words[affordable : affordable + limits.meeting]
    meeting = [_meeting(one, other) for place, one in enumerate(common) for other in common[place + 1 :]]
    return [*words[:affordable], *meeting]


def _meeting(one: Word, other: Word) -> Word:
    return Word(f"({one.query}) & ({other.query})", min(one.df, other.df), one.idf + other.idf)


def _by_rarity(word: Word) -> tuple[int, str]:
    return word.df, word.query
