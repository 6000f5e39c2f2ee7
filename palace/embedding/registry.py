"""From the name of a model to its embedder."""

from __future__ import annotations

from palace.embedding.minilm.embedder import BundledEmbedder
from palace.embedding.protocol import Embedder
from palace.embedding.remote import RemoteEmbedder
from palace.settings import BUNDLED_MODEL, Settings


def embedder_for(model: str, settings: Settings) -> Embedder:
    """Give the embedder of a model, without loading or calling it yet."""
    if model == BUNDLED_MODEL:
        return bundled_embedder(settings)
    return RemoteEmbedder(model, dimension=settings.embedding_dimension, timeout=settings.embedding_timeout_seconds)


def bundled_embedder(settings: Settings) -> BundledEmbedder:
    """Give the embedder of the bundled model, whose running copy is kept in the palace's home."""
    return BundledEmbedder(settings.embedding_threads, folder=settings.home_folder / "models")
