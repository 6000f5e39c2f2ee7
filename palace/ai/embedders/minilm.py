"""The model that comes with the installation: all-MiniLM-L6-v2, run in this process."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from palace.ai.embedders.inference import PROVIDERS, READ_CHARACTERS, WINDOW, TokenIds, batches, session_options
from palace.ai.embedders.minilm_graph import quantised_model
from palace.ai.embedders.protocol import EmbeddedTexts, Vectors
from palace.config.settings import BUNDLED_MODEL
from palace.wordpiece import MAX_TOKENS, tokenizer, well_formed

if TYPE_CHECKING:
    from onnxruntime import InferenceSession


DIMENSION = 384

_LOADING = threading.Lock()


class BundledEmbedder:
    """Embed with all-MiniLM-L6-v2: 384 numbers, unit length, the first 256 tokens of a text.

    The model is loaded when the first text is embedded, once a process. Several threads may embed at once.
    """

    model = BUNDLED_MODEL
    dimension = DIMENSION
    normalised = True

    def __init__(
        self, threads: int | None = None, *, folder: Path | None = None, model_file: Path | None = None
    ) -> None:
        """``threads`` of one inference, all cores when None.

        ``folder`` keeps the copy of the model that runs; without one each process makes its own, which takes about a
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
        vectors = np.empty((len(texts), DIMENSION), np.float32)
        for start in range(0, len(texts), WINDOW):
            ids = [_token_ids(text) for text in texts[start : start + WINDOW]]
            for batch in batches([len(each) for each in ids]):
                vectors[[start + place for place in batch]] = self._embed_batch([ids[place] for place in batch])
        return EmbeddedTexts(vectors)

    def embed_queries(self, texts: Sequence[str]) -> EmbeddedTexts:
        """Embed as passages are: this model does not tell them apart."""
        return self.embed_passages(texts)

    def _embed_batch(self, batch: Sequence[TokenIds]) -> Vectors:
        vectors: Vectors = self._loaded().run(["vectors"], {"input_ids": np.stack(batch)})[0]
        return vectors

    def load(self) -> None:
        """Load the model now, for instance in a thread while something else is waited for.

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
    """Load the model once a process: a fork has it without the threads that it works with, and would wait for them."""
    from onnxruntime import InferenceSession

    options = session_options(threads)
    if not _multiplies_eight_bits():
        # Other x86 processors add products of eight bits in sixteen, which overflow; this has onnxruntime take the
        # slower way around it. It does nothing on other kinds of processor.
        options.add_session_config_entry("session.x64quantprecision", "1")
    model = quantised_model(folder, model_file=model_file)
    return InferenceSession(model, options, providers=PROVIDERS)


def _multiplies_eight_bits() -> bool:
    """Whether the processor has the instructions for it (VNNI), as far as Linux tells."""
    try:
        return "vnni" in Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return False
