"""From the name of a model to its embedder."""

from __future__ import annotations

from threading import Lock

from palace.embedding.bundled import BundledEmbedder
from palace.embedding.protocol import Embedder
from palace.embedding.remote import RemoteEmbedder
from palace.errors import EmbeddingError
from palace.records import Generation
from palace.settings import BUNDLED_MODEL, Settings


def embedder_for(model: str, settings: Settings) -> Embedder:
    """Give the embedder of a model, without loading or calling it yet."""
    if model == BUNDLED_MODEL:
        return bundled_embedder(settings)
    return RemoteEmbedder(model, dimension=settings.embedding_dimension, timeout=settings.embedding_timeout_seconds)


def bundled_embedder(settings: Settings) -> BundledEmbedder:
    """Give the embedder of the bundled model, whose running copy is kept in the palace's home."""
    return BundledEmbedder(settings.embedding_threads, folder=settings.home_folder / "models")


class Embedders:
    """The embedders of the palaces in one database, each made once; safe to share between threads."""

    def __init__(self, settings: Settings, given: Embedder | None = None) -> None:
        """``given`` by the caller stands in for the model that the settings name."""
        self.given = given
        self._settings = settings
        self._kept: dict[tuple[str, int | None], Embedder] = {}
        self._lock = Lock()

    def of(self, generation: Generation) -> Embedder:
        """Give the embedder of a generation.

        Raises:
            EmbeddingError: the settings, or the embedder the caller gave, name another model than the palace has.
        """
        wanted = self.given.model if self.given else self._settings.embedding_model
        is_explicit = self.given is not None or "embedding_model" in self._settings.model_fields_set
        if is_explicit and wanted != generation.model:
            raise EmbeddingError(
                f"this palace is embedded with {generation.model}, the settings say {wanted}:"
                f" run `palace embeddings switch {wanted}`, or take the setting back"
            )
        return self.given or self.named(generation.model, generation.dimension)

    def first(self) -> Embedder:
        """Give the embedder of a palace's first generation."""
        return self.given or self.named(self._settings.embedding_model)

    def switched_to(self, model: str, dimension: int | None) -> Embedder:
        """Give the embedder of a model that somebody asks for: the caller's own where it is that one."""
        return self.given if self.given and self.given.model == model else self.named(model, dimension)

    def named(self, model: str, dimension: int | None = None) -> Embedder:
        """Give the embedder of a model, the same one each time."""
        dimension = dimension or self._settings.embedding_dimension
        with self._lock:
            if (model, dimension) not in self._kept:
                settings = self._settings.model_copy(update={"embedding_dimension": dimension})
                self._kept[model, dimension] = embedder_for(model, settings)
            return self._kept[model, dimension]

    def width(self, embedder: Embedder) -> int:
        """Give how many numbers an embedder's vectors have, which may ask the model: not while a transaction is open.

        From then on it is the one of that model and width, with the record of the call it took.
        """
        width = embedder.dimension
        if embedder is not self.given:
            with self._lock:
                self._kept[embedder.model, width] = embedder
        return width
