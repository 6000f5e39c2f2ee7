"""The weights of all-MiniLM-L6-v2, read from the installed file as the eight-bit numbers they are kept in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import onnx

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
"""A layer's matrix products in the order of the graph, which names them by numbers only."""


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
    """The installed file's weights by the names they were published with."""

    def __init__(self, source: bytes) -> None:
        """Read the file that ``quantised`` has checked; its layout is taken for granted."""
        graph = onnx.load_model_from_string(source).graph
        self._arrays = {each.name: onnx.numpy_helper.to_array(each) for each in graph.initializer}
        products = [node.input[1] for node in graph.node if node.op_type == "MatMul"]
        self._products = [name for name in products if f"{name}_q" in self._arrays]

    def vector(self, name: str) -> Floats:
        """Return what is kept as it was published: a bias, or what a normalisation multiplies and adds."""
        return self._arrays[PREFIX + name]

    def table(self, name: str) -> tuple[Bytes, Floats]:
        """Return an embedding table, ``(rows, 384)``, and what its rows are multiplied by, ``(rows, 1)``."""
        return self._arrays[f"{PREFIX}{name}_q"], self._arrays[f"{PREFIX}{name}_scale"]

    def linear(self, layer: int, products: Sequence[str]) -> Linear:
        """Return products of a layer that have the same input, side by side."""
        names = [self._products[layer * len(PRODUCTS) + PRODUCTS.index(each)] for each in products]
        return Linear(
            matrix=np.concatenate([self._arrays[f"{name}_q"] for name in names], axis=1),
            scales=np.concatenate([self._arrays[f"{name}_scale"].reshape(-1) for name in names]),
            bias=np.concatenate([self.vector(f"encoder.layer.{layer}.{each}.bias") for each in products]),
        )
