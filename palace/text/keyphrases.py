"""Key phrases: the few words that name a part of a conversation and tell it from the other parts."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from palace.text.words import WORD, fold, prose, says_something

LONGEST_PHRASE = 3
READ_CHARACTERS = 40_000
"""Characters of a part that are looked at."""

OPENING_CHARACTERS = 400
"""A part tends to say at its beginning what it is about: phrases there count twice."""

_LENGTH_BONUS = (0.0, 1.0, 2.4, 3.0)

_CLAUSE_END = re.compile(r"[.,;:!?()\[\]{}\"“”«»|*#>=<…。、！？\n\t/\\]|\s[-–—]\s|—")

_TALK = """
advice answer answers appreciate awesome best better bit bye conversation cool cost current currently day days detail
details discuss easily easy effective ensure example examples excellent explain explore excited fantastic feel feeling
fine fun glad guess happy hello help helpful helps hey hi high hope hoping idea ideas important improve include
includes including information interested interesting issue issues list love lovely main matter message mind month
months nice note number opinion option options people perfect person place places point popular prefer problem provide
providing question questions quick reason recently recommend recommendation recommendations relevant remember response
share show simple sound sounds specific start started starting step steps suggest suggestion suggestions support talk
talking thank thanks time times tip tips today tomorrow tonight topic type types unique user valuable variety version
wait week weeks welcome wonder wonderful wondering word words worry year years yesterday bad big small
assistant consider considering create creating find finding follow following additionally overall check feature
features add adding based allow allows offer offers learn learning read reading change changes set sorry sir
"""
_WEAK = frozenset(fold(word) for word in _TALK.split())
"""Words that name nothing alone and open no phrase, though they may close one ("battery wiring options")."""


class _Phrase(NamedTuple):
    """A phrase where it stands: folded words, and the words as written."""

    key: tuple[str, ...]
    written: str


def key_phrases(parts: Sequence[str], limit: int = 3) -> tuple[tuple[str, ...], ...]:
    """Find for each part of a conversation the phrases of one to three words that stand out against the other parts.

    Best first, at most ``limit`` a part, no word twice within a part, written as they mostly are in it. Scored by
    frequency, length and how much of their use falls into the part. A part of small talk or code may have none.
    """
    counts = [_Counts(part[:READ_CHARACTERS]) for part in parts]
    uses: Counter[tuple[str, ...]] = Counter()
    for each in counts:
        uses.update(each.keys.keys())
    return tuple(_best(each, uses, len(parts), limit) for each in counts)


class _Counts:
    """How often each phrase occurs in a part, and how it is written there."""

    def __init__(self, part: str) -> None:
        self.keys: Counter[tuple[str, ...]] = Counter()
        self.written: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
        for phrase in _phrases(prose(part[:OPENING_CHARACTERS])):
            self.keys[phrase.key] += 1
        for phrase in _phrases(prose(part)):
            self.keys[phrase.key] += 1
            self.written[phrase.key][phrase.written] += 1


def _best(counts: _Counts, uses: Counter[tuple[str, ...]], parts: int, limit: int) -> tuple[str, ...]:
    def score(key: tuple[str, ...]) -> float:
        distinct = math.log((parts + 1) / uses[key]) / math.log(parts + 1)
        return math.sqrt(counts.keys[key]) * _LENGTH_BONUS[len(key)] * (0.2 + distinct)

    chosen: list[str] = []
    taken: set[str] = set()
    for key in sorted(counts.written, key=lambda key: (-score(key), key)):
        if len(chosen) == limit:
            break
        if not taken & set(key):
            chosen.append(_display(counts.written[key]))
            taken.update(key)
    return tuple(chosen)
