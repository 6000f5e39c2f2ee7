"""From the name of a model to its embedder."""

from __future__ import annotations

from palace.embedding.bundled import BundledEmbedder
from palace.embedding.protocol import Embedder
from palace.embedding.remote import RemoteEmbedder
from palace.settings import BUNDLED_MODEL, Settings


def embedder_for(model: str, settings: Settings) -> Embedder:
    """Give the embedder of a model, without loading or calling it yet."""
    if model == BUNDLED_MODEL:
        return BundledEmbedder(settings.embedding_threads)
    return RemoteEmbedder(model, dimension=settings.embedding_dimension, timeout=settings.embedding_timeout_seconds)
