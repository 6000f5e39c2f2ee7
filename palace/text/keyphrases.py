"""Key phrases: the few words that name a part of a conversation and tell it from the other parts."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from palace.text.stopwords import TALK_WORDS
from palace.text.words import WORD, fold, prose, says_something

LONGEST_PHRASE = 3
READ_CHARACTERS = 2_000
"""Characters of a text that are looked at: enough to name it, and mining waits for this."""

OPENING_CHARACTERS = 400
"""A part tends to say at its beginning what it is about: phrases there count more."""

_LENGTH_BONUS = (0.0, 1.0, 2.8, 3.4)

_CLAUSE_END = re.compile(r"[.,;:!?()\[\]{}\"“”«»|*#>=<…。、！？\n\t/\\]|\s[-–—]\s|—")

_WEAK = frozenset(fold(word) for word in TALK_WORDS)


class _Phrase(NamedTuple):
    """A phrase where it stands: folded words, and the words as written."""

    key: tuple[str, ...]
    written: str


def key_phrases(parts: Sequence[Sequence[str]], limit: int = 3) -> tuple[tuple[str, ...], ...]:
    """Find for each part of a conversation, itself a row of texts, the phrases of one to three words that stand out.

    Best first, at most ``limit`` a part, no word twice within a part, written as they mostly are in it. Scored by how
    many of the part's texts hold them, how often, their length, and how few other parts hold them. A part of small
    talk or code may have none.
    """
    counts = [_Counts(part) for part in parts]
    uses: Counter[tuple[str, ...]] = Counter()
    for each in counts:
        uses.update(each.texts.keys())
    return tuple(_best(each, uses, len(parts), limit) for each in counts)


class _Counts:
    """In how many texts of a part each phrase occurs, how often, and how it is written there."""

    def __init__(self, part: Sequence[str]) -> None:
        self.texts: Counter[tuple[str, ...]] = Counter()
        self.written: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
        for text in part:
            phrases = list(_phrases(prose(text[:READ_CHARACTERS])))
            self.texts.update({phrase.key for phrase in phrases})
            for phrase in phrases:
                self.written[phrase.key][phrase.written] += 1
        opening = _phrases(prose(part[0][:OPENING_CHARACTERS])) if part else ()
        self.texts.update({phrase.key for phrase in opening})

    def weight(self, key: tuple[str, ...]) -> float:
        return math.pow(self.texts[key], 0.7) * math.log1p(self.written[key].total())


def _best(counts: _Counts, uses: Counter[tuple[str, ...]], parts: int, limit: int) -> tuple[str, ...]:
    def score(key: tuple[str, ...]) -> float:
        distinct = math.log((parts + 1) / uses[key]) / math.log(parts + 1)
        return counts.weight(key) * _LENGTH_BONUS[len(key)] * (0.2 + distinct)

    chosen: list[str] = []
    taken: set[str] = set()
    for key in sorted(counts.written, key=lambda key: (-score(key), key)):
        if len(chosen) == limit:
            break
        if not taken & set(key):
            chosen.append(_display(counts.written[key]))
            taken.update(key)
    return tuple(chosen)


def _phrases(text: str) -> Iterator[_Phrase]:
    """List phrases of consecutive meaningful words within a clause, a weak word only at the end of one."""
    for clause in _CLAUSE_END.split(text):
        run: list[str] = []
        for word in WORD.findall(clause):
            run = [*run, word][-LONGEST_PHRASE:] if says_something(word) else []
            for start in range(len(run)):
                key = tuple(fold(each) for each in run[start:])
                if all(key) and not _WEAK.intersection(key[:-1] or key):
                    yield _Phrase(key, " ".join(run[start:]))


def _display(written: Counter[str]) -> str:
    """Choose the commonest spelling; of two as common, the one with fewer capitals."""
    chosen = min(written, key=lambda text: (-written[text], sum(map(str.isupper, text)), text))
    return chosen.removesuffix("'s").removesuffix("’s")
