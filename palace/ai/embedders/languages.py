"""Two models in one space: the bundled one embeds English, multilingual-e5-small every other language."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from palace.ai.embedders.e5 import DIMENSION, E5, PASSAGE, QUERY, require_model
from palace.ai.embedders.minilm import BundledEmbedder
from palace.ai.embedders.names import find_languages
from palace.ai.embedders.protocol import EmbeddedTexts
from palace.config.settings import LANGUAGES_MODEL
from palace.errors import EmbeddingError

IsEnglish = Callable[[str], bool | None]
"""Tells whether a text is English; None where it may be or not."""


class LanguagesEmbedder:
    """Embeds each text with the model of its language: 384 numbers.

    Both models have 384 dimensions, and a vector of one has a cosine of 0 ± 0.05 with any of the other. So both share a
    generation: a query meets the passages of its own model as it would alone, and those of the other like unrelated
    ones.
    """

    model = LANGUAGES_MODEL
    normalised = True

    def __init__(self, is_english: IsEnglish, threads: int | None = None, *, folder: Path | None = None) -> None:
        """Set what tells English apart; ``threads`` and ``folder`` are those of both models."""
        self._is_english = is_english
        self._english = BundledEmbedder(threads, folder=folder)
        self._others = E5(threads, folder=folder)

    @property
    def dimension(self) -> int:
        """Numbers in each vector.

        Raises:
            EmbeddingError: the extra ``languages`` is not installed.
        """
        require_model()
        return DIMENSION

    def load(self) -> None:
        """Load the bundled model now; the other one is loaded when the first text needs it.

        Raises:
            EmbeddingError: as ``embed_passages`` does.
        """
        self._english.load()

    def embed_passages(self, texts: Sequence[str]) -> EmbeddedTexts:
        """Embed passages, ``(n, 384) float32`` of unit length; what may be English is taken for it.

        Raises:
            EmbeddingError: the bundled model is missing or damaged; or the other one is, and the texts that need it are
                in ``refused``.
        """
        told = [self._is_english(text) is False for text in texts]
        others = [place for place, is_other in enumerate(told) if is_other]
        try:
            return self._embed(texts, [place for place, is_other in enumerate(told) if not is_other], others, PASSAGE)
        except EmbeddingError as problem:
            problem.refused = frozenset(others)
            raise

    def embed_queries(self, texts: Sequence[str]) -> EmbeddedTexts:
        """Embed queries; one that may be English or not gets the sum of both models' vectors, which finds either.

        Raises:
            EmbeddingError: as ``embed_passages`` does.
        """
        told = [self._is_english(text) for text in texts]
        english = [place for place, answer in enumerate(told) if answer is not False]
        others = [
            place for place, answer in enumerate(told) if answer is False or (answer is None and find_languages())
        ]
        return self._embed(texts, english, others, QUERY)

    def _embed(self, texts: Sequence[str], english: list[int], others: list[int], prefix: str) -> EmbeddedTexts:
        """Add the vectors of each model to the places of its texts; this model has prefixes, the bundled one none."""
        vectors = np.zeros((len(texts), DIMENSION), np.float32)
        if english:
            vectors[english] += self._english.embed_passages([texts[place] for place in english]).vectors
        if others:
            vectors[others] += self._others.embed([texts[place] for place in others], prefix)
        return EmbeddedTexts(vectors)
