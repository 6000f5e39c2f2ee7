"""The files of an outbox: private to their owner, never opened through a link, locked while written."""

from __future__ import annotations

import fcntl
import os
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from palace.config.folders import make_private
from palace.errors import OutboxError

_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
_ALWAYS = os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK


@contextmanager
def opened(path: Path, flags: int) -> Iterator[int]:
    """Open a file of an outbox.

    Raises:
        OutboxError: it is a link or no file, belongs to another user, or is writable by others.
        OSError: the system refuses, ``FileNotFoundError`` included.
    """
    if path.is_symlink():
        raise OutboxError(f"the outbox {path} is a link: it is not used")
    descriptor = os.open(path, flags | _ALWAYS, 0o600)
    try:
        _check(path, os.fstat(descriptor), stat.S_ISREG)
        yield descriptor
    finally:
        os.close(descriptor)


def make_folder(folder: Path) -> None:
    """Create the folder if it does not exist.

    Raises:
        OutboxError: it is a link, belongs to another user, or is writable by others.
        OSError: the system refuses.
    """
    make_private(folder.parent, folder.name)
    _check(folder, folder.lstat(), stat.S_ISDIR)


@contextmanager
def locked(path: Path, seconds: float) -> Iterator[None]:
    """Hold an exclusive lock on a file, waiting up to so many seconds.

    Raises:
        OSError: another process, or another thread, holds it for longer.
    """
    _check(path.parent, path.parent.lstat(), stat.S_ISDIR)
    with opened(path, os.O_RDWR | os.O_CREAT) as descriptor:
        deadline = time.monotonic() + seconds
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    raise
                time.sleep(0.005)
        yield


def is_at(descriptor: int, path: Path) -> bool:
    """Check whether an open file is still the one at a path."""
    try:
        return os.path.samestat(path.lstat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def read_all(path: Path) -> bytes:
    """Read a file; return b"" if it does not exist."""
    try:
        with opened(path, os.O_RDONLY) as descriptor, os.fdopen(os.dup(descriptor), "rb") as file:
            return file.read()
    except FileNotFoundError:
        return b""


def append(path: Path, line: bytes, largest: int) -> None:
    """Append a line to a file and sync it to disk; all of it, or nothing.

    Raises:
        OutboxError: the file would exceed ``largest`` bytes.
        OSError: the system refuses.
    """
    with opened(path, os.O_RDWR | os.O_APPEND | os.O_CREAT) as descriptor:
        size = os.fstat(descriptor).st_size
        if size + len(line) > largest:
            raise OutboxError(f"the outbox {path} is full ({size:,} bytes): what was said is not kept")
        if size and os.pread(descriptor, 1, size - 1) != b"\n":
            line = b"\n" + line  # a process was killed while writing the last line: only that line is lost
        try:
            _write(descriptor, line)
        except OSError:
            os.ftruncate(descriptor, size)  # no half of a line stays on a full disk
            raise
    if not size:
        flush_folder(path.parent)


def replace(path: Path, content: bytes) -> None:
    """Replace the content of a file atomically.

    Raises:
        OSError: the system refuses; the file is unchanged.
    """
    new = path.with_suffix(".new")
    new.unlink(missing_ok=True)
    try:
        with opened(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL) as descriptor:
            _write(descriptor, content)
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)


def flush_folder(folder: Path) -> None:
    """Sync a folder's directory entries to disk."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _check(path: Path, found: os.stat_result, is_right: Callable[[int], bool]) -> None:
    if stat.S_ISLNK(found.st_mode) or not is_right(found.st_mode):
        raise OutboxError(f"the outbox {path} is no plain file or folder: it is not used")
    if found.st_uid != os.geteuid():
        raise OutboxError(f"the outbox {path} belongs to another user of this computer: it is not used")
    if found.st_mode & _OTHERS_WRITE:
        raise OutboxError(f"the outbox {path} can be written by others: it is not used until that is taken from them")


def _write(descriptor: int, data: bytes) -> None:
    written = 0
    while written < len(data):
        written += os.write(descriptor, data[written:])
    os.fsync(descriptor)
