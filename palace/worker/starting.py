"""Starting a detached worker with the first job, or the first hook, where no worker is running.

This is for the embedded server alone. Workers hold a lock in the home: those that people start share it, a detached one
holds it exclusively. This module imports little: a process that starts a worker may be in a hurry.
"""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from palace.config.settings import Settings, load_settings
from palace.errors import PalaceError

LOCK, LOG = "worker.lock", "worker.log"
FOR_HOOKS = "hooks"
"""Argument of a worker that is started for hooks to come."""


def ensure_worker(settings: Settings, *, for_hooks: bool = False) -> bool:
    """Start a detached worker unless one runs or the settings forbid it; return whether one was started. Never waits.

    One that is started ``for_hooks`` loads what recall needs at once, and stays a while though nothing is to do.
    """
    if settings.database_url or not settings.worker_starts:
        return False
    with suppress(OSError), held(settings, fcntl.LOCK_EX) as lock:
        if lock is not None:
            _start(settings, lock, for_hooks=for_hooks)
            return True
    return False


@contextmanager
def present(settings: Settings) -> Iterator[None]:
    """Hold the shared lock of a worker that a person started, so that no detached one starts beside it.

    In a home that is not writable none can start at all.
    """
    with ExitStack() as there:
        if not settings.database_url and settings.home_folder.is_dir():
            with suppress(OSError):
                there.enter_context(held(settings, fcntl.LOCK_SH))
        yield


def _start(settings: Settings, lock: int, *, for_hooks: bool) -> None:
    """Start a worker that inherits the lock, so that no second one is started meanwhile."""
    told = [FOR_HOOKS] if for_hooks else []
    with open(settings.home_folder / LOG, "ab", opener=_open_private) as log:
        subprocess.Popen(
            [sys.executable, "-P", "-m", "palace.worker.detached", str(lock), *told],
            env={"MALLOC_ARENA_MAX": "2", "OPENBLAS_NUM_THREADS": "1"} | os.environ | variables_of(settings),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd="/",
            start_new_session=True,
            pass_fds=(lock,),
        )


def variables_of(settings: Settings) -> dict[str, str]:
    """Return settings as environment variables for a worker.

    The user is left out unless a person is set: otherwise the process's own person would be taken for theirs.
    """
    names = set(settings.model_fields_set) - ({"user"} if settings.person is None else set())
    told = settings.model_dump(mode="json", include=names, exclude_none=True)
    given = {
        f"PALACE_{name.upper()}": value if isinstance(value, str) else json.dumps(value) for name, value in told.items()
    }
    return given | {"PALACE_HOME": str(settings.home_folder)}


@contextmanager
def held(settings: Settings, kind: int) -> Iterator[int | None]:
    """Hold the lock of a home for a block, or as long as a process inherits it; yield its descriptor, None if taken."""
    with open(Path(settings.home_folder, LOCK), "ab", opener=_open_private) as lock:
        try:
            fcntl.flock(lock, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            yield None
            return
        yield lock.fileno()


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def main() -> None:
    """Start a worker for hooks; for processes that cannot afford to import even this module."""
    with suppress(PalaceError):
        ensure_worker(load_settings(), for_hooks=True)


if __name__ == "__main__":
    main()
