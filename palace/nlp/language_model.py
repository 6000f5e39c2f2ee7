"""The model of languages that py3langid ships, in a tenth of its memory and with the same answers.

Its automaton, 39 MB of transitions and 12 MB of lists, finds at each byte of a text the longest n-gram of the model
that ends there. A sorted list of the n-grams finds the same.
"""

from __future__ import annotations

import lzma
import math
import shutil
import tempfile
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

Codes = npt.NDArray[np.uint64]
"""N-grams of at most seven bytes as numbers: a one before their bytes tells "a" from "\\x00a"."""


@dataclass(frozen=True, slots=True)
class LanguageModel:
    """A naive Bayes classifier by n-grams of bytes."""

    ngrams: Codes
    """Sorted; the shorter n-grams with which these begin are included, even if they have no weights."""
    features: npt.NDArray[np.int32]
    """The row of each n-gram's weights; -1 for one that only begins others."""
    longest: int
    """Most bytes of an n-gram."""
    weights: npt.NDArray[np.float16]
    priors: npt.NDArray[np.float32]
    languages: tuple[str, ...]

    @classmethod
    def load(cls, languages: Collection[str]) -> Self:
        """Read what the model knows of some languages, in half a second."""
        from py3langid.langid import MODEL_DIR, MODEL_FILE

        with tempfile.TemporaryFile() as unpacked:
            with lzma.open(MODEL_DIR / MODEL_FILE) as packed:
                shutil.copyfileobj(packed, unpacked)
            unpacked.seek(0)
            with np.load(unpacked) as data:
                classes = data["classes"].tolist()
                kept = [place for place, language in enumerate(classes) if language in languages]
                weights = np.ascontiguousarray(data["ptc"][:, kept])
                codes, longest = _ngrams(data["nextmove"].reshape(-1, 256), data["nextmove_row"])
                order = codes.argsort()
                features, priors = data["out_feat"][order], data["pc"][kept]
        return cls(codes[order], features, longest, weights, priors, tuple(classes[place] for place in kept))

    def classify(self, text: str) -> tuple[str, float]:
        """Return the most likely language of a text and its probability."""
        from py3langid.langid import LanguageIdentifier

        read = LanguageIdentifier._encode(text)
        scores = np.zeros(len(self.languages), np.float32)
        found = self._features(np.frombuffer(read, np.uint8).astype(np.uint64))
        if len(found):
            told, first, counts = np.unique(found, return_index=True, return_counts=True)
            # In the order of the text, as sums of rounded numbers depend on it.
            order = first.argsort()
            rows = self.weights[told[order]].astype(np.float32)
            scores = np.log1p(counts[order].astype(np.float32)) @ rows + self.priors
        # The square root of the length keeps probabilities comparable between lengths.
        scores *= 1.0 / math.sqrt(len(read) or 1)
        likely = np.exp(scores - scores.max())
        likely /= likely.sum()
        best = int(likely.argmax())
        return self.languages[best], float(likely[best])

    def _features(self, read: Codes) -> npt.NDArray[Any]:
        """Return the feature of the longest n-gram that ends at each byte, in order, where it has one."""
        found = np.full(len(read), -1)
        codes = np.ones(len(read) + 1, np.uint64)
        for length in range(1, min(self.longest, len(read)) + 1):
            codes = codes[:-1] << np.uint64(8) | read[length - 1 :]
            places = self.ngrams.searchsorted(codes).clip(max=len(self.ngrams) - 1)
            is_known = self.ngrams[places] == codes
            found[length - 1 :][is_known] = self.features[places[is_known]]
        return found[found >= 0]


def _ngrams(transitions: npt.NDArray[Any], row_of: npt.NDArray[Any]) -> tuple[Codes, int]:
    """Return the shortest text that leads to each state of an automaton, by its number, and the longest one's length.

    Of several texts that lead to a state, the longer ones only end with the shortest: they contain the same n-gram.
    """
    codes = np.zeros(len(row_of), np.uint64)
    codes[0] = 1
    length, level = 0, np.zeros(1, np.int64)
    while True:
        following = []
        for byte in range(256):  # one after the other, as all at once take 100 MB
            reached = transitions[row_of[level], byte]
            is_new = codes[reached] == 0
            codes[reached[is_new]] = codes[level[is_new]] << np.uint64(8) | np.uint64(byte)
            following.append(reached[is_new])
        if not any(map(len, following)):
            return codes, length
        length, level = length + 1, np.concatenate(following)
