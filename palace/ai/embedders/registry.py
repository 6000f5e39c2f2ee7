"""From the name of a model to its embedder, each made once for the palaces in one database."""

from __future__ import annotations

from shlex import quote
from threading import Lock
from typing import TYPE_CHECKING

from palace.ai.embedders.minilm import BundledEmbedder
from palace.ai.embedders.names import HUB, is_local, pinned, read_name
from palace.ai.embedders.protocol import Embedder
from palace.config.settings import BUNDLED_MODEL, Settings
from palace.errors import EmbeddingError
from palace.models import FetchedModel, Generation, OnProgress, Phase, Progress

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


class Embedders:
    """The embedders of the palaces in one database, each made once; safe to share between threads."""

    def __init__(self, settings: Settings, given: Embedder | None = None) -> None:
        """``given`` by the caller stands in for the model that the settings name."""
        self.given = given
        self._settings = settings
        self._kept: dict[tuple[str, int | None], Embedder] = {}
        self._used: dict[int, Embedder] = {}
        self._lock = Lock()

    def of(self, generation: Generation, chosen: str | None = None) -> Embedder:
        """Return the embedder of a generation; ``chosen`` is the model that the user has set for themselves.

        Raises:
            EmbeddingError: the settings, or the embedder the caller gave, name another model than the palace has.
        """
        wanted = self.given.model if self.given else chosen or self._settings.embedding_model
        is_explicit = bool(self.given or chosen) or "embedding_model" in self._settings.model_fields_set
        # The same model may lie elsewhere on this computer than where the palace was embedded.
        named = pinned(wanted, generation.model) if is_explicit else generation.model
        if named is None:
            raise EmbeddingError(
                f"this palace is embedded with {generation.model}, the settings say {wanted}:"
                f" run `palace embeddings switch {quote(wanted)}`, or take the setting back"
            )
        embedder = self.given or self.named(named, generation.dimension)
        with self._lock:
            self._used[id(embedder)] = embedder
        return embedder

    @property
    def likely(self) -> Embedder | None:
        """The embedder that the next palace asked for has, as all before it had; None where that is not known."""
        with self._lock:
            used = list(self._used.values())
        return used[0] if len(used) == 1 else None

    def first(self, chosen: str | None = None) -> Embedder:
        """Return the embedder of a palace's first generation; ``chosen`` is the model that the user has set."""
        return self.given or self.named(chosen or self._settings.embedding_model)

    def switched_to(self, model: str, dimension: int | None) -> Embedder:
        """Return the embedder of a model that somebody asks for: the caller's own where it is that one."""
        return self.given if self.given and self.given.model == model else self.named(model, dimension)

    def named(self, model: str, dimension: int | None = None) -> Embedder:
        """Return the embedder of a model, the same one each time."""
        dimension = dimension or self._settings.embedding_dimension
        with self._lock:
            if (model, dimension) not in self._kept:
                settings = self._settings.model_copy(update={"embedding_dimension": dimension})
                self._kept[model, dimension] = embedder_for(model, settings)
            return self._kept[model, dimension]

    def width(self, embedder: Embedder) -> int:
        """Return how many numbers an embedder's vectors have, which may ask the model: not while a transaction is open.

        From then on it is the one of that model and width, with the record of the call it took.
        """
        width = embedder.dimension
        if embedder is not self.given:
            with self._lock:
                self._kept[embedder.model, width] = embedder
        return width
