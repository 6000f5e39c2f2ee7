"""What lies in a watched folder, and when it was last written: names and numbers alone, nothing is opened."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, Self

WRITTEN_AHEAD = "-wal"
"""What SQLite puts behind a database's name to call the file in which it keeps what is new for a while."""
_INDEX = "-shm"
"""The index of that, which readers write as well."""


class Stamp(NamedTuple):
    """What a file is known by without being read. Whatever changes it changes ``changed``, which nobody can set."""

    size: int
    written: int
    """Nanoseconds since 1970, as is ``changed``; this one can be set back."""
    changed: int
    number: int
    """The inode: another file may take the name."""

    @classmethod
    def of(cls, status: os.stat_result) -> Self:
        """Take the stamp of a file."""
        return cls(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


class Listed(NamedTuple):
    """What was found."""

    files: dict[str, Stamp]
    """By real path."""
    closed: tuple[str, ...]
    """Folders that cannot be looked into."""


def list_files(path: str) -> Listed:
    """List the files below a folder, or the one file that a path names.

    What is hidden is passed over, as mining does. So are links: they would lead out of what was named. What goes while
    it is looked at is not there.

    Raises:
        OSError: there is nothing, or it cannot be looked into.
    """
    root = os.path.realpath(path, strict=True)
    status = Path(root).stat()
    if not stat.S_ISDIR(status.st_mode):
        return Listed(_with_written_ahead(root, status) if stat.S_ISREG(status.st_mode) else {}, ())
    files: dict[str, Stamp] = {}
    closed: list[str] = []
    waiting = [root]
    while waiting:
        folder = waiting.pop()
        try:
            _look_into(folder, files, waiting)
        except (FileNotFoundError, NotADirectoryError):
            if folder == root:
                raise
        except OSError:
            if folder == root:
                raise
            closed.append(folder)
    return Listed(files, tuple(sorted(closed)))


def _with_written_ahead(path: str, status: os.stat_result) -> dict[str, Stamp]:
    files = {path: Stamp.of(status)}
    with suppress(OSError):
        files[path + WRITTEN_AHEAD] = Stamp.of(Path(path + WRITTEN_AHEAD).stat())
    return files


def _look_into(folder: str, files: dict[str, Stamp], waiting: list[str]) -> None:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith(".") or entry.name.endswith(_INDEX):
                continue
            try:
                status = entry.stat(follow_symlinks=False)
            except FileNotFoundError:
                continue
            if stat.S_ISDIR(status.st_mode):
                waiting.append(entry.path)
            elif stat.S_ISREG(status.st_mode):
                files[entry.path] = Stamp.of(status)
