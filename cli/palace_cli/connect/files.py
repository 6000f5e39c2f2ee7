"""Configuration files: follow links, write atomically, and record the former content for undoing."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import stat
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from palace.config.folders import locked_folder, make_private, refused, sync_folder, written_whole
from palace.errors import BadRequest

LARGEST = 32 << 20
"""Bytes of a configuration, at most; a client that keeps its history in it has a few million."""
UNCHANGED = "nothing was changed"
PARTIAL = ".partial"
"""The file ending of a temporary file."""
FOLDER = "connections"


class Changed(BadRequest):
    """Another program changed the file between reading and writing."""


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """A file as it was read."""

    path: Path
    """The path that the client uses."""
    target: Path
    """The file after following all links."""
    data: bytes | None
    """None if the file does not exist."""

    @property
    def text(self) -> str:
        """Return the content; "" if the file does not exist.

        Raises:
            BadRequest: it is not UTF-8.
        """
        try:
            return (self.data or b"").decode("utf-8")
        except UnicodeDecodeError as problem:
            raise BadRequest(f"{self.path} is no UTF-8 text: {UNCHANGED}") from problem


def read(path: Path, *, within: Path | None = None) -> ConfigFile:
    """Read a configuration file; links are followed, but not out of the folder ``within``.

    Raises:
        BadRequest: it cannot be read, or is no regular file that could be replaced.
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
    """Replace the content of a file, or delete the file if ``data`` is None; folders are created as needed.

    A new file is readable by its owner alone if ``is_private``, else as the umask says.

    Raises:
        Changed: it is not any more as it was read.
        BadRequest: it cannot be written.
    """
    folder = found.target.parent
    with refused(folder):
        folder.mkdir(parents=True, exist_ok=True)
    with refused(found.path), locked_folder(folder):
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
    """Remove folders that were created for a file, if they are empty."""
    with suppress(OSError):
        for folder in folders:
            Path(folder).rmdir()


@dataclass(frozen=True, slots=True)
class Record:
    """A configuration before and after connecting, and the containers that were added around Palace's entries."""

    file: str
    before: bytes | None
    """None if the file did not exist."""
    after: str
    """Digest of the content after connecting."""
    made: frozenset[tuple[str, ...]]
    folders: tuple[str, ...] = ()
    """Folders that were created for it, innermost first."""

    def is_of(self, data: bytes | None) -> bool:
        """Check whether a file is unchanged since it was written."""
        return data is not None and digest(data) == self.after


class Records:
    """The records of changed configurations in a palace's home; private to its owner, because they may contain keys."""

    def __init__(self, home: Path) -> None:
        self.folder = home / FOLDER

    def find(self, target: Path) -> Record | None:
        """Return the record of a file; None if there is none, or it is unreadable."""
        with suppress(OSError, ValueError, KeyError, TypeError):
            kept = json.loads(self.path(target).read_text(encoding="utf-8"))
            before = None if kept["before"] is None else base64.b64decode(kept["before"], validate=True)
            made = frozenset(tuple(map(str, path)) for path in kept["made"])
            folders = tuple(map(str, kept["folders"]))
            return Record(str(kept["file"]), before, str(kept["after"]), made, folders)
        return None

    def keep(self, target: Path, record: Record) -> None:
        """Store the record of a file, replacing an older one.

        Raises:
            BadRequest: the home folder cannot be written to.
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
        """Delete the record of a file."""
        with suppress(OSError):
            self.path(target).unlink()

    def path(self, target: Path) -> Path:
        """Return the path of a file's record."""
        return self.folder / f"{digest(str(target).encode('utf-8', 'surrogateescape'))[:32]}.json"


def digest(data: bytes) -> str:
    """Return the SHA-256 of some bytes, in hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def _bytes(path: Path, target: Path) -> bytes | None:
    try:
        # Non-blocking, because opening a pipe without a writer would hang.
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
        # Syncing takes long enough for another program to write to the file.
        _require_same(found)
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


def _prefix(target: Path) -> str:
    return f".{target.name[:100]}."


def _remove_left(target: Path) -> None:
    """Remove temporary files of killed processes, since they may contain keys; only under the lock."""
    prefix = _prefix(target)
    for name in os.listdir(target.parent):  # noqa: PTH208 — a folder of thousands, of which names are enough
        if name.startswith(prefix) and name.endswith(PARTIAL):
            (target.parent / name).unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
