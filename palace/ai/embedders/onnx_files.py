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


def attribute(name: str, value: float) -> Any:
    """Return an attribute of a node: a whole number or a fraction."""
    kind = {"f": value, "type": 1} if isinstance(value, float) else {"i": value, "type": 2}
    return message("AttributeProto", name=name, **kind)


def value_info(name: str, kind: int, *shape: str | int) -> Any:
    """Return an input or output of a graph: its type, and its shape of numbers and names."""
    sides = [{"dim_param" if isinstance(side, str) else "dim_value": side} for side in shape]
    return message("ValueInfoProto", name=name, type={"tensor_type": {"elem_type": kind, "shape": {"dim": sides}}})
