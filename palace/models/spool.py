"""Copy a stream (standard input, a pipe) to a temporary file, so that it can be read twice; within a size limit."""

from __future__ import annotations

import os
import shutil
import stat
import sys
import tempfile
from pathlib import Path
from typing import BinaryIO

from palace.errors import UnreadableSource

STANDARD_INPUT = "standard input"
LARGEST_SPOOL = 4 << 30
"""Bytes of a stream, at most; regular files may have any size."""

SPARED_BYTES = 256 << 20
"""Bytes to leave free on the disk of temporary files."""

_BLOCK = 1 << 20
_LOOK_AFTER = 64 << 20
"""Bytes after which the free space is checked again."""


def own_input() -> BinaryIO:
    """Return standard input as a binary stream.

    Raises:
        UnreadableSource: this process has none.
    """
    if sys.stdin is None:
        raise UnreadableSource(STANDARD_INPUT, "is closed")
    return sys.stdin.buffer


def spool(stream: BinaryIO, file: BinaryIO, name: str) -> None:
    """Copy a stream to its end into a temporary file; ``name`` names it in error messages.

    Raises:
        UnreadableSource: it exceeds the limit, does not fit on the disk, or cannot be read.
    """
    count = 0
    try:
        while block := stream.read(_BLOCK):
            count += len(block)
            if count > LARGEST_SPOOL:
                raise UnreadableSource(name, f"holds more than {LARGEST_SPOOL >> 30} GiB; save it to a file, name that")
            if count % _LOOK_AFTER < len(block) and count >= _LOOK_AFTER:
                _check_space(name)
            file.write(block)
        file.flush()
    except OSError as problem:
        raise UnreadableSource(name, f"cannot be read into a temporary file: {problem.strerror}") from problem


def odd_kind(path: Path) -> str | None:
    """Return the end of an error message on a path that is neither a file nor a pipe; None if it can be read.

    A terminal can be read, and the null device, which is empty.

    Raises:
        OSError: there is nothing at the path, or it cannot be accessed.
    """
    mode = path.stat().st_mode
    if stat.S_ISSOCK(mode):
        return "is a socket, not a file"
    if stat.S_ISBLK(mode):
        return "is a disk or another block device, not a file"
    if stat.S_ISCHR(mode) and not (_is_terminal(path) or path.samefile(os.devnull)):
        return "is a device, not a file"
    return None


def _is_terminal(path: Path) -> bool:
    descriptor = os.open(path, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
    try:
        return os.isatty(descriptor)
    finally:
        os.close(descriptor)


def _check_space(name: str) -> None:
    folder = tempfile.gettempdir()
    if shutil.disk_usage(folder).free < SPARED_BYTES:
        raise UnreadableSource(name, f"does not fit into {folder}: free some space, or set TMPDIR to a larger disk")
