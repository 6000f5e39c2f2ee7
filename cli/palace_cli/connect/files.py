"""Configuration files: read through links, written whole or not at all, and remembered to be restored."""

from __future__ import annotations

import base64
import fcntl
import hashlib
import json
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from palace.config.folders import make_private, refused, sync_folder, written_whole
from palace.errors import BadRequest

LARGEST = 32 << 20
"""Bytes; a client that keeps its history in its configuration has a few millions."""
UNCHANGED = "nothing was changed"
PARTIAL = ".partial"
"""The ending of the name of a file that is being written."""
FOLDER = "connections"


class Changed(BadRequest):
    """A file was written to by somebody else between looking and writing."""


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """A file as it was found."""

    path: Path
    """As the client knows it."""
    target: Path
    """The file behind all links."""
    data: bytes | None
    """None where there is no file."""

    @property
    def text(self) -> str:
        """Its content; empty where there is no file.

        Raises:
            BadRequest: it is no text.
        """
        try:
            return (self.data or b"").decode("utf-8")
        except UnicodeDecodeError as problem:
            raise BadRequest(f"{self.path} is no UTF-8 text: {UNCHANGED}") from problem


def read(path: Path, *, within: Path | None = None) -> ConfigFile:
    """Read a configuration; links are followed, but not out of the folder ``within``.

    Raises:
        BadRequest: it cannot be read, or is not a file of this person's that could be written.
    """
    try:
        target = Path(os.path.realpath(path))
        if target.is_symlink():
            raise BadRequest(f"{path} is a link that leads in a circle: {UNCHANGED}")
        if within is not None and not target.is_relative_to(os.path.realpath(within)):
            raise BadRequest(f"{path} leads out of the project, to {target}: {UNCHANGED}")
        return ConfigFile(path, target, _bytes(path, target))
    except OSError as problem:
        raise BadRequest(f"{path} cannot be read: {problem.strerror}; {UNCHANGED}") from problem


def write(found: ConfigFile, data: bytes | None, *, is_private: bool) -> None:
    """Give a file other content, or remove it if there is none; folders are made as needed.

    A new file is readable for its owner alone if ``is_private``, else as the person's files are.

    Raises:
        Changed: it is not any more as it was found.
        BadRequest: it cannot be written.
    """
    folder = found.target.parent
    with refused(folder):
        folder.mkdir(parents=True, exist_ok=True)
    with refused(found.path), _locked(folder):
        _remove_left(found.target)
        _require_same(found)
        if found.target.exists() and not os.access(found.target, os.W_OK):
            raise BadRequest(f"{found.target} is read-only: nothing was changed")
        if data is None:
            found.target.unlink(missing_ok=True)
        else:
            _replace(found, data, is_private=is_private)
        sync_folder(folder)


def remove_folders(folders: tuple[str, ...]) -> None:
    """Remove folders that were made for a file, where nothing else has come into them."""
    with suppress(OSError):
        for folder in folders:
            Path(folder).rmdir()


@dataclass(frozen=True, slots=True)
class Record:
    """How a configuration was before, what it was made, and what was put around what is ours."""

    file: str
    before: bytes | None
    """None where there was no file."""
    after: str
    """The digest of what was written."""
    made: frozenset[tuple[str, ...]]
    folders: tuple[str, ...] = ()
    """Folders that were made for it, innermost first."""

    def is_of(self, data: bytes | None) -> bool:
        """Whether a file is still just as it was written."""
        return data is not None and digest(data) == self.after


class Records:
    """What one palace's home remembers of configurations, readable for its owner alone: they may hold keys."""

    def __init__(self, home: Path) -> None:
        self.folder = home / FOLDER

    def find(self, target: Path) -> Record | None:
        """Return what is remembered of a file; what cannot be read is not remembered."""
        with suppress(OSError, ValueError, KeyError, TypeError):
            kept = json.loads(self.path(target).read_text(encoding="utf-8"))
            before = None if kept["before"] is None else base64.b64decode(kept["before"], validate=True)
            made = frozenset(tuple(map(str, path)) for path in kept["made"])
            folders = tuple(map(str, kept["folders"]))
            return Record(str(kept["file"]), before, str(kept["after"]), made, folders)
        return None

    def keep(self, target: Path, record: Record) -> None:
        """Remember a file, in place of what was remembered of it.

        Raises:
            BadRequest: the home cannot be written to.
        """
        with refused(self.folder):
            make_private(self.folder.parent, FOLDER)
        kept = {
            "file": record.file,
            "before": None if record.before is None else base64.b64encode(record.before).decode("ascii"),
            "after": record.after,
            "made": sorted(map(list, record.made)),
            "folders": list(record.folders),
        }
        with written_whole(self.path(target), force=True) as partial:
            partial.write_text(json.dumps(kept), encoding="utf-8")

    def drop(self, target: Path) -> None:
        """Forget a file."""
        with suppress(OSError):
            self.path(target).unlink()

    def path(self, target: Path) -> Path:
        """Return where a file is remembered."""
        return self.folder / f"{digest(str(target).encode('utf-8', 'surrogateescape'))[:32]}.json"


def digest(data: bytes) -> str:
    """Return the SHA-256 of some bytes, in hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def _bytes(path: Path, target: Path) -> bytes | None:
    try:
        # A pipe with nobody at its other end would be waited for.
        descriptor = os.open(target, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise BadRequest(f"{path} is not a file: {UNCHANGED}")
        if status.st_size > LARGEST:
            raise BadRequest(f"{path} has {status.st_size:,} bytes, too many for a configuration: {UNCHANGED}")
        if status.st_nlink > 1:
            raise BadRequest(f"{path} has other names, hard links, which a new file would cut off: {UNCHANGED}")
        return file.read(LARGEST + 1)


def _require_same(found: ConfigFile) -> None:
    if os.path.realpath(found.path) != str(found.target) or read(found.target).data != found.data:
        raise Changed(f"{found.path} was written to while it was looked at: nothing was changed, run it again")


def _replace(found: ConfigFile, data: bytes, *, is_private: bool) -> None:
    target = found.target
    former = target.stat() if target.exists() else None
    descriptor, name = tempfile.mkstemp(prefix=_prefix(target), suffix=PARTIAL, dir=target.parent)
    partial = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            if former and (former.st_uid, former.st_gid) != (os.geteuid(), os.getegid()):
                os.fchown(file.fileno(), former.st_uid, former.st_gid)
            os.fchmod(file.fileno(), former.st_mode & 0o7777 if former else 0o600 if is_private else 0o666 & ~_umask())
            file.flush()
            os.fsync(file.fileno())
        # To bring it to the disk takes long enough for somebody else to write.
        _require_same(found)
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


def _prefix(target: Path) -> str:
    return f".{target.name[:100]}."


def _remove_left(target: Path) -> None:
    """Remove what a killed process left of this file, for a configuration holds keys; under the lock alone."""
    prefix = _prefix(target)
    for name in os.listdir(target.parent):  # noqa: PTH208 — a folder of thousands, of which names are enough
        if name.startswith(prefix) and name.endswith(PARTIAL):
            (target.parent / name).unlink(missing_ok=True)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Keep out whoever else writes by this module in the same folder."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
