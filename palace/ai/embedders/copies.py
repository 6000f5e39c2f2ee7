"""Copies of installed models in a folder of the palace, made once and checked by their digest."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from palace.config.folders import make_private, written_whole
from palace.errors import BadRequest, EmbeddingError

_DIGEST = b"rJ\n\x06sha256\x12@"
"""Beginning of the metadata entry "sha256" at the end of a copy, as ONNX writes it; 64 digits follow."""


def kept_copy(file: Path | None, make: Callable[[], bytes]) -> Path | bytes:
    """Return a model as a file, made if it is not there yet, or damaged.

    The file ends with the SHA-256 of the model. Without a writable folder each process makes its own, and keeps it in
    memory.
    """
    if file and _is_whole(file):
        return file
    model = make()
    if file:
        # The copy in memory is enough: a full disk must not prevent recall.
        with suppress(OSError, BadRequest):
            make_private(file.parent.parent, file.parent.name)
            with written_whole(file, force=True) as partial:
                partial.write_bytes(model + _entry(model))
            # As the copy was called before onnxruntime could read it as a file.
            file.with_name(f"{file.name}.checked").unlink(missing_ok=True)
            return file
    return model


def checked(file: Path, digest: str, what: str, remedy: str) -> bytes:
    """Return the content of an installed file.

    Raises:
        EmbeddingError: it cannot be read, or has another SHA-256; the message has the remedy.
    """
    try:
        content = file.read_bytes()
    except OSError as problem:
        raise EmbeddingError(f"{what} cannot be read ({file}: {problem.strerror}): {remedy}") from problem
    if hashlib.sha256(content).hexdigest() != digest:
        raise EmbeddingError(f"{what} is damaged or another one ({file}): {remedy}")
    return content


def _is_whole(file: Path) -> bool:
    try:
        content = memoryview(file.read_bytes())
    except OSError:
        return False
    model, entry = content[: -len(_entry(b""))], content[-len(_entry(b"")) :]
    return entry == _entry(model)


def _entry(model: bytes | memoryview) -> bytes:
    return _DIGEST + hashlib.sha256(model).hexdigest().encode()
