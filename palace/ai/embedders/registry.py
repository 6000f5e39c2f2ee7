"""Embedders by the name of their model, each created once for the palaces of one database."""

from __future__ import annotations

from shlex import quote
from threading import Lock
from typing import TYPE_CHECKING

from palace.ai.embedders.names import HUB, find_languages, is_local, pinned, read_name
from palace.config.settings import BUNDLED_MODEL, LANGUAGES_MODEL, Settings
from palace.errors import EmbeddingError
from palace.models import FetchedModel, Generation, OnProgress, Phase, Progress

if TYPE_CHECKING:
    from palace.ai.embedders.languages import IsEnglish, LanguagesEmbedder
    from palace.ai.embedders.local import LocalEmbedder
    from palace.ai.embedders.minilm import BundledEmbedder
    from palace.ai.embedders.protocol import Embedder
    from palace.ai.embedders.remote import RemoteEmbedder


def embedder_for(
    model: str, settings: Settings, is_english: IsEnglish = str.isascii
) -> BundledEmbedder | LanguagesEmbedder | LocalEmbedder | RemoteEmbedder:
    """Return the embedder of a model, without loading or calling it yet.

    ``is_english`` decides which texts the bundled model embeds where another one embeds those of other languages.

    Raises:
        EmbeddingError: the name is not that of a model.
    """
    threads, width = settings.embedding_threads, settings.embedding_dimension
    # Each kind is imported where it is used: numpy takes longer to load than most commands take.
    if model == BUNDLED_MODEL:
        from palace.ai.embedders.minilm import BundledEmbedder

        return BundledEmbedder(threads, folder=settings.home_folder / "models")
    if model == LANGUAGES_MODEL:
        from palace.ai.embedders.languages import LanguagesEmbedder

        return LanguagesEmbedder(is_english, threads, folder=settings.home_folder / "models")
    if is_local(model):
        from palace.ai.embedders.local import LocalEmbedder

        return LocalEmbedder(model, threads=threads, dimension=width)
    # litellm knows any number of names, but none that begins like a path or like the bundled model's.
    if not model.startswith(("/", ".", "~", "bundled/")):
        from palace.ai.embedders.remote import RemoteEmbedder

        return RemoteEmbedder(model, dimension=width, timeout=settings.embedding_timeout_seconds)
    forms = f"{BUNDLED_MODEL}, {LANGUAGES_MODEL}, local:FOLDER or hf:OWNER/NAME, PROVIDER/MODEL as litellm names it"
    raise EmbeddingError(f"{model!r} names no model: write {forms}")


def fetch_model(model: str, settings: Settings, progress: OnProgress | None = None) -> FetchedModel:
    """Download a model from the hub and embed a word with it.

    Raises:
        EmbeddingError: the name is not one of the hub's, the hub cannot be reached, or the model cannot be used.
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
    """Load the model in the settings if it runs in this process; call it in a thread to save time later.

    Raises:
        EmbeddingError: the model cannot be loaded.
    """
    from palace.ai.embedders.remote import RemoteEmbedder

    embedder = embedder_for(settings.embedding_model, settings)
    if not isinstance(embedder, RemoteEmbedder):
        embedder.load()


class Embedders:
    """The embedders of the palaces in one database, each created once; safe to share between threads."""

    def __init__(
        self, settings: Settings, given: Embedder | None = None, *, is_english: IsEnglish = str.isascii
    ) -> None:
        """Set up; ``given``, the caller's own embedder, replaces the model in the settings.

        ``is_english`` is that of ``embedder_for``.
        """
        self.given = given
        self._is_english = is_english
        self._settings = settings
        self._kept: dict[tuple[str, int | None], Embedder] = {}
        self._lock = Lock()

    def of(self, generation: Generation, chosen: str | None = None) -> Embedder:
        """Return the embedder of a generation; ``chosen`` is the model in the user's own settings.

        Raises:
            EmbeddingError: the settings, or the caller's embedder, name another model than the generation.
        """
        wanted = self.given.model if self.given else chosen or self._settings.embedding_model
        is_explicit = bool(self.given or chosen) or "embedding_model" in self._settings.model_fields_set
        # The same model may be in another folder on this computer.
        named = pinned(wanted, generation.model) if is_explicit else generation.model
        if named is None:
            raise EmbeddingError(
                f"this palace is embedded with {generation.model}, the settings say {wanted}:"
                f" run `palace embeddings switch {quote(wanted)}`, or take the setting back"
            )
        return self.given or self.named(named, generation.dimension)

    def first(self, chosen: str | None = None) -> Embedder:
        """Return the embedder of a palace's first generation; ``chosen`` is the model in the user's own settings."""
        wanted = chosen or self._settings.embedding_model
        if not chosen and "embedding_model" not in self._settings.model_fields_set and find_languages():
            wanted = LANGUAGES_MODEL
        return self.given or self.named(wanted)

    def switched_to(self, model: str, dimension: int | None) -> Embedder:
        """Return the embedder for a switch to a model: the caller's own if it is of that model."""
        return self.given if self.given and self.given.model == model else self.named(model, dimension)

    def named(self, model: str, dimension: int | None = None) -> Embedder:
        """Return the embedder of a model; repeated calls return the same object."""
        dimension = dimension or self._settings.embedding_dimension
        with self._lock:
            if (model, dimension) not in self._kept:
                settings = self._settings.model_copy(update={"embedding_dimension": dimension})
                self._kept[model, dimension] = embedder_for(model, settings, self._is_english)
            return self._kept[model, dimension]

    def width(self, embedder: Embedder) -> int:
        """Return the dimension of an embedder's vectors; may call the model, so not while a transaction is open.

        Afterwards ``named`` returns this embedder for that model and dimension, with its call still to be recorded.
        """
        width = embedder.dimension
        if embedder is not self.given:
            with self._lock:
                self._kept[embedder.model, width] = embedder
        return width
