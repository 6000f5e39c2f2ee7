"""Claiming the socket of a home: one worker at a time has it, and takes it over from one that is gone.

The claim is a lock on a file beside the socket, which the system gives up with the process; a socket without it is
stale. It is bound under another name and renamed, so that nobody ever finds one that does not listen.
"""

from __future__ import annotations

import fcntl
import os
import socket
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from palace.hooks.serving.place import LOCK, NAME, NEW, folders, is_own

WAITING = 16
"""Hooks that may wait to be taken on; the next are turned away, and answered by a process of their own."""


class Unusable(OSError):
    """No folder of this home takes a socket that is safe."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A socket that is listened on here."""

    path: Path
    listener: socket.socket
    _bound: os.stat_result

    @property
    def stands(self) -> bool:
        """Whether the socket at the path is still this one: somebody may have cleared the folder."""
        try:
            return os.path.samestat(self.path.lstat(), self._bound)
        except OSError:
            return False


@contextmanager
def claimed(home: Path) -> Iterator[Claim | None]:
    """Listen on a home's socket for a block; None where another process has it.

    Raises:
        Unusable: there is no place for one.
    """
    lock, claim = _taken(home)
    try:
        yield claim
    finally:
        if claim is not None:
            if claim.stands:
                with suppress(OSError):
                    claim.path.unlink()
            claim.listener.close()
        if lock is not None:
            os.close(lock)


def _taken(home: Path) -> tuple[int | None, Claim | None]:
    """Take lock and socket in the first folder that takes both; neither where another process has them."""
    refusals = []
    for folder in folders(home):
        lock = None
        try:
            _make_private(folder)
            lock = _lock(folder / LOCK)
            return lock, _bound(folder) if lock is not None else None
        except OSError as problem:
            if lock is not None:
                os.close(lock)
            refusals.append(f"{folder}: {problem.strerror or problem}")
    raise Unusable("; ".join(refusals) or f"the path of {home} is too long")


def _make_private(folder: Path) -> None:
    """Make a folder for this account alone; one of its own that others can enter is closed to them.

    Raises:
        OSError: something else is in its place.
    """
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and found.st_mode & 0o077:
        folder.chmod(0o700)
    if not is_own(folder, stat.S_ISDIR):
        raise Unusable(f"{folder} is not a private folder of this account")


def _lock(path: Path) -> int | None:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        if not is_own(path, stat.S_ISREG):
            raise Unusable(f"{path} is not a file of this account alone")
        if _is_taken(descriptor, path):
            os.close(descriptor)
            return None
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def _is_taken(descriptor: int, path: Path) -> bool:
    """Lock an open file, unless somebody else has it; one that was removed meanwhile locks nothing."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    return not os.path.samestat(os.fstat(descriptor), path.lstat())


def _bound(folder: Path) -> Claim:
    """Bind a socket in a folder, in the place of a stale one; the lock is held.

    Raises:
        OSError: the system refuses.
    """
    new, path = folder / NEW, folder / NAME
    new.unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        listener.bind(str(new))
        new.chmod(0o600)
        listener.listen(WAITING)
        bound = new.lstat()
        new.replace(path)
    except OSError:
        listener.close()
        raise
    return Claim(path, listener, bound)
