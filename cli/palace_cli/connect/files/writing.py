"""Writing a configuration: whole or not at all, with its mode, and only if it is still what was looked at."""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from palace.errors import BadRequest
from palace.files.whole import refused, sync_folder
from palace_cli.connect.files.reading import ConfigFile, read

PARTIAL = ".partial"
"""What the name of a file ends in that is being written."""


class Changed(BadRequest):
    """Said of a file that somebody wrote to between looking and writing."""


def write(found: ConfigFile, data: bytes | None, *, is_private: bool) -> tuple[str, ...]:
    """Give a file other content, or take it away; return the folders that were made for it, innermost first.

    A new one is readable for its owner alone if ``is_private``, else as the person's files are.

    Raises:
        Changed: it is not any more as it was found.
        BadRequest: it cannot be written.
    """
    folders = _made_folders(found.target.parent)
    with refused(found.path), _alone(found.target.parent):
        _remove_left(found.target)
        _require_same(found)
        if data is None:
            _require_writable(found.target)
            found.target.unlink(missing_ok=True)
        else:
            _replace(found, data, is_private=is_private)
        sync_folder(found.target.parent)
    return folders


def remove_folders(folders: tuple[str, ...]) -> None:
    """Take away folders that were made for a file, where nothing else has come into them."""
    with suppress(OSError):
        for folder in folders:
            Path(folder).rmdir()


def _require_same(found: ConfigFile) -> None:
    """Make sure that a file is as it was found, and where it was.

    Raises:
        Changed: it is not.
    """
    if os.path.realpath(found.path) != str(found.target) or read(found.target).data != found.data:
        raise Changed(f"{found.path} was written to while it was looked at: nothing was changed, run it again")


def _require_writable(target: Path) -> None:
    if target.exists() and not os.access(target, os.W_OK):
        raise BadRequest(f"{target} is read-only: nothing was changed")


def _replace(found: ConfigFile, data: bytes, *, is_private: bool) -> None:
    target = found.target
    former = target.stat() if target.exists() else None
    _require_writable(target)
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
    """Take away what was left of this file by who was killed; a configuration holds keys. Only for who is alone."""
    prefix = _prefix(target)
    for name in os.listdir(target.parent):  # noqa: PTH208 — a folder of thousands, of which names are enough
        if name.startswith(prefix) and name.endswith(PARTIAL):
            (target.parent / name).unlink(missing_ok=True)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keep out whoever else writes by this function in the same folder."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _made_folders(folder: Path) -> tuple[str, ...]:
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    with refused(folder):
        folder.mkdir(parents=True, exist_ok=True)
    return tuple(map(str, missing))


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
