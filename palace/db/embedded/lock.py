"""Advisory file locks: which process may start or stop the server, and whether one still runs.

``flock`` belongs to an open file, not to a process: a lock inherited by a child lives exactly as long as the child and
its forks. The server inherits such a lock, so checking whether any of it still runs needs no process id, which may be
stale, reused, a zombie's or another container's.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from palace.errors import EmbeddedServerError

POLL_SECONDS = 0.02


class LockTaken(EmbeddedServerError):
    """Another process kept a lock for longer than its caller waits."""


def take(path: Path, *, shared: bool = False) -> int | None:
    """Lock a file, creating it; return the descriptor that holds the lock, or None if another process has it.

    The file must be in a folder that only this account can write to. OSError is passed on, for a filesystem without
    locks.
    """
    return _locked(path, os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600), shared)


def release(descriptor: int) -> None:
    """Unlock and close a descriptor; copies of it in forked processes hold nothing afterwards."""
    fcntl.flock(descriptor, fcntl.LOCK_UN)
    os.close(descriptor)


def is_held(path: Path) -> bool:
    """Check whether another process holds a file exclusively; False when there is no such file."""
    try:
        descriptor = _locked(path, os.open(path, os.O_RDWR | os.O_CLOEXEC), shared=True)
    except FileNotFoundError:
        return False
    if descriptor is None:
        return True
    release(descriptor)
    return False


@contextmanager
def hold(path: Path, *, seconds: float, shared: bool = False) -> Iterator[None]:
    """Hold the lock for a block of code.

    Raises:
        LockTaken: another process kept it for all of ``seconds``.
    """
    deadline = time.monotonic() + seconds
    while (descriptor := take(path, shared=shared)) is None:
        if time.monotonic() >= deadline:
            raise LockTaken(
                f"another process has been starting or stopping the embedded server for {seconds:g} s: "
                f"try again, or end the process that holds {path}"
            )
        time.sleep(POLL_SECONDS)
    try:
        yield
    finally:
        release(descriptor)


def _locked(path: Path, descriptor: int, shared: bool) -> int | None:
    try:
        fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    except OSError as problem:
        os.close(descriptor)
        raise OSError(problem.errno, problem.strerror, str(path)) from problem
    return descriptor
