"""A worker that starts with the first job and ends with the queue, where no other lives; on the embedded server alone.

Who works holds a lock in the home: workers that people start share it, a detached one has it alone. It gives the lock
up before it looks a last time, and who enqueues commits before looking at the lock: one of them sees the other.
"""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from palace.errors import PalaceError
from palace.settings import Settings, load_settings
from palace.telemetry.logs import write_log
from palace.worker.runner import Until, Worker

LOCK, LOG = "worker.lock", "worker.log"


def ensure_worker(settings: Settings) -> bool:
    """Start a detached worker unless one lives or the settings say no; tell whether one was started. Never waits."""
    if settings.database_url or not settings.worker_starts:
        return False
    with suppress(OSError), _held(settings, fcntl.LOCK_EX) as lock:
        if lock is not None:
            _start(settings, lock)
            return True
    return False


@contextmanager
def present(settings: Settings) -> Iterator[None]:
    """Be there as a worker that somebody started, so that none is started beside it."""
    if settings.database_url or not settings.home_folder.is_dir():
        yield
        return
    with _held(settings, fcntl.LOCK_SH):
        yield


def main() -> None:
    """Work until nothing is to do; end at once where another is at work, and where the server goes away."""
    write_log(as_json=True)
    settings, inherited = load_settings(), [int(word) for word in sys.argv[1:]]
    worker = Worker(settings)
    with suppress(PalaceError):
        while True:
            with _taken_on(inherited.pop()) if inherited else _held(settings, fcntl.LOCK_EX) as lock:
                if lock is None:
                    return
                worker.run(Until.EMPTY)
            last = worker.run(Until.DONE)
            if not last.done and not worker.mined_left:
                return


def _start(settings: Settings, lock: int) -> None:
    """Start a worker that has the lock from its beginning, so that no second one is started meanwhile."""
    with open(settings.home_folder / LOG, "ab", opener=_open_private) as log:
        subprocess.Popen(
            [sys.executable, "-m", "palace.worker.detached", str(lock)],
            env=os.environ | variables_of(settings),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd="/",
            start_new_session=True,
            pass_fds=(lock,),
        )


def variables_of(settings: Settings) -> dict[str, str]:
    """Write settings as the environment of a worker.

    A user without a person is left out: the one that the process knows is the person of the process's own user.
    """
    names = set(settings.model_fields_set) - ({"user"} if settings.person is None else set())
    told = settings.model_dump(mode="json", include=names, exclude_none=True)
    given = {
        f"PALACE_{name.upper()}": value if isinstance(value, str) else json.dumps(value) for name, value in told.items()
    }
    return given | {"PALACE_HOME": str(settings.home_folder)}


@contextmanager
def _held(settings: Settings, kind: int) -> Iterator[int | None]:
    """Hold the lock of a home for a block, or for as long as somebody has its number; None where it is taken."""
    with open(Path(settings.home_folder, LOCK), "ab", opener=_open_private) as lock:
        try:
            fcntl.flock(lock, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            yield None
            return
        yield lock.fileno()


@contextmanager
def _taken_on(lock: int) -> Iterator[int | None]:
    """Hold the lock that whoever started this process took."""
    try:
        yield lock
    finally:
        os.close(lock)


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


if __name__ == "__main__":
    main()
