"""The hook socket of a home: claim it for one worker at a time, and ask who answers on it.

The claim is a lock on a file beside the socket, which the system releases with the process; a socket without it is
stale. The socket is bound under another name and renamed, so that nobody finds one that does not listen yet.
``palace_hook.asking`` defines its path.
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
from time import monotonic
from typing import NamedTuple

from palace_hook import PROTOCOL, VERSION
from palace_hook.asking import LONGEST, NAME, exchange, find_socket, inside, is_own, outside

NEW, LOCK = "hooks.new", "hooks.lock"
WAITING = 16
"""Backlog of connections; further hooks are refused, and answer in a process of their own."""


LOOK_SECONDS = 1.0


class Look(NamedTuple):
    """The result of probing a home's socket."""

    path: Path
    problem: str = ""
    """Why the worker there cannot be used, in words; "" if it answers."""
    milliseconds: float = 0.0
    """How long the answer took."""
    answered: int = 0
    """Hooks answered since the worker started."""


def look(home: Path) -> Look | None:
    """Ping the worker of a home, which does not count as a hook; None where there is no socket."""
    found = find_socket(str(home))
    if found is None:
        return None
    path, began = Path(found), monotonic()
    try:
        told = exchange(found, {"v": PROTOCOL, "ping": True}, LOOK_SECONDS, LOOK_SECONDS)
    except ConnectionRefusedError:
        return Look(path, "its worker is gone")
    except (OSError, ValueError, RecursionError):
        told = None
    if not isinstance(told, dict):
        return Look(path, f"nobody answers within {LOOK_SECONDS:g} s")
    version, answered = told.get("version"), told.get("answered")
    if version != VERSION:
        shown = version[:20] if isinstance(version, str) and version.isprintable() else "unknown"
        return Look(path, f"its worker is of another version of Palace ({shown})")
    return Look(path, "", (monotonic() - began) * 1000, answered if isinstance(answered, int) else 0)


class Unusable(OSError):
    """No folder of this home is safe for a socket."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A socket that this process listens on."""

    path: Path
    listener: socket.socket
    _bound: os.stat_result

    @property
    def stands(self) -> bool:
        """Return whether the socket at the path is still this one; the folder may have been cleared."""
        try:
            return os.path.samestat(self.path.lstat(), self._bound)
        except OSError:
            return False


@contextmanager
def claimed(home: Path) -> Iterator[Claim | None]:
    """Listen on a home's socket during a block; yield None if another process has it.

    Raises:
        Unusable: no folder is safe for one.
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
    """Take lock and socket in the first usable folder; return None for both if another process has them."""
    refusals = []
    for folder in (Path(inside(str(home))), Path(outside(str(home)))):
        if len(os.fsencode(folder / NAME)) > LONGEST:
            continue
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
    """Create a folder for this account alone; close one of its own that others can enter.

    Raises:
        OSError: something else is at the path, or the folder belongs to another account.
    """
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and found.st_mode & 0o077:
        folder.chmod(0o700)
    if not is_own(str(folder), stat.S_ISDIR):
        raise Unusable(f"{folder} is not a private folder of this account")


def _lock(path: Path) -> int | None:
    """Open and lock a file; return None if another process has locked it, or it was replaced meanwhile."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    is_locked = False
    try:
        if not is_own(str(path), stat.S_ISREG):
            raise Unusable(f"{path} is not a file of this account alone")
        with suppress(BlockingIOError):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            is_locked = os.path.samestat(os.fstat(descriptor), path.lstat())
    finally:
        if not is_locked:
            os.close(descriptor)
    return descriptor if is_locked else None


def _bound(folder: Path) -> Claim:
    """Bind a socket in a folder, replacing a stale one; the caller holds the lock.

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
