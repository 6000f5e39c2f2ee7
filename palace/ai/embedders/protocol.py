"""What every embedder promises."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from palace.errors import BadRequest
from palace.models import CallRecord

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

    def embed_queries(self, texts: Sequence[str]) -> EmbeddedTexts:
        """Embed what is asked, as ``embed_passages`` does what is filed.

        Many models want the two told apart, by words in front; the others treat them alike.
        """

    def embed_passages(self, texts: Sequence[str]) -> EmbeddedTexts:
        """Embed texts of any length and number; order is kept, no text gives ``(0, dimension)``.

        A text longer than the model reads is truncated by the model, never refused.

        Raises:
            EmbeddingError: the model is missing, gave another shape than promised, or did not answer. ``calls`` of
                the failed attempt travel on the error; ``refused`` says which texts it is about, if only about some.
        """


def check_embedder(embedder: Embedder) -> None:
    """Look whether an embedder that a caller gives can be asked as Palace asks; it is not asked yet.

    Raises:
        BadRequest: it cannot; those of before 0.2.0 have ``embed`` in place of both calls.
    """
    for call in ("embed_queries", "embed_passages"):
        if not callable(getattr(embedder, call, None)):
            raise BadRequest(
                f"the embedder {type(embedder).__name__} has no {call}: queries and passages are embedded by calls of"
                " their own, embed_queries and embed_passages, in place of embed"
            )
