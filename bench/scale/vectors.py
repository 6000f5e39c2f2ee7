"""Vectors without the model: embeddings of real passages with Gaussian noise, the same ones for the same text."""

from __future__ import annotations

import hashlib
import math
import re
import time
import zlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from palace.ai.embedders.protocol import EmbeddedTexts, Embedder, Vectors

ORIGIN_COSINES = (0.7, 0.9)
"""Cosine between a noisy vector and its origin, about: evenly from the one to the other, as real neighbours differ."""

BLOCK = 512
"""Rows that are compared with all others at a time."""


class NoisyEmbedder:
    """Stands in for an embedder: a passage it has embedded gets that vector, any other one the vector of the passage
    it shares most words in a row with, moved by noise. Unit length; instant; passes for the same model.
    """

    normalised = True

    def __init__(self, embedder: Embedder, passages: Sequence[str], vectors: Vectors) -> None:
        """``vectors`` are ``(n, dimension)``, what ``embedder`` gives for ``passages``; at least one."""
        self.model, self.dimension = embedder.model, embedder.dimension
        self.origins = vectors
        self.seconds = 0.0
        """Time spent here so far."""
        self._known = {passage: number for number, passage in enumerate(passages)}
        self._runs: dict[int, int] = {}
        for number, passage in enumerate(passages):
            for run in _word_runs(passage):
                self._runs.setdefault(run, number)

    def embed_passages(self, texts: Sequence[str]) -> EmbeddedTexts:
        """Give the vectors of texts, ``(n, dimension) float32``."""
        started = time.perf_counter()
        vectors = np.empty((len(texts), self.dimension), np.float32)
        for row, text in enumerate(texts):
            known = self._known.get(text)
            vectors[row] = self._noisy(text) if known is None else self.origins[known]
        self.seconds += time.perf_counter() - started
        return EmbeddedTexts(vectors)

    def embed_queries(self, texts: Sequence[str]) -> EmbeddedTexts:
        """Embed as passages are."""
        return self.embed_passages(texts)

    def _noisy(self, text: str) -> Vectors:
        digest = int.from_bytes(hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), "big")
        votes = Counter(self._runs[run] for run in _word_runs(text) if run in self._runs)
        origin = votes.most_common(1)[0][0] if votes else digest % len(self.origins)
        chance = np.random.default_rng(digest)
        return with_noise(self.origins[origin], chance, cosine=chance.uniform(*ORIGIN_COSINES))


def _word_runs(text: str) -> list[int]:
    """Hash every second of the text's runs of three words: enough to tell which passage it comes from."""
    words = re.findall(r"\w+", text.lower())
    hashes = (zlib.crc32(" ".join(run).encode("utf-8", "replace")) for run in zip(words, words[1:], words[2:]))  # noqa: B905
    return [number for number in hashes if number % 2 == 0]


def with_noise(origin: Vectors, chance: np.random.Generator, *, cosine: float) -> Vectors:
    """Move a unit vector by Gaussian noise so that its cosine with itself is about ``cosine``; unit length again."""
    spread = noise_length(cosine) / math.sqrt(len(origin))
    moved = origin + spread * chance.standard_normal(len(origin), np.float32)
    vector: Vectors = moved / np.linalg.norm(moved)
    return vector


def noise_length(cosine: float) -> float:
    """Give how long noise is that moves a unit vector to such a cosine with itself, being nearly orthogonal to it."""
    return math.sqrt(1 / cosine**2 - 1)


def embed_once(folder: Path, embedder: Embedder, passages: Sequence[str]) -> Vectors:
    """Embed passages, or read their vectors from the folder where that was done before."""
    digest = hashlib.blake2b("\0".join([embedder.model, *passages]).encode("utf-8", "replace"), digest_size=8)
    path = folder / f"origins-{digest.hexdigest()}.npy"
    if not path.exists():
        np.save(path, embedder.embed_passages(passages).vectors)
    vectors: Vectors = np.load(path)
    return vectors


def nearest_cosines(asked: Vectors, among: Vectors) -> list[float]:
    """Give the cosine of each unit vector with its nearest other one among many, itself and its copies left out."""
    found: list[float] = []
    for start in range(0, len(asked), BLOCK):
        cosines = asked[start : start + BLOCK] @ among.T
        cosines[cosines > 1 - 1e-3] = -1
        found += cosines.max(axis=1).tolist()
    return found
