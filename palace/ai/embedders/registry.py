"""From the name of a model to its embedder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from palace.ai.embedders.minilm import BundledEmbedder
from palace.ai.embedders.names import HUB, is_local, read_name
from palace.config.settings import BUNDLED_MODEL, Settings
from palace.errors import EmbeddingError
from palace.models import FetchedModel, OnProgress, Phase, Progress

if TYPE_CHECKING:
    from palace.ai.embedders.local import LocalEmbedder
    from palace.ai.embedders.remote import RemoteEmbedder


def embedder_for(model: str, settings: Settings) -> BundledEmbedder | LocalEmbedder | RemoteEmbedder:
    """Return the embedder of a model, without loading or calling it yet.

    Raises:
        EmbeddingError: no model can be called so.
    """
    threads, width = settings.embedding_threads, settings.embedding_dimension
    if model == BUNDLED_MODEL:
        return BundledEmbedder(threads, folder=settings.home_folder / "models")
    # Only who names another model than the bundled one waits for what runs it to be imported.
    if is_local(model):
        from palace.ai.embedders.local import LocalEmbedder

        return LocalEmbedder(model, threads=threads, dimension=width)
    # litellm knows no end of names, but none that begins as those of files and of what is bundled.
    if not model.startswith(("/", ".", "~", "bundled/")):
        from palace.ai.embedders.remote import RemoteEmbedder

        return RemoteEmbedder(model, dimension=width, timeout=settings.embedding_timeout_seconds)
    forms = f"{BUNDLED_MODEL}, local:FOLDER or hf:OWNER/NAME, PROVIDER/MODEL as litellm names it"
    raise EmbeddingError(f"{model!r} names no model: write {forms}")


def fetch_model(model: str, settings: Settings, progress: OnProgress | None = None) -> FetchedModel:
    """Fetch a model from the hub and embed a word with it.

    Raises:
        EmbeddingError: the name is none of the hub's, it cannot be reached, or what it has cannot be used.
    """
    from palace.ai.embedders.hub import fetch
    from palace.ai.embedders.local import LocalEmbedder

    name = read_name(model) if is_local(model) else None
    if name is None or name.kind != HUB:
        raise EmbeddingError(f"{model!r} is no model of the hub: write {HUB}OWNER/NAME")

    def tell(done: int, total: int) -> None:
        if progress:
            progress(Progress(Phase.FETCH, done, max(done, total) or None, "bytes", model))

    fetch(name, tell)
    embedder = LocalEmbedder(model, threads=settings.embedding_threads)
    return FetchedModel(embedder.model, embedder.dimension, embedder.folder())


def load_ahead(settings: Settings) -> None:
    """Load the model that the settings name if it runs in this process, for instance in a thread.

    Raises:
        EmbeddingError: it cannot be loaded.
    """
    from palace.ai.embedders.remote import RemoteEmbedder

    embedder = embedder_for(settings.embedding_model, settings)
    if not isinstance(embedder, RemoteEmbedder):
        embedder.load()
