"""The parts of ONNX files: messages of protobuf, which onnxruntime brings, by the schema in ``palace/data``."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
import numpy.typing as npt
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass

FLOAT, INT64 = 1, 7
FUSED = "com.microsoft"
"""The domain of onnxruntime's own operators."""
TYPES = {FLOAT: np.float32, 2: np.uint8, 3: np.int8, INT64: np.int64}
"""The types of numbers that are read and written, by their numbers in ``TensorProto.DataType``."""
_NUMBERS = {np.dtype(kind): number for number, kind in TYPES.items()}


@cache
def _schema() -> DescriptorPool:
    pool = DescriptorPool()
    pool.AddSerializedFile(files("palace").joinpath("data", "onnx.schema").read_bytes())
    return pool


def message(kind: str, /, **fields: Any) -> Any:
    """Return a message of ``onnx.proto``, such as a ``NodeProto``, with some of its fields."""
    return GetMessageClass(_schema().FindMessageTypeByName(f"onnx.{kind}"))(**fields)


def read_model(content: bytes) -> Any:
    """Parse a ``ModelProto``; weights in other files are not read.

    Raises:
        google.protobuf.message.DecodeError: it is none.
    """
    model = message("ModelProto")
    model.ParseFromString(content)
    return model


def array_of(tensor: Any) -> npt.NDArray[Any]:
    """Return the numbers of a ``TensorProto`` that has them as bytes."""
    return np.frombuffer(tensor.raw_data, TYPES[tensor.data_type]).reshape(tensor.dims)


def tensor_of(values: npt.ArrayLike, name: str) -> Any:
    """Return numbers as a ``TensorProto``."""
    array = np.asarray(values)
    return message(
        "TensorProto", dims=array.shape, data_type=_NUMBERS[array.dtype], name=name, raw_data=array.tobytes()
    )


def attribute(name: str, value: float | str) -> Any:
    """Return an attribute of a node: a whole number, a fraction or a word."""
    if isinstance(value, str):
        return message("AttributeProto", name=name, s=value.encode(), type=3)
    kind = {"f": value, "type": 1} if isinstance(value, float) else {"i": value, "type": 2}
    return message("AttributeProto", name=name, **kind)


def value_info(name: str, kind: int, *shape: str | int) -> Any:
    """Return an input or output of a graph: its type, and its shape of numbers and names."""
    sides = [{"dim_param" if isinstance(side, str) else "dim_value": side} for side in shape]
    return message("ValueInfoProto", name=name, type={"tensor_type": {"elem_type": kind, "shape": {"dim": sides}}})


class Graph:
    """An ONNX graph under construction: nodes and constants in the order they are added, named by number."""

    def __init__(self) -> None:
        self._nodes: list[Any] = []
        self._constants: list[Any] = []

    def constant(self, value: npt.ArrayLike) -> str:
        name = f"constant_{len(self._constants)}"
        self._constants.append(tensor_of(value, name))
        return name

    def node(
        self, kind: str, *inputs: str, outputs: list[str] | None = None, domain: str = "", **attributes: Any
    ) -> str:
        names = outputs or [f"state_{len(self._nodes)}"]
        how = [attribute(name, attributes[name]) for name in sorted(attributes)]
        made = message("NodeProto", op_type=kind, input=inputs, output=names, domain=domain, attribute=how)
        self._nodes.append(made)
        return names[0]

    def split(self, states: str, width: int) -> list[str]:
        """Split states along the last axis into three parts of the same width."""
        names = [f"state_{len(self._nodes)}_{part}" for part in range(3)]
        self.node("Split", states, self.constant(np.array([width] * 3)), outputs=names, axis=-1)
        return names

    def model(self, name: str, width: int) -> Any:
        """Return the ``ModelProto``, from ``input_ids`` to ``vectors`` of ``width`` numbers."""
        graph = {
            "name": name,
            "node": self._nodes,
            "initializer": self._constants,
            "input": [value_info("input_ids", INT64, "texts", "tokens")],
            "output": [value_info("vectors", FLOAT, "texts", width)],
        }
        versions = [{"domain": "", "version": 20}, {"domain": FUSED, "version": 1}]
        return message("ModelProto", ir_version=9, opset_import=versions, graph=graph)
