"""The protocol of embedders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

from palace.errors import BadRequest, CallRecord

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Vectors: TypeAlias = "npt.NDArray[np.float32]"


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
        """Embed queries, as ``embed_passages`` does passages.

        Many models distinguish the two by a prefix; the others embed both alike.
        """

    def embed_passages(self, texts: Sequence[str]) -> EmbeddedTexts:
        """Embed any number of texts of any length; order is kept, an empty list gives shape ``(0, dimension)``.

        The model truncates a text that is too long; it never refuses one for its length.

        Raises:
            EmbeddingError: the model is missing, gave another shape than promised, or did not answer. The error's
                ``calls`` are those of the failed attempt; ``refused`` lists the failing texts, if only some fail.
        """


def check_embedder(embedder: Embedder) -> None:
    """Check that a caller's embedder has both methods; neither is called yet.

    Raises:
        BadRequest: it lacks one, as embedders for versions before 0.2.0 do, which have ``embed`` instead.
    """
    for call in ("embed_queries", "embed_passages"):
        if not callable(getattr(embedder, call, None)):
            raise BadRequest(
                f"the embedder {type(embedder).__name__} has no {call}: queries and passages are embedded by calls of"
                " their own, embed_queries and embed_passages, in place of embed"
            )
