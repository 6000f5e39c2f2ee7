"""Which words of a query tell its time: two texts that say them may mean different times."""

from __future__ import annotations

from dataclasses import replace

import sqlalchemy as sa

from palace.store.candidates.words import QueryWords, TimeWords
from palace.store.database import UserSession

_TELLING = sa.text(
    "SELECT lexeme FROM unnest(to_tsvector('english', :told))"
    " EXCEPT SELECT lexeme FROM unnest(to_tsvector('english', :rest))"
)


def mark_times(session: UserSession, words: QueryWords, time: TimeWords, *, told: str, rest: str) -> QueryWords:
    """Mark those of a query's words that stand in its expressions of time, ``told``, and not in the ``rest`` of it."""
    found = session.execute(_TELLING, {"told": told, "rest": rest}).scalars()
    return replace(words, time=replace(time, lexemes=frozenset(found)))
