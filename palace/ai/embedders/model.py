"""A loaded ONNX model with its tokenizer: token ids in, vectors of unit length out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from palace.ai.embedders.folder import Recipe
from palace.ai.embedders.inference import (
    PROVIDERS,
    READ_CHARACTERS,
    TokenIds,
    UnusableAnswer,
    session_failures,
    session_options,
    unit_length,
)
from palace.ai.embedders.protocol import Vectors
from palace.ai.provider import one_line
from palace.errors import EmbeddingError
from palace.models.wordpiece import well_formed

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

SENTENCES = "sentence_embedding"
TOKENS = ("last_hidden_state", "token_embeddings")
NOTHING = [0]
"""Token ids of a text without tokens: the first word of the vocabulary."""

ONLY = frozenset({0})
"""The index of the only text."""

INTEGERS: dict[str, type[Any]] = {"tensor(int64)": np.int64, "tensor(int32)": np.int32}


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """A model that is ready to run; several threads may use it."""

    recipe: Recipe
    session: InferenceSession
    tokenizer: Tokenizer
    inputs: tuple[tuple[str, type[Any]], ...]
    """Name and integer type of each input of the model."""
    output: str

    def token_ids(self, text: str) -> TokenIds:
        """Tokenize a text, special tokens included, up to the model's limit.

        Raises:
            EmbeddingError: the tokenizer fails on it.
        """
        read = well_formed(text[: max(READ_CHARACTERS, 8 * self.recipe.max_tokens)])
        try:
            ids = self.tokenizer.encode(read.lower() if self.recipe.lowers else read).ids
        except Exception as problem:  # tokenizers raises nothing more specific
            told = f"{self.recipe.tokenizer} makes nothing of a text: {one_line(str(problem))}"
            raise EmbeddingError(told, refused=ONLY) from problem
        return np.array(ids or NOTHING, np.int64)

    def embed(self, batch: Sequence[TokenIds]) -> Vectors:
        """Embed texts of one length, ``(n, dimension) float32`` of unit length.

        Raises:
            EmbeddingError: the model fails, or its output is not vectors. Where it may be due to the texts, all
                of the batch are ``refused``.
        """
        ids = np.stack(batch)
        all_of_them = frozenset(range(len(batch)))
        given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        given["position_ids"] = np.broadcast_to(np.arange(ids.shape[1]), ids.shape)
        try:
            (output,) = self.session.run([self.output], {name: given[name].astype(kind) for name, kind in self.inputs})
        except session_failures() as problem:
            told = f"{self.recipe.model} does not run: {one_line(str(problem))}"
            raise EmbeddingError(told, refused=all_of_them) from problem
        try:
            return unit_length(self._pooled(self._array(output), ids).astype(np.float64))
        except UnusableAnswer as problem:
            told = f"{self.recipe.model} gave a vector that is not finite, or all zeros"
            raise EmbeddingError(told, refused=all_of_them) from problem

    def _array(self, output: object) -> npt.NDArray[Any]:
        try:
            return np.asarray(output)
        except ValueError as problem:  # a list of arrays of different shapes
            raise EmbeddingError(
                f"{self.recipe.model} gives {self.output!r} in pieces that are no vectors"
            ) from problem

    def _pooled(self, output: npt.NDArray[Any], ids: TokenIds) -> npt.NDArray[Any]:
        """Pool the output to one vector for each text: nothing is padded, so every token counts."""
        if output.dtype.kind != "f" or output.ndim not in (2, 3) or len(output) != len(ids) or not output.size:
            raise EmbeddingError(
                f"{self.recipe.model} gives {self.output!r} of shape {output.shape} and type {output.dtype}:"
                " neither a vector a text nor a vector a token"
            )
        if output.ndim == 2:
            return output
        match self.recipe.pooling:
            case "cls":
                return output[:, 0]
            case "last":
                return output[:, -1]
            case _:
                means: npt.NDArray[Any] = output.astype(np.float32).mean(axis=1)
                return means


@cache
def load_model(recipe: Recipe, threads: int | None, _process: int) -> LoadedModel:
    """Load a model, once a process; ``_process`` is in the cache key because a fork lacks the session's threads.

    Raises:
        EmbeddingError: a file is damaged, or the model has unknown inputs or unusable outputs.
    """
    from onnxruntime import InferenceSession

    tokenizer = _load_tokenizer(recipe)
    try:
        session = InferenceSession(recipe.model, session_options(threads), providers=PROVIDERS)
    except session_failures() as problem:
        raise EmbeddingError(f"{recipe.model} is no ONNX model that can be run: {one_line(str(problem))}") from problem
    output = _output(recipe, [each.name for each in session.get_outputs()])
    return LoadedModel(recipe, session, tokenizer, _inputs(recipe, session), output)


def _load_tokenizer(recipe: Recipe) -> Tokenizer:
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_str(recipe.tokenizer.read_text(encoding="utf-8"))
        tokenizer.no_padding()
        tokenizer.enable_truncation(recipe.max_tokens)
    except Exception as problem:  # tokenizers raises nothing more specific
        raise EmbeddingError(f"{recipe.tokenizer} is no tokenizer: {one_line(str(problem))}") from problem
    return tokenizer


def _inputs(recipe: Recipe, session: InferenceSession) -> tuple[tuple[str, type[Any]], ...]:
    known = ("input_ids", "attention_mask", "token_type_ids", "position_ids")
    wanted = [(each.name, each.type) for each in session.get_inputs()]
    for name, kind in wanted:
        if name not in known or kind not in INTEGERS:
            raise EmbeddingError(
                f"{recipe.model} asks for {name!r}, {kind}: Palace gives {', '.join(known)} as integers"
            )
    return tuple((name, INTEGERS[kind]) for name, kind in wanted)


def _output(recipe: Recipe, names: Sequence[str]) -> str:
    has_tokens = next((name for name in TOKENS if name in names), None)
    if SENTENCES in names and not (recipe.pooling and has_tokens and not recipe.unapplied):
        return SENTENCES
    if recipe.unapplied:
        raise EmbeddingError(
            f"{recipe.model} does not apply the model's last step, {recipe.unapplied}, itself, and neither does Palace"
        )
    return has_tokens or names[0]
