"""Embedding models behind an API: batches, retries, and checks of the response."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from palace.ai.embedders.inference import Numbers, UnusableAnswer, unit_length
from palace.ai.embedders.protocol import EmbeddedTexts, Vectors
from palace.ai.provider import CallFailed, Endpoint, call_repeatedly, price_of
from palace.errors import EmbeddingError
from palace.models import CallRecord
from palace.models.wordpiece import well_formed

BATCH_TEXTS = 128
"""The most texts in one call."""

# A token of a byte-level vocabulary holds at least one byte, so bytes bound tokens whatever the language. OpenAI
# refuses a text of more than 8,191 tokens and a call of more than 300,000.
READ_BYTES = 8_000
BATCH_BYTES = 250_000

TOKEN_BYTES = 3
"""Bytes counted as one token in estimates; in most languages a token has more."""

ATTEMPTS = 4
"""The most calls for one batch, retries included."""


class RemoteEmbedder:
    """Embeds with any model of litellm ("openai/text-embedding-3-small"); vectors are scaled to unit length.

    Of a text the first 8,000 bytes are read. Keys come from the environment, as litellm documents them. A call that is
    throttled, times out or meets a server error is retried after growing pauses. Several threads may embed.
    """

    normalised = True

    def __init__(
        self,
        model: str,
        *,
        dimension: int | None = None,
        timeout: float = 60,
        api_base: str | None = None,
        first_pause: float = 0.5,
    ) -> None:
        """Set up the model; nothing is loaded or called yet.

        ``timeout`` seconds bound each call; ``first_pause`` seconds pass before the first retry, twice as many before
        each further one.
        """
        self._endpoint = Endpoint(model, timeout, api_base)
        self._dimension = dimension
        self._first_pause = first_pause
        self._lock = threading.Lock()
        self._unreported: tuple[CallRecord, ...] = ()

    @property
    def model(self) -> str:
        """The model as litellm names it."""
        return self._endpoint.model

    @property
    def dimension(self) -> int:
        """Numbers in each vector; if unknown, one small call asks the model.

        Raises:
            EmbeddingError: the model did not answer.
        """
        if self._dimension is None:
            probe = self.embed_passages(["dimension"])
            with self._lock:
                self._unreported += probe.calls
            return int(probe.vectors.shape[1])
        return self._dimension

    def embed_passages(self, texts: Sequence[str]) -> EmbeddedTexts:
        """Embed texts in order, ``(n, dimension) float32``; ``calls`` include one made to learn the dimension.

        Raises:
            EmbeddingError: a key is missing, the model did not answer, or its answer has not one vector of the known
                dimension for each text.
        """
        calls: list[CallRecord] = []
        try:
            parts = [self._embed_batch(batch, calls) for batch in _batches([_readable(text) for text in texts])]
        except EmbeddingError as problem:
            problem.calls = (*self._take_unreported(), *calls)
            raise
        vectors = np.concatenate(parts) if parts else np.empty((0, self.dimension), np.float32)
        return EmbeddedTexts(vectors, (*self._take_unreported(), *calls))

    def embed_queries(self, texts: Sequence[str]) -> EmbeddedTexts:
        """Embed queries exactly as passages: litellm has no uniform way to mark queries."""
        return self.embed_passages(texts)

    def most_of(self, texts: Sequence[str]) -> CallRecord | None:
        """Estimate the most that embedding some texts costs; None if it costs nothing or the price is unknown."""
        price = price_of(self.model, "input")
        if not price:
            return None
        tokens = sum(-(-len(_readable(text).encode()) // TOKEN_BYTES) for text in texts)
        return CallRecord(self.model, tokens, tokens * price, 0.0, "unfinished")

    def _take_unreported(self) -> tuple[CallRecord, ...]:
        with self._lock:
            unreported, self._unreported = self._unreported, ()
        return unreported

    def _embed_batch(self, batch: list[str], calls: list[CallRecord]) -> Vectors:
        try:
            answer = call_repeatedly(
                self._endpoint,
                "embedding",
                calls,
                attempts=ATTEMPTS,
                first_pause=self._first_pause,
                within=2 * self._endpoint.timeout,
                input=batch,
                encoding_format="float",
            )
        except CallFailed as failure:
            said = f"{self.model} did not embed ({failure.call.outcome}): {failure}"
            raise EmbeddingError(str(failure) if failure.missing_key else said) from failure
        try:
            scaled = self._scaled(read_vectors(answer.response, len(batch)))
        except UnusableAnswer as problem:
            calls.append(answer.malformed_call)
            raise EmbeddingError(f"{self.model} gave an answer that cannot be used: {problem}") from problem
        calls.append(answer.call)
        return scaled

    def _scaled(self, vectors: Numbers) -> Vectors:
        """Check the dimension, which the first answer sets if it was unknown, and scale to unit length."""
        dimension = vectors.shape[1]
        if dimension != (self._dimension or dimension):
            raise UnusableAnswer(f"vectors of {dimension} numbers instead of {self._dimension}")
        scaled = unit_length(vectors)
        self._dimension = dimension
        return scaled


def _readable(text: str) -> str:
    """Truncate a text to what every provider accepts; an empty text, which some refuse, becomes a space."""
    if 4 * len(text) > READ_BYTES:
        text = well_formed(text[:READ_BYTES]).encode()[:READ_BYTES].decode(errors="ignore")
    return well_formed(text) or " "


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for text in texts:
        cost = len(text.encode())
        if batch and (len(batch) == BATCH_TEXTS or size + cost > BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += cost
    if batch:
        yield batch


def read_vectors(response: Any, count: int) -> Numbers:
    """Return the vectors of ``count`` texts in the order of the texts, ``(count, dimension)``.

    Vectors may come in any order. Their indices must name each text exactly once: otherwise a vector would be stored
    with the wrong passage.

    Raises:
        UnusableAnswer: indices are missing or repeated, or the vectors are not numbers or differ in length.
    """
    items = getattr(response, "data", None)
    if not isinstance(items, Sequence) or isinstance(items, (str, bytes)):
        raise UnusableAnswer("there is no list of vectors in it")
    if len(items) != count:
        raise UnusableAnswer(f"{len(items)} vectors for {count} texts")
    places = [_part(item, "index") for item in items]
    if any(type(index) is not int for index in places) or sorted(places) != list(range(count)):
        raise UnusableAnswer("the vectors do not say which text each belongs to")
    rows: list[Numbers] = [np.empty(0)] * count
    for index, item in zip(places, items, strict=True):
        rows[index] = _numbers(_part(item, "embedding"))
    if len({len(row) for row in rows}) != 1:
        raise UnusableAnswer("its vectors differ in length")
    return np.stack(rows)


def _part(item: Any, name: str) -> Any:
    try:
        return item[name]
    except (TypeError, LookupError, AttributeError) as problem:
        raise UnusableAnswer(f"a vector without its {name}") from problem


def _numbers(embedding: Any) -> Numbers:
    """Convert a flat list of numbers; strings of digits are not accepted."""
    if not isinstance(embedding, Sequence) or isinstance(embedding, (str, bytes)):
        raise UnusableAnswer("a vector that is not a list")
    try:
        array = np.asarray(embedding)
    except (ValueError, OverflowError) as problem:
        raise UnusableAnswer("a vector of something else than numbers") from problem
    if array.ndim != 1 or array.dtype.kind not in "iuf":
        raise UnusableAnswer("a vector of something else than numbers")
    return array.astype(np.float64)
