"""Rewrites the graph of all-MiniLM-L6-v2: 8-bit matrix products, no padding, pooling included.

``input_ids``, ``(texts, tokens) int64`` of texts of one length, become ``vectors``, ``(texts, 384) float32`` of unit
length. The operators of the domain ``com.microsoft`` are documented in onnxruntime's ContribOperators.md.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

import numpy as np
import numpy.typing as npt

from palace.ai.embedders import onnx_files as onnx
from palace.models.wordpiece import MAX_TOKENS

Floats = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.int8]

PREFIX = "inner."
PRODUCTS = (
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "intermediate.dense",
    "output.dense",
)
"""A layer's matrix products in the order of the graph, which only numbers them."""


@dataclass(frozen=True, slots=True)
class Linear:
    """A matrix product with a bias: ``states @ (matrix * scales) + bias``."""

    matrix: Bytes
    """``(inputs, outputs)``."""
    scales: Floats
    """``(outputs,)``."""
    bias: Floats
    """``(outputs,)``."""


class Weights:
    """The weights in the installed file, by their published names."""

    def __init__(self, source: bytes) -> None:
        """Read the installed model file, whose digest was checked: its layout is assumed."""
        graph = onnx.read_model(source).graph
        self._arrays = {each.name: onnx.array_of(each) for each in graph.initializer if each.data_type in onnx.TYPES}
        products = [node.input[1] for node in graph.node if node.op_type == "MatMul"]
        self._products = [name for name in products if f"{name}_q" in self._arrays]

    def vector(self, name: str) -> Floats:
        """Return weights stored unquantised: a bias, or the gain and shift of a normalisation."""
        return self._arrays[PREFIX + name]

    def table(self, name: str) -> tuple[Bytes, Floats]:
        """Return a quantised embedding table, ``(rows, 384)``, and the scale of each row, ``(rows, 1)``."""
        return self._arrays[f"{PREFIX}{name}_q"], self._arrays[f"{PREFIX}{name}_scale"]

    def linear(self, layer: int, products: Sequence[str]) -> Linear:
        """Concatenate products of a layer that share their input."""
        names = [self._products[layer * len(PRODUCTS) + PRODUCTS.index(each)] for each in products]
        return Linear(
            matrix=np.concatenate([self._arrays[f"{name}_q"] for name in names], axis=1),
            scales=np.concatenate([self._arrays[f"{name}_scale"].reshape(-1) for name in names]),
            bias=np.concatenate([self.vector(f"encoder.layer.{layer}.{each}.bias") for each in products]),
        )


LEVELS = 255


@dataclass(frozen=True, slots=True)
class Range:
    """A range of values, quantised evenly to 256 levels; values outside are clipped.

    A few channels go far beyond the others, and stretching the range over them would leave the others a handful of
    levels. ``beyond`` lists them with a number of extra ranges, above or (negative) below: for each the channel is
    copied, shifted by that many widths of the range, so that the copies together hold the whole value.
    """

    low: float
    high: float
    beyond: tuple[tuple[int, int], ...] = ()

    @property
    def step(self) -> np.float32:
        """The distance between two levels."""
        return np.float32((self.high - self.low) / LEVELS)

    @property
    def zero(self) -> np.uint8:
        """The level of the value 0."""
        return np.uint8(np.rint(-self.low / self.step))

    @property
    def bottom(self) -> float:
        """The value of level 0: ``low``, shifted so that 0 falls on a level."""
        return -float(self.zero) * float(self.step)

    @property
    def top(self) -> float:
        """The value of the highest level."""
        return self.bottom + LEVELS * float(self.step)

    def copies(self) -> list[tuple[int, int]]:
        """List the extra copies as pairs of channel and signed number of widths to shift it by."""
        return [
            (channel, number if count > 0 else -number)
            for channel, count in self.beyond
            for number in range(1, abs(count) + 1)
        ]


@dataclass(frozen=True, slots=True)
class Layer:
    """The ranges of the inputs of a layer's four matrix products."""

    attention: Range
    projection: Range
    expansion: Range
    contraction: Range
    """For the output of GELU, which is never below -0.17."""


@cache
def layers() -> tuple[Layer, ...]:
    """Read the ranges from ``palace/data/minilm.toml``."""
    read = tomllib.loads(files("palace").joinpath("data", "minilm.toml").read_text(encoding="utf-8"))
    return tuple(Layer(**{name: _range(**values) for name, values in each.items()}) for each in read["layers"])


def _range(low: float, high: float, beyond: Sequence[Sequence[int]]) -> Range:
    return Range(low, high, tuple((channel, count) for channel, count in beyond))


DIMENSION = 384
HEADS = 12
EPSILON = 1e-12


def write_graph(source: bytes) -> bytes:
    """Convert the installed model file into one with the same weights that multiplies in 8 bits.

    The output is the same each time.
    """
    weights = Weights(source)
    graph = onnx.Graph()
    states = _embeddings(graph, weights)
    for number, ranges in enumerate(layers()):
        states = _layer(graph, weights, number, ranges, states)
    sums = graph.node("ReduceSum", states, graph.constant(np.array([1])), keepdims=0)
    graph.node("LpNormalization", sums, axis=-1, p=2, outputs=["vectors"])
    model: bytes = graph.model("all-MiniLM-L6-v2", DIMENSION).SerializeToString()
    return model


