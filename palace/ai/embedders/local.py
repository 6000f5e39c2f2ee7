"""The embedder of a model in a folder."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from palace.ai.embedders.folder import Recipe, digest_of, read_recipe
from palace.ai.embedders.hub import cached_folder
from palace.ai.embedders.inference import WINDOW, TokenIds, batches
from palace.ai.embedders.model import LoadedModel, load_model
from palace.ai.embedders.names import FOLDER, LocalName, read_name
from palace.ai.embedders.protocol import EmbeddedTexts, Vectors
from palace.errors import EmbeddingError

_LOADING = threading.Lock()


class LocalEmbedder:
    """Embeds with an ONNX model in a folder or in the hub's cache; vectors are scaled to unit length.

    The model is loaded once a process, when the first text is embedded. Several threads may embed at once.
    """

    normalised = True

    def __init__(self, model: str, *, threads: int | None = None, dimension: int | None = None) -> None:
        """Parse the model's name; no file is read yet.

        ``model`` is written as ``palace.ai.embedders.names`` says. If it has a digest, the files must match it.

        Raises:
            EmbeddingError: the name is malformed.
        """
        self._name = read_name(model)
        self._threads = threads
        self._dimension = dimension
        """The dimension of the palace's vectors; None if unknown."""
        self._seen: int | None = None
        """The dimension of the model's vectors; None before the first text."""

    @property
    def model(self) -> str:
        """The model's name with the digest of what decides its vectors, as a generation records it.

        From then on the files must match that digest.

        Raises:
            EmbeddingError: the files are missing, or do not match the digest in the name.
        """
        self._name = replace(self._name, digest=self._digest(self._recipe()))
        return str(self._name)

    @property
    def dimension(self) -> int:
        """Numbers in each vector, as the model gives them.

        Raises:
            EmbeddingError: as ``embed_passages`` does.
        """
        if self._seen is None:
            self.embed_passages(["dimension"])
        assert self._seen is not None
        return self._seen

    def embed_queries(self, texts: Sequence[str]) -> EmbeddedTexts:
        """Embed queries, each with the model's query prefix.

        Raises:
            EmbeddingError: as ``embed_passages`` does.
        """
        recipe = self._recipe()
        return self._embed(recipe, recipe.query_prefix, texts)

    def embed_passages(self, texts: Sequence[str]) -> EmbeddedTexts:
        """Embed passages, each with the model's passage prefix, ``(n, dimension) float32``.

        Raises:
            EmbeddingError: a file is missing or damaged, the model does not match its name, or it does not give one
                vector of the known dimension for each text. Texts that the tokenizer or the model cannot process are in
                ``refused``; the others can be embedded without them.
        """
        recipe = self._recipe()
        return self._embed(recipe, recipe.passage_prefix, texts)

    def load(self) -> None:
        """Load the model now, for instance in a thread while the caller waits for something else.

        Raises:
            EmbeddingError: as ``embed_passages`` does.
        """
        self._loaded(self._recipe())

    def folder(self) -> Path:
        """Return the folder that holds the model.

        Raises:
            EmbeddingError: it is a model of the hub that was not downloaded.
        """
        return Path(self._name.place) if self._name.kind == FOLDER else cached_folder(self._name.place)

    def _embed(self, recipe: Recipe, prefix: str, texts: Sequence[str]) -> EmbeddedTexts:
        if not texts:
            return EmbeddedTexts(np.empty((0, self.dimension), np.float32))
        loaded = self._loaded(recipe)
        done: dict[int, Vectors] = {}
        refusals: dict[int, EmbeddingError] = {}
        for start in range(0, len(texts), WINDOW):
            ids: dict[int, TokenIds] = {}
            for index, text in enumerate(texts[start : start + WINDOW], start):
                try:
                    ids[index] = loaded.token_ids(prefix + text)
                except EmbeddingError as problem:
                    refusals[index] = problem
            places = list(ids)
            for batch in batches([len(each) for each in ids.values()]):
                self._embed_batch(loaded, {places[each]: ids[places[each]] for each in batch}, done, refusals)
        if refusals:
            raise _refusal(list(refusals.values()), frozenset(refusals))
        return EmbeddedTexts(np.stack([done[index] for index in range(len(texts))]))

    def _embed_batch(
        self,
        loaded: LoadedModel,
        batch: dict[int, TokenIds],
        done: dict[int, Vectors],
        refusals: dict[int, EmbeddingError],
    ) -> None:
        """Embed texts of one length, by their index; where the model refuses the batch, one by one."""
        try:
            vectors = self._checked(loaded.recipe, loaded.embed(list(batch.values())))
        except EmbeddingError as problem:
            if not problem.refused:
                raise
            if len(batch) == 1:
                refusals[next(iter(batch))] = problem
                return
            for place, ids in batch.items():
                self._embed_batch(loaded, {place: ids}, done, refusals)
        else:
            done.update(zip(batch, vectors, strict=True))

    def _checked(self, recipe: Recipe, vectors: Vectors) -> Vectors:
        width = vectors.shape[1]
        expected = self._dimension or self._seen or width
        if width != expected:
            raise EmbeddingError(f"{recipe.model} gives vectors of {width} numbers instead of {expected}")
        self._seen = width
        return vectors

    def _recipe(self) -> Recipe:
        return read_recipe(self.folder(), self._name.options)

    def _digest(self, recipe: Recipe) -> str:
        digest = digest_of(recipe)
        if digest != (self._name.digest or digest):
            raise EmbeddingError(_told_another(self._name, recipe, digest))
        return digest

    def _loaded(self, recipe: Recipe) -> LoadedModel:
        with _LOADING:
            self._digest(recipe)
            return load_model(recipe, self._threads, os.getpid())


def _refusal(problems: Sequence[EmbeddingError], places: frozenset[int]) -> EmbeddingError:
    others = f" (and {len(problems) - 1} more of the texts alike)" if len(problems) > 1 else ""
    return EmbeddingError(f"{problems[0]}{others}", refused=places)


def _told_another(name: LocalName, recipe: Recipe, digest: str) -> str:
    plain = replace(name, digest=None)
    return (
        f"{recipe.model} is another model, or used otherwise, than the one that is meant ({digest}, not {name.digest}):"
        f" put back what was changed, or run `palace embeddings switch '{plain}'`"
    )
