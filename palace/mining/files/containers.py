"""Opens files of a folder or a zip archive; gzip is decompressed on the way.

Decompressed data is counted while it is read, so a decompression bomb is refused whatever its headers say.
"""

from __future__ import annotations

import errno
import gzip
import io
import lzma
import os
import re
import stat
import struct
import zipfile
import zlib
from collections import Counter
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, BinaryIO, cast

from palace.errors import UnreadableSource

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

HIDDEN_FILES, HIDDEN_FOLDERS = "hidden files", "hidden folders"
AIDER_HISTORY = ".aider.chat.history.md"
"""A hidden file with conversations; aider keeps it in the folder where it is started."""
LINKED_FOLDERS, DEAD_LINKS = "linked folders", "dead links"
SPECIAL_FILES = "special files"
"""Kind under which pipes, sockets and devices are counted."""

_GZIP_MAGIC = b"\x1f\x8b"
_ZIP_MAGICS = (b"PK\x03\x04", b"PK\x05\x06")
_FREE_BYTES = 16 << 20
_LARGEST_RATIO = 200
_LARGEST_TOTAL = 16 << 30
_BLOCK = 1 << 16
_LEADS_NOWHERE = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP})
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
# Besides errors of damage, zipfile raises NotImplementedError for unknown compressions, RuntimeError for passwords, and
# ValueError or struct.error for bad names and truncated headers.
_DAMAGED = (EOFError, OSError, zipfile.BadZipFile, RuntimeError, ValueError, lzma.LZMAError, struct.error, zlib.error)


class Container:
    """A tree of files; ``label`` names it in messages."""

    def __init__(self, label: str) -> None:
        self._label = label
        self.passed_over: Counter[str] = Counter()
        """Numbers of entries that ``names`` omitted, by kind."""

    def names(self) -> list[str]:
        """Return the files as relative paths with forward slashes, in a stable order.

        Hidden files and folders, links to folders and special files are only counted.
        """
        raise NotImplementedError

    def open(self, name: str) -> BinaryIO:
        """Open one file for reading from its start; gzip is decompressed.

        Raises:
            UnreadableSource: it cannot be opened; damage and oversize are raised while reading.
        """
        raise NotImplementedError

    def key(self, name: str) -> str:
        """Return a unique id of a file, or of a folder with a trailing slash, whichever path leads to it."""
        raise NotImplementedError


class Folder(Container):
    """A folder on disk."""

    def __init__(self, root: Path, label: str) -> None:
        super().__init__(label)
        self._root = root
        self.unreadable: list[UnreadableSource] = []
        """Folders below that ``names`` could not list."""

    def names(self) -> list[str]:
        self.unreadable.clear()
        self.passed_over.clear()
        found = []
        for folder, subfolders, files in os.walk(self._root, onerror=self._note):
            subfolders[:] = [name for name in subfolders if not self._is_passed_over(folder, name)]
            paths = [Path(folder, name) for name in files if not _is_hidden(name)]
            self.passed_over[HIDDEN_FILES] += len(files) - len(paths)
            found += [path.relative_to(self._root).as_posix() for path in paths if self._is_file(path)]
        return sorted(found, key=_by_folder)

    def key(self, name: str) -> str:
        return os.path.realpath(self._root / name)

    def open(self, name: str) -> BinaryIO:
        path, label = self._root / name, printable(str(PurePosixPath(self._label, name)))
        try:
            return _measured(path.open("rb"), _Meter(label, path.stat().st_size), name)
        except OSError as problem:
            raise UnreadableSource(label, f"cannot be read: {problem.strerror}") from problem

    def _is_passed_over(self, folder: str, name: str) -> bool:
        kind = HIDDEN_FOLDERS if name.startswith(".") else LINKED_FOLDERS
        # A link could lead back here.
        is_passed_over = kind == HIDDEN_FOLDERS or Path(folder, name).is_symlink()
        self.passed_over[kind] += is_passed_over
        return is_passed_over

    def _is_file(self, path: Path) -> bool:
        try:
            is_file = stat.S_ISREG(path.stat().st_mode)
        except OSError as problem:
            if problem.errno not in _LEADS_NOWHERE:
                self._note(problem)
            self.passed_over[DEAD_LINKS] += problem.errno in _LEADS_NOWHERE
            return False
        self.passed_over[SPECIAL_FILES] += not is_file
        return is_file

    def _note(self, problem: OSError) -> None:
        label = printable(str(problem.filename))
        self.unreadable.append(UnreadableSource(label, f"cannot be read: {problem.strerror}"))


