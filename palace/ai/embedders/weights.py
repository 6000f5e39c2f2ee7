"""Which other files an ONNX model takes its numbers from: read from the file itself, passing over the numbers in it.

An ONNX file is a ``ModelProto`` as onnx.proto declares it, in the wire format of protocol buffers. A tensor whose
numbers lie elsewhere says where in ``external_data``, as a path from the model's own folder. Nothing of the file is
taken into memory but those paths, so it costs milliseconds where loading the model costs a second copy of it.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from functools import cache
from pathlib import Path, PurePath

from palace.errors import EmbeddingError

Stamp = tuple[str, int, int]

HOLDS = {
    "ModelProto": {7: "GraphProto", 20: "TrainingInfoProto", 25: "FunctionProto"},
    "TrainingInfoProto": {1: "GraphProto", 2: "GraphProto"},
    "GraphProto": {1: "NodeProto", 5: "TensorProto", 15: "SparseTensorProto"},
    "FunctionProto": {7: "NodeProto", 11: "AttributeProto"},
    "NodeProto": {5: "AttributeProto"},
    "AttributeProto": {
        **dict.fromkeys((5, 10), "TensorProto"),
        **dict.fromkeys((6, 11), "GraphProto"),
        **dict.fromkeys((22, 23), "SparseTensorProto"),
    },
    "SparseTensorProto": {1: "TensorProto", 2: "TensorProto"},
    "TensorProto": {13: "StringStringEntryProto"},
}
"""The fields of each message through which a tensor is reached, and what they hold."""
ENTRY = "StringStringEntryProto"
KEY, VALUE = 1, 2
LOCATION = b"location"

_VARINT, _EIGHT, _SIZED, _FOUR = 0, 1, 2, 5
_LONGEST_VARINT = 10


@cache
def external_files(model: Path, _stamp: Stamp) -> tuple[Path, ...]:
    """List the files beside or below a model that hold numbers of it, in order of their names.

    ``_stamp`` is the model's: a file that was replaced is read again.

    Raises:
        EmbeddingError: the file is no ONNX model, or takes numbers from a file that is missing or not below its folder.
    """
    try:
        with model.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as data:
            names = {str(data[start:end], "utf-8") for start, end in _locations(data)}
    except (OSError, ValueError, IndexError) as problem:
        raise EmbeddingError(f"{model} is no ONNX model that can be run: it cannot be read as one") from problem
    files = sorted({file_within(model.parent, name, model) for name in names})
    for file in files:
        if not file.is_file():
            raise EmbeddingError(f"{file} is missing: {model} keeps numbers in it")
    return tuple(files)


def _locations(data: mmap.mmap) -> Iterator[tuple[int, int]]:
    """Find where in a file the locations stand.

    Whatever a tensor says else: one that is written in two pieces would say one thing in each.
    """
    waiting = [("ModelProto", 0, len(data))]
    while waiting:
        kind, start, end = waiting.pop()
        fields = _fields(data, start, end)
        if kind == ENTRY:
            entry = {number: place for number, *place in fields}
            if KEY in entry and VALUE in entry and data[slice(*entry[KEY])] == LOCATION:
                yield entry[VALUE][0], entry[VALUE][1]
        else:
            inner = HOLDS[kind]
            waiting += [(inner[number], start, end) for number, start, end in fields if number in inner]


def _fields(data: mmap.mmap, at: int, end: int) -> Iterator[tuple[int, int, int]]:
    """Find the fields of a message that have a length, with where their content begins and ends.

    Raises:
        ValueError: this is no message.
    """
    while at < end:
        tag, at = _varint(data, at)
        kind, size = tag & 7, 0
        if kind == _VARINT:
            _, at = _varint(data, at)
        elif kind == _SIZED:
            size, at = _varint(data, at)
        elif kind in (_EIGHT, _FOUR):
            size = 8 if kind == _EIGHT else 4
        else:
            raise ValueError("not a field")
        if at + size > end:
            raise ValueError("cut off")
        if kind == _SIZED:
            yield tag >> 3, at, at + size
        at += size


def _varint(data: mmap.mmap, at: int) -> tuple[int, int]:
    """Read a number of seven bits a byte, the lowest first, and where it ends."""
    value = 0
    for place in range(_LONGEST_VARINT):
        byte = data[at + place]
        value |= (byte & 0x7F) << 7 * place
        if byte < 0x80:
            return value, at + place + 1
    raise ValueError("not a number")


LONGEST = 1000
"""Characters of such a path."""


def file_within(folder: Path, named: object, by: object) -> Path:
    """Return the path below a folder that something (``by``) names.

    What a link there leads to is not looked at: the hub's cache is made of links, and what is read through one counts
    as the file's content.

    Raises:
        EmbeddingError: it is no path, or leads out of the folder.
    """
    if not isinstance(named, str) or "\0" in named or len(named) > LONGEST:
        raise EmbeddingError(f"{by} names a file or folder by what is no path")
    path = PurePath(named)
    if path.is_absolute() or ".." in path.parts:
        raise EmbeddingError(f"{by} names {named[:80]!r}, which leads out of {folder}")
    return folder / path
