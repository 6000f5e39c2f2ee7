"""The socket of a home: where it lies, and claiming it; one worker at a time has it.

The claim is a lock on a file beside the socket, which the system gives up with the process; a socket without it is
stale. It is bound under another name and renamed, so that nobody ever finds one that does not listen.
``palace_hook.asking`` finds it in a program that may import nothing.
"""

from __future__ import annotations

import fcntl
import os
import socket
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

NAME, NEW, LOCK = "hooks.sock", "hooks.new", "hooks.lock"
LONGEST = 100
"""Bytes of the socket's path; every system takes a few more."""
WAITING = 16
"""Hooks that may wait to be taken on; the next are turned away, and answered by a process of their own."""
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


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
        """Return whether the socket at the path is still this one: somebody may have cleared the folder."""
        try:
            return os.path.samestat(self.path.lstat(), self._bound)
        except OSError:
            return False


def find_socket(home: Path) -> Path | None:
    """Find the socket of a home; None where there is none that is certainly this account's own."""
    for folder in _folders(home):
        if _is_own(folder, stat.S_ISDIR) and _is_own(folder / NAME, stat.S_ISSOCK):
            return folder / NAME
    return None


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


def _folders(home: Path) -> list[Path]:
    """Return the folders that the socket may lie in: in the home, if its path is short, or outside.

    Outside is for homes with long paths, or on file systems that take no sockets or locks.
    """
    account = os.geteuid()
    runtime = Path(f"/run/user/{account}")
    known = sha256(os.fsencode(os.path.realpath(home))).hexdigest()[:12]
    around = runtime if _is_own(runtime, stat.S_ISDIR) else Path("/tmp")  # noqa: S108 - looked at before it is used
    folders = (home / "hooks", around / f"palace-hooks-{account}-{known}")
    return [folder for folder in folders if len(os.fsencode(folder / NAME)) <= LONGEST]


def _taken(home: Path) -> tuple[int | None, Claim | None]:
    """Take lock and socket in the first folder that takes both; neither where another process has them."""
    refusals = []
    for folder in _folders(home):
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
    if not _is_own(folder, stat.S_ISDIR):
        raise Unusable(f"{folder} is not a private folder of this account")


def _lock(path: Path) -> int | None:
    """Open and lock a file; None where somebody else has it, or it was removed meanwhile and locks nothing."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    is_locked = False
    try:
        if not _is_own(path, stat.S_ISREG):
            raise Unusable(f"{path} is not a file of this account alone")
        with suppress(BlockingIOError):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            is_locked = os.path.samestat(os.fstat(descriptor), path.lstat())
    finally:
        if not is_locked:
            os.close(descriptor)
    return descriptor if is_locked else None


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


def _is_own(path: Path, is_kind: Callable[[int], bool]) -> bool:
    """Return whether something is of a kind, not behind a link, this account's, and closed to all others."""
    try:
        found = path.lstat()
    except (OSError, ValueError):
        return False
    return is_kind(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & _OTHERS