class Archive(Container):
    """A zip archive, read in place: nothing of it is written to disk."""

    def __init__(self, path: Path, label: str) -> None:
        """Open the archive at ``path``.

        Raises:
            UnreadableSource: it is damaged, or has paths that lead out of it.
        """
        super().__init__(label)
        self._path = path
        try:
            self._zip = zipfile.ZipFile(path)
            self._meter = _Meter(label, path.stat().st_size)
        except _DAMAGED as problem:
            is_word = label.lower().endswith(".docx")
            reason = "is a Word file, but damaged" if is_word else f"the zip archive is damaged: {problem}"
            raise UnreadableSource(label, reason) from problem
        for name in self._zip.namelist():
            if _leads_out(name):
                raise UnreadableSource(label, f"the zip archive holds a path that leads out of it: {name!r}")

    def names(self) -> list[str]:
        names = {info.filename for info in self._zip.infolist() if not info.is_dir()}
        shown = [name for name in names if not _is_hidden(name)]
        self.passed_over = Counter({HIDDEN_FILES: len(names) - len(shown)})
        return sorted(shown, key=_by_folder)

    def key(self, name: str) -> str:
        return f"{os.path.realpath(self._path)}/{name}"

    def open(self, name: str) -> BinaryIO:
        info, place = self._zip.getinfo(name), printable(name)
        if info.flag_bits & 1:
            raise UnreadableSource(self._label, "is encrypted; unpack it first", place=place)
        try:
            return _measured(self._zip.open(info), self._meter, name)
        except _DAMAGED as problem:
            raise UnreadableSource(self._label, f"the zip archive is damaged: {problem}", place=place) from problem


class _Meter:
    """Limits the total decompressed size of a file; a part that is read again counts once."""

    def __init__(self, label: str, packed_bytes: int) -> None:
        self.label = label
        self._limit = packed_bytes + min(_LARGEST_TOTAL, _FREE_BYTES + _LARGEST_RATIO * packed_bytes)
        self._read: Counter[str] = Counter()
        self._total = 0

    def note(self, name: str, count: int) -> None:
        """Record that ``count`` bytes of the part ``name`` have been read so far.

        Raises:
            UnreadableSource: the total is implausibly large for a file of this size.
        """
        if count > self._read[name]:
            self._total += count - self._read[name]
            self._read[name] = count
            if self._total > self._limit:
                reason = f"unpacks to more than {self._limit >> 20} MiB, far too much for its size: not read"
                raise UnreadableSource(self.label, reason)


class _MeasuredStream(io.RawIOBase):
    """A stream that reports its progress to a meter and translates errors of damage."""

    def __init__(self, raw: IO[bytes], beneath: IO[bytes], meter: _Meter, name: str) -> None:
        self._raw, self._beneath, self._meter, self._name = raw, beneath, meter, name
        self._count = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        wanted = memoryview(buffer)
        try:
            data = self._raw.read(len(wanted))
        except _DAMAGED as problem:
            raise UnreadableSource(self._meter.label, f"is damaged or cut off: {problem}") from problem
        self._count += len(data)
        self._meter.note(self._name, self._count)
        wanted[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if not self.closed:
            self._raw.close()
            self._beneath.close()
        super().close()


def _measured(raw: IO[bytes], meter: _Meter, name: str) -> BinaryIO:
    beneath = io.BufferedReader(_MeasuredStream(raw, raw, meter, name), _BLOCK)
    if not beneath.peek(2).startswith(_GZIP_MAGIC):
        return beneath
    unpacked = cast(IO[bytes], gzip.GzipFile(fileobj=beneath))
    return io.BufferedReader(_MeasuredStream(unpacked, beneath, meter, f"{name} unpacked"), _BLOCK)


def is_zip(path: Path) -> bool:
    """Check by its first bytes whether a file is a zip archive."""
    with path.open("rb") as file:
        return file.read(4) in _ZIP_MAGICS


def is_regular(path: Path) -> bool:
    """Check whether a path is a regular file, which can be read twice, not a pipe or device."""
    return stat.S_ISREG(path.stat().st_mode)


def printable(path: str) -> str:
    """Return a path as one printable line, whatever bytes it has."""
    return _CONTROL.sub("\ufffd", os.fsencode(path).decode(errors="replace"))


def _by_folder(name: str) -> tuple[str, ...]:
    return tuple(name.split("/"))


def _leads_out(name: str) -> bool:
    parts = name.replace("\\", "/").split("/")
    return parts[0] == "" or ".." in parts or re.fullmatch("[A-Za-z]:", parts[0]) is not None


def _is_hidden(name: str) -> bool:
    parts = name.removesuffix(AIDER_HISTORY).split("/")
    return any(part.startswith(".") or part == "__MACOSX" for part in parts)
