"""What the bundled model multiplies, in float32: its installed weights, run text by text in numpy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from palace.embedding.minilm.graph import DIMENSION, EPSILON, HEADS
from palace.embedding.minilm.ranges import LAYERS
from palace.embedding.minilm.weights import PRODUCTS, Weights
from palace.wordpiece import MAX_TOKENS, tokenizer

Floats = npt.NDArray[np.float32]

NAMES = ("attention", "projection", "expansion", "contraction")
"""A layer's four products, as ``palace.embedding.minilm.ranges.Layer`` calls them."""


@dataclass(frozen=True, slots=True)
class Product:
    """A product of one layer, with what goes into it."""

    layer: int
    name: str
    states: Floats
    """``(tokens, channels)``."""
    weights: Floats
    """How much each channel counts: the sum of its weights' squares, ``(channels,)``."""


def iter_products(source: bytes, texts: Sequence[str]) -> Iterator[Product]:
    """Run the installed model file over texts, and give layer by layer what its products multiply."""
    weights = Weights(source)
    states = [_embedded(weights, tokenizer().encode(text).ids[:MAX_TOKENS]) for text in texts]
    for number in range(len(LAYERS)):
        linears = _linears(weights, number)
        gone: dict[str, list[Floats]] = {name: [] for name in NAMES}
        states = [_layer(weights, number, linears, each, gone) for each in states]
        for name in NAMES:
            yield Product(number, name, np.concatenate(gone[name]), (linears[name].matrix ** 2).sum(axis=1))


def iter_vectors(source: bytes, texts: Sequence[str]) -> Iterator[Floats]:
    """Give the vectors of texts, as the installed model file does: the mean of the last states, of unit length."""
    weights = Weights(source)
    for text in texts:
        states = _embedded(weights, tokenizer().encode(text).ids[:MAX_TOKENS])
        for number in range(len(LAYERS)):
            states = _layer(weights, number, _linears(weights, number), states, {name: [] for name in NAMES})
        mean = states.mean(axis=0)
        yield mean / np.linalg.norm(mean)


@dataclass(frozen=True, slots=True)
class _Whole:
    """A product with its weights as the numbers they stand for."""

    matrix: Floats
    bias: Floats


def _linears(weights: Weights, layer: int) -> dict[str, _Whole]:
    parts = (PRODUCTS[:3], PRODUCTS[3:4], PRODUCTS[4:5], PRODUCTS[5:6])
    read = {name: weights.linear(layer, part) for name, part in zip(NAMES, parts, strict=True)}
    return {name: _Whole((each.matrix * each.scales).astype(np.float32), each.bias) for name, each in read.items()}


def _embedded(weights: Weights, ids: Sequence[int]) -> Floats:
    tokens, token_scales = weights.table("embeddings.word_embeddings.weight")
    places, place_scales = weights.table("embeddings.position_embeddings.weight")
    count = len(ids)
    states = tokens[list(ids)] * token_scales[list(ids)] + places[:count] * place_scales[:count]
    return _normalised(
        weights, states + weights.vector("embeddings.token_type_embeddings.weight")[0], "embeddings.LayerNorm"
    )


def _layer(
    weights: Weights, number: int, linears: dict[str, _Whole], states: Floats, gone: dict[str, list[Floats]]
) -> Floats:
    name = f"encoder.layer.{number}."

    def product(called: str, given: Floats) -> Floats:
        gone[called].append(given)
        linear = linears[called]
        result: Floats = given @ linear.matrix + linear.bias
        return result

    parts = np.split(product("attention", states), 3, axis=1)
    query, key, value = (part.reshape(len(states), HEADS, -1).transpose(1, 0, 2) for part in parts)
    likeness = query @ key.transpose(0, 2, 1) / np.sqrt(DIMENSION / HEADS)
    share = np.exp(likeness - likeness.max(axis=-1, keepdims=True))
    seen = ((share / share.sum(axis=-1, keepdims=True)) @ value).transpose(1, 0, 2).reshape(states.shape)
    states = _normalised(
        weights, product("projection", seen.astype(np.float32)) + states, name + "attention.output.LayerNorm"
    )
    hidden = product("contraction", _gelu(product("expansion", states)))
    return _normalised(weights, hidden + states, name + "output.LayerNorm")


def _normalised(weights: Weights, states: Floats, name: str) -> Floats:
    gain, shift = (weights.vector(f"{name}.{part}") for part in ("weight", "bias"))
    even = states - states.mean(axis=-1, keepdims=True)
    spread = np.sqrt((even**2).mean(axis=-1, keepdims=True) + EPSILON)
    result: Floats = (even / spread * gain + shift).astype(np.float32)
    return result


def _gelu(values: Floats) -> Floats:
    """GELU by the error function, after Abramowitz and Stegun 7.1.26: within 2e-7, far less than a level."""
    scaled = np.abs(values) / np.sqrt(2)
    t = 1 / (1 + 0.3275911 * scaled)
    series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    error = np.sign(values) * (1 - series * np.exp(-(scaled**2)))
    result: Floats = (values * (1 + error) / 2).astype(np.float32)
    return result
