"""The SentencePiece unigram tokenizer of XLM-RoBERTa: the most likely way to cut a text into known pieces."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

SPACE = "\u2581"
"""Stands for a space, at the beginning of a piece alone."""

RARER = 10.0
"""How much less likely an unknown character is than the rarest piece, as a logarithm."""

KEPT_WORDS = 20_000
"""Words whose pieces are remembered."""

_SPACES = re.compile(" {2,}")


class Unigram:
    """A tokenizer of pieces with their logarithmic probabilities; it has a tenth of the memory of ``tokenizers``'s."""

    def __init__(
        self,
        pieces: Sequence[str],
        scores: Sequence[float],
        begin: int,
        end: int,
        unknown: int,
        replaced: Mapping[int, str],
    ) -> None:
        """Set the pieces in the order of their numbers.

        ``begin``, ``end`` and ``unknown`` are numbers of special pieces, which have a score of 0 and are found in no
        text. ``replaced`` has what characters are replaced by first, by their code points.
        """
        self._numbers = {piece: place for place, piece in enumerate(pieces) if scores[place] < 0}
        self._scores, self._begin, self._end, self._unknown = scores, begin, end, unknown
        self._replaced = replaced
        self._longest = max(map(len, self._numbers))
        self._rarest = min(scores) - RARER
        self._ids_of = lru_cache(KEPT_WORDS)(self._cut)

    def encode(self, text: str, most: int) -> list[int]:
        """Return the numbers of a text's first pieces, at most ``most`` with the two special ones around them."""
        words = _SPACES.sub(" ", text.translate(self._replaced)).removeprefix(" ").split(" ")
        found: list[int] = []
        for word in words:
            if len(found) > most:
                break
            found += self._ids_of(SPACE + word)
        return [self._begin, *found[: most - 2], self._end]

    def _cut(self, word: str) -> list[int]:
        """Cut a word into the pieces whose product of probabilities is highest (Viterbi)."""
        best = [0.0] + [-float("inf")] * len(word)
        last = [(0, 0)] * (len(word) + 1)
        for start in range(len(word)):
            for end in range(start + 1, min(start + self._longest, len(word)) + 1):
                number = self._numbers.get(word[start:end])
                if number is None and end > start + 1:
                    continue
                score = best[start] + (self._rarest if number is None else self._scores[number])
                if score > best[end]:
                    best[end], last[end] = score, (start, self._unknown if number is None else number)
        ids, end = [], len(word)
        while end:
            end, number = last[end]
            ids.append(number)
        return ids[::-1]
