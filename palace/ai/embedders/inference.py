"""Running models in onnxruntime: session options, batches of texts of equal length, unit length."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from palace.ai.embedders.protocol import Vectors

if TYPE_CHECKING:
    from onnxruntime import SessionOptions

PROVIDERS = ["CPUExecutionProvider"]

BATCH_TOKENS = 512
"""The most tokens in a batch: more at once are no faster and take more memory."""

WINDOW = 1024
"""Texts considered at once when grouping them by length."""

READ_CHARACTERS = 10_000
"""The most characters read of a text; far more than 256 tokens of any writing."""

TokenIds = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.float64]


def session_options(threads: int | None) -> SessionOptions:
    """Return the options of a session; ``threads`` for one inference, all cores when None."""
    from onnxruntime import SessionOptions

    options = SessionOptions()
    # More threads than cores wait for each other, and each takes memory of its own.
    options.intra_op_num_threads = min(threads or _cores(), _cores())
    options.inter_op_num_threads = 1
    # Threads that wait by spinning take the core from filing and from the server: beside a busy process they embed
    # 18k characters/s instead of 34k, and alone they gain nothing.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    # With batches this small the arena costs no memory; without it every thread but the first embeds at 60 % of the
    # speed, because the C library gives large blocks back to the system after each use there.
    options.enable_cpu_mem_arena = True
    options.enable_mem_pattern = False
    # The caller of the session reports its errors.
    options.log_severity_level = 4
    return options


def batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Group the indices of texts of equal length, at most ``BATCH_TOKENS`` tokens a batch.

    Nothing is padded: attention is faster without a mask, and a text's vector does not depend on its neighbours.
    """
    ordered = sorted(range(len(lengths)), key=lengths.__getitem__)
    for length, places in groupby(ordered, key=lengths.__getitem__):
        alike = list(places)
        size = max(1, BATCH_TOKENS // length)
        for start in range(0, len(alike), size):
            yield alike[start : start + size]


def embed_in_batches(
    texts: Sequence[str], ids_of: Callable[[str], TokenIds], embed: Callable[[list[TokenIds]], Vectors], width: int
) -> Vectors:
    """Embed texts in order by batches of token ids of equal length: ``(n, width) float32``."""
    vectors = np.empty((len(texts), width), np.float32)
    for start in range(0, len(texts), WINDOW):
        ids = [ids_of(text) for text in texts[start : start + WINDOW]]
        for batch in batches([len(each) for each in ids]):
            vectors[[start + index for index in batch]] = embed([ids[index] for index in batch])
    return vectors


def _cores() -> int:
    """Count the cores that this process may use; all where the system does not say."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class UnusableAnswer(ValueError):
    """An answer that lacks a usable vector for some text; the message is a few words of our own."""


def unit_length(vectors: Numbers) -> Vectors:
    """Scale vectors to unit length, ``float32``.

    Raises:
        UnusableAnswer: a vector is empty, all zeros, or not finite.
    """
    largest = np.abs(vectors).max(axis=1, initial=0, keepdims=True)
    if not (np.isfinite(largest).all() and largest.all()):
        raise UnusableAnswer("a vector without direction")
    # Divide by the largest number first: squares of very large and very small numbers overflow or vanish.
    even = vectors / largest
    scaled: Vectors = (even / np.linalg.norm(even, axis=1, keepdims=True)).astype(np.float32)
    return scaled


def session_failures() -> tuple[type[Exception], ...]:
    """Return the exceptions that onnxruntime raises, which have no common base."""
    from onnxruntime.capi import onnxruntime_pybind11_state as raised

    found = [each for each in vars(raised).values() if isinstance(each, type) and issubclass(each, Exception)]
    return (*found, RuntimeError, ValueError)
