"""Which kinds of things a query asks for by a general word, in English or German."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from palace.nlp.kinds import Kind, kinds, words_of_kinds
from palace.nlp.rules import rules
from palace.nlp.words import STOP_WORDS

_RULES = rules("kinds", "around")

_WORD = re.compile(r"[^\W\d_][\w'-]*")
_ENDINGS = (("ies", "y"), ("ches", "ch"), ("shes", "sh"), ("sses", "ss"), ("xes", "x"), ("s", ""))
MOST_WORDS = 40
"""Words of a query that are looked at."""


@dataclass(frozen=True, slots=True)
class AskedKinds:
    """The kinds that a query asks for."""

    names: frozenset[str]
    """General words as entities have them, those of the kinds and the query's own."""
    stems: frozenset[str] = frozenset()
    """English nouns of the kinds, as Postgres stems them."""
    words: frozenset[str] = frozenset()
    """German nouns and names of the kinds, in lower case."""


def kinds_asked(query: str, lexemes: Collection[str]) -> AskedKinds:
    """Give the kinds that a query of such stems asks for. Of "board games" those of board games, not those of games."""
    words = [word.casefold() for word in _WORD.findall(query)[:MOST_WORDS]]
    own = frozenset(_singular(words))
    by_stems = (kind for kind in kinds() for name in kind.asked if set(name) <= set(lexemes))
    by_name = (kind for kind in kinds() if kind.name in own)
    asked = {kind.name: kind for kind in (*by_stems, *by_name, *_in_german(words))}
    longer = {part for name in asked if " " in name for part in name.split()}
    narrow = {name: kind for name, kind in asked.items() if name not in longer}
    return AskedKinds(
        frozenset(narrow) | (own - longer),
        frozenset(stem for kind in narrow.values() for stem in kind.stems),
        frozenset(word for name in narrow for word in words_of_kinds().get(name, ())),
    )


def _in_german(words: Collection[str]) -> Iterator[Kind]:
    return (kind for kind in kinds() if not kind.german.isdisjoint(words))


def _singular(words: list[str]) -> Iterator[str]:
    """Find words and pairs of neighbours in the singular."""
    for place, word in enumerate(words):
        if word not in STOP_WORDS and word not in _RULES.words("no_kind"):
            one = _one(word)
            yield one
            if place and words[place - 1] not in STOP_WORDS and words[place - 1] not in _RULES.words("no_kind"):
                yield f"{words[place - 1]} {one}"


def _one(word: str) -> str:
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) > len(ending) + 2 and not word.endswith("ss"):
            return word.removesuffix(ending) + instead
    return word
