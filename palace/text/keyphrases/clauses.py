"""What names are looked for in: the clauses of a text, word by word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from palace.text.words import WORD, prose

_CLAUSE_END = re.compile(r"[.,;:!?()\[\]{}\"“”«»„|*#>=<…。、！？\n\t/\\]+|\s[-–—]\s|—")
_SENTENCE_END = re.compile(r"[.:!?\n*#|>…。！？]")


class Clause(NamedTuple):
    """Words between two signs."""

    words: tuple[str, ...]
    opens: bool
    """Whether a sentence begins with it, so that a capital there says nothing."""


class Run(NamedTuple):
    """Words of a clause that follow each other and may be parts of names."""

    words: tuple[str, ...]
    nouns: tuple[float, ...]
    """For each word, how surely it is a noun here: 0 where nothing says so, 1 where what stands around it does."""
    heads: tuple[bool, ...]
    """For each word, whether a name may end with it."""
    openings: tuple[bool, ...]
    """For each word, whether a name of several words may begin with it."""


def clauses_of(text: str) -> Iterator[Clause]:
    """Cut the prose of a text into clauses of at least a word, in order."""
    text, start, opens = prose(text), 0, True
    for end in _CLAUSE_END.finditer(text):
        if words := tuple(WORD.findall(text[start : end.start()])):
            yield Clause(words, opens)
            opens = False
        opens, start = opens or _SENTENCE_END.search(end.group()) is not None, end.end()
    if words := tuple(WORD.findall(text[start:])):
        yield Clause(words, opens)


def share_in(words: Sequence[str], vocabulary: frozenset[str]) -> float:
    """Give the share of words, in lower case, that are in a vocabulary; 0 of none."""
    return sum(word in vocabulary for word in words) / len(words) if words else 0.0
