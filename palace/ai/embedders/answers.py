"""What a provider of embeddings answers, read without trust: a vector for each text and its own, or nothing. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from palace.ai.embedders.protocol import Vectors

Numbers = npt.NDArray[np.float64]


class UnusableAnswer(ValueError):
    """An answer that does not give each text its vector; says why in a few words of our own."""


def read_vectors(response: Any, count: int) -> Numbers:
    """Read the vectors of so many texts in the order of the texts, ``(count, dimension)``.

    They may come in any order. Each says which text it belongs to, and taken together they have to name each text
    once: vectors that were handed out otherwise would lie with passages that they say nothing of.

    Raises:
        UnusableAnswer: texts are left out or named twice, or what is there is not numbers, as many for each.
    """
    items = getattr(response, "data", None)
    if not isinstance(items, Sequence) or isinstance(items, (str, bytes)):
        raise UnusableAnswer("there is no list of vectors in it")
    if len(items) != count:
        raise UnusableAnswer(f"{len(items)} vectors for {count} texts")
    places = [_part(item, "index") for item in items]
    if any(type(place) is not int for place in places) or sorted(places) != list(range(count)):
        raise UnusableAnswer("the vectors do not say which text each belongs to")
    rows: list[Numbers] = [np.empty(0)] * count
    for place, item in zip(places, items, strict=True):
        rows[place] = _numbers(_part(item, "embedding"))
    if len({len(row) for row in rows}) != 1:
        raise UnusableAnswer("its vectors differ in length")
    return np.stack(rows)


def unit_length(vectors: Numbers) -> Vectors:
    """Scale vectors to unit length, ``float32``.

    Raises:
        UnusableAnswer: one has no direction: it is empty, all zeros, or not finite.
    """
    largest = np.abs(vectors).max(axis=1, initial=0, keepdims=True)
    if not (np.isfinite(largest).all() and largest.all()):
        raise UnusableAnswer("a vector without direction")
    # Divided by its largest number first: the squares of very large and of very small ones are not floats.
    even = vectors / largest
    scaled: Vectors = (even / np.linalg.norm(even, axis=1, keepdims=True)).astype(np.float32)
    return scaled


def _part(item: Any, name: str) -> Any:
    try:
        return item[name]
    except (TypeError, LookupError, AttributeError) as problem:
        raise UnusableAnswer(f"a vector without its {name}") from problem


def _numbers(embedding: Any) -> Numbers:
    """Take a flat list of numbers; text that reads as a number is none."""
    if not isinstance(embedding, Sequence) or isinstance(embedding, (str, bytes)):
        raise UnusableAnswer("a vector that is not a list")
    try:
        array = np.asarray(embedding)
    except (ValueError, OverflowError) as problem:
        raise UnusableAnswer("a vector of something else than numbers") from problem
    if array.ndim != 1 or array.dtype.kind not in "iuf":
        raise UnusableAnswer("a vector of something else than numbers")
    return array.astype(np.float64)
