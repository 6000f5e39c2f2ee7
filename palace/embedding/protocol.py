"""What every embedder promises."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from palace.records import CallRecord

Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class EmbeddedTexts:
    """Vectors in the order of the texts, and the model calls they took."""

    vectors: Vectors
    """``(n, dimension) float32``; unit length when the embedder is normalised."""
    calls: tuple[CallRecord, ...] = ()
    """For the ledger; empty for a model that runs in this process and costs nothing."""


class Embedder(Protocol):
    """Turns texts into vectors of one model; the same text always gives the same vector."""

    @property
    def model(self) -> str:
        """Name of the model, as a generation records it."""

    @property
    def dimension(self) -> int:
        """Numbers in each vector."""

    @property
    def normalised(self) -> bool:
        """Whether every vector has unit length."""

    def embed(self, texts: Sequence[str]) -> EmbeddedTexts:
        """Embed texts of any length and number; order is kept, no text gives ``(0, dimension)``.

        A text longer than the model reads is truncated by the model, never refused.

        Raises:
            EmbeddingError: the model is missing, gave another shape than promised, or did not answer. ``calls`` of
                the failed attempt travel on the error.
        """
