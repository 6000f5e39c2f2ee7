"""From the name of a model to its embedder: one row a kind of model, the first that takes a name has it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from palace.embedding.local.embedder import LocalEmbedder
from palace.embedding.local.hub import fetch
from palace.embedding.local.names import HUB, is_local, read_name
from palace.embedding.minilm.embedder import BundledEmbedder
from palace.embedding.protocol import Embedder
from palace.embedding.remote import RemoteEmbedder
from palace.errors import EmbeddingError
from palace.records import FetchedModel, OnProgress, Phase, Progress
from palace.settings import BUNDLED_MODEL, Settings


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of model."""

    form: str
    """How its names are written, for people."""
    takes: Callable[[str], bool]
    """Whether a name is one of its own."""
    make: Callable[[str, Settings], Embedder]
    """Gives the embedder, without loading or calling anything yet."""


@runtime_checkable
class Loaded(Protocol):
    """An embedder that runs in this process."""

    def load(self) -> None:
        """Load the model now."""


def _bundled(_: str, settings: Settings) -> Embedder:
    return BundledEmbedder(settings.embedding_threads, folder=settings.home_folder / "models")


def _local(model: str, settings: Settings) -> Embedder:
    return LocalEmbedder(model, threads=settings.embedding_threads, dimension=settings.embedding_dimension)


def _remote(model: str, settings: Settings) -> Embedder:
    return RemoteEmbedder(model, dimension=settings.embedding_dimension, timeout=settings.embedding_timeout_seconds)


def _is_remote(model: str) -> bool:
    return not model.startswith(("/", ".", "~", "bundled/"))


KINDS = (
    Kind(BUNDLED_MODEL, lambda model: model == BUNDLED_MODEL, _bundled),
    Kind("local:FOLDER or hf:OWNER/NAME", is_local, _local),
    Kind("PROVIDER/MODEL as litellm names it", _is_remote, _remote),
)
"""litellm's names come last: it knows no end of them, but none that begins as those before."""


def embedder_for(model: str, settings: Settings) -> Embedder:
    """Give the embedder of a model, without loading or calling it yet.

    Raises:
        EmbeddingError: no model can be called so.
    """
    for kind in KINDS:
        if kind.takes(model):
            return kind.make(model, settings)
    forms = ", ".join(kind.form for kind in KINDS)
    raise EmbeddingError(f"{model!r} names no model: write {forms}")


def fetch_model(model: str, settings: Settings, progress: OnProgress | None = None) -> FetchedModel:
    """Fetch a model from the hub and embed a word with it.

    Raises:
        EmbeddingError: the name is none of the hub's, it cannot be reached, or what it has cannot be used.
    """
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
    embedder = embedder_for(settings.embedding_model, settings)
    if isinstance(embedder, Loaded):
        embedder.load()
