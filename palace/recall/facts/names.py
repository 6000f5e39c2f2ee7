"""The names in a query, and what they stand for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from palace.graph.naming import SELF_KEY
from palace.graph.resolve import fold_name
from palace.store.database import UserSession
from palace.store.graph.naming import NamedEntity, find_named
from palace.text.entities.lists.lexicon import english
from palace.text.stopwords import STOP_WORDS

LONGEST = 4
"""Words of a name."""
WORDS = 60
"""Words of a query that are looked at."""

_WORD = re.compile(r"[^\s,;:!?()\"“”„]+")


class Written(NamedTuple):
    """Words of a query that may be a name."""

    start: int
    end: int
    """Places of its words, ``[start, end)``."""
    folded: str
    has_capital: bool
    """Whether a capital is in it that does not only begin the query."""


def names_in(session: UserSession, query: str) -> list[NamedEntity]:
    """Find what a query names: the longest names first, each entity once, and a word that is part of one in that alone.

    A word of ordinary English is a name where it is written as one, or is known without a capital.
    """
    written = list(_written(query))
    known: dict[str, list[NamedEntity]] = {}
    for found in find_named(session, {each.folded for each in written}, self_key=SELF_KEY):
        known.setdefault(found.folded, []).append(found)
    taken: set[int] = set()
    entities: dict[int, NamedEntity] = {}
    for each in sorted(written, key=lambda one: (one.start - one.end, one.start)):
        meant = [one for one in known.get(each.folded, ()) if _is_meant(each, one)]
        if meant and taken.isdisjoint(range(each.start, each.end)):
            taken |= set(range(each.start, each.end))
            entities |= {one.entity_id: one for one in meant}
    return list(entities.values())


def _written(query: str) -> Iterator[Written]:
    words = _WORD.findall(query)[:WORDS]
    for start in range(len(words)):
        for end in range(start + 1, min(start + LONGEST, len(words)) + 1):
            folded = fold_name(" ".join(words[start:end]))
            capital = any(word[:1].isupper() for word in words[max(start, 1) : end])
            if folded and (capital or not all(part in STOP_WORDS for part in folded.split())):
                yield Written(start, end, folded, capital)


def _is_meant(written: Written, entity: NamedEntity) -> bool:
    is_ordinary = all(part in english() for part in written.folded.split())
    return written.has_capital or entity.is_small or not is_ordinary