def _embeddings(graph: onnx.Graph, weights: Weights) -> str:
    """Add token and position embeddings; all tokens have token type 0."""
    tokens, scales = (graph.constant(each) for each in weights.table("embeddings.word_embeddings.weight"))
    rows, row_scales = weights.table("embeddings.position_embeddings.weight")
    places = (rows * row_scales + weights.vector("embeddings.token_type_embeddings.weight")[0])[:MAX_TOKENS]
    length = graph.node("Shape", "input_ids", start=1, end=2)
    start = graph.constant(np.array([0]))
    place = graph.node("Slice", graph.constant(places.astype(np.float32)), start, length, start)
    whole = graph.node("Cast", graph.node("Gather", tokens, "input_ids"), to=onnx.FLOAT)
    token = graph.node("Mul", whole, graph.node("Gather", scales, "input_ids"))
    return _normalised(graph, weights, token, place, "embeddings.LayerNorm")


def _layer(graph: onnx.Graph, weights: Weights, number: int, ranges: Layer, states: str) -> str:
    name = f"encoder.layer.{number}."
    heads = _product(graph, states, weights.linear(number, PRODUCTS[:3]), ranges.attention)
    parts = graph.split(heads, DIMENSION)
    seen = graph.node("MultiHeadAttention", *parts, domain=onnx.FUSED, num_heads=HEADS)
    seen = _product(graph, seen, weights.linear(number, PRODUCTS[3:4]), ranges.projection)
    states = _normalised(graph, weights, seen, states, name + "attention.output.LayerNorm")
    expansion, contraction = _unfolded(
        weights.linear(number, PRODUCTS[4:5]), weights.linear(number, PRODUCTS[5:6]), ranges.contraction
    )
    hidden = graph.node("Gelu", _product(graph, states, expansion, ranges.expansion))
    hidden = _product(graph, hidden, contraction, replace(ranges.contraction, beyond=()))
    return _normalised(graph, weights, hidden, states, name + "output.LayerNorm")


def _normalised(graph: onnx.Graph, weights: Weights, one: str, other: str, name: str) -> str:
    # onnxruntime's fused operator for these two takes four times as long.
    gain, shift = (graph.constant(weights.vector(f"{name}.{part}")) for part in ("weight", "bias"))
    return graph.node("LayerNormalization", graph.node("Add", one, other), gain, shift, axis=-1, epsilon=EPSILON)


def _product(graph: onnx.Graph, states: str, linear: Linear, values: Range) -> str:
    step, zero = graph.constant(values.step), graph.constant(values.zero)
    levels = graph.node("QuantizeLinear", states, step, zero)
    copies = values.copies()
    if copies:
        channels = graph.constant(np.array([channel for channel, _ in copies]))
        moves = graph.constant(np.array([-number for _, number in copies], np.float32) * (values.top - values.bottom))
        moved = graph.node("Add", graph.node("Gather", states, channels, axis=-1), moves)
        levels = graph.node("Concat", levels, graph.node("QuantizeLinear", moved, step, zero), axis=-1)
        linear = _with_copies(linear, values)
    return graph.node(
        "MatMulIntegerToFloat",
        levels,
        graph.constant(linear.matrix),
        step,
        graph.constant(linear.scales),
        zero,
        graph.constant(np.zeros(len(linear.scales), np.int8)),
        graph.constant(linear.bias),
        domain=onnx.FUSED,
    )


def _with_copies(linear: Linear, values: Range) -> Linear:
    """Give each copy its channel's weights, and subtract from the bias what unused copies contribute.

    For a value within the range, an upper copy is clipped at the bottom and a lower one at the top.
    """
    copies = values.copies()
    rows = linear.matrix[[channel for channel, _ in copies]]
    idle = np.array([values.bottom if number > 0 else values.top for _, number in copies])
    return Linear(
        matrix=np.concatenate([linear.matrix, rows]),
        scales=linear.scales,
        bias=(linear.bias - (idle @ rows) * linear.scales).astype(np.float32),
    )


def _unfolded(expansion: Linear, contraction: Linear, values: Range) -> tuple[Linear, Linear]:
    """Copy the hidden units that exceed the range in the product before GELU, which costs nothing.

    GELU keeps large numbers and turns negative ones into almost 0, so a unit shifted down by the height of one range
    holds exactly what is clipped off the original.
    """
    units = [unit for unit, _ in values.copies()]
    moves = np.array([number * values.top for _, number in values.copies()])
    wider = Linear(
        matrix=np.concatenate([expansion.matrix, expansion.matrix[:, units]], axis=1),
        scales=np.concatenate([expansion.scales, expansion.scales[units]]),
        bias=np.concatenate([expansion.bias, (expansion.bias[units] - moves).astype(np.float32)]),
    )
    return wider, replace(contraction, matrix=np.concatenate([contraction.matrix, contraction.matrix[units]]))
