"""Starting a worker that is nobody's: with the first job, or the first hook, where no other lives.

That is on the embedded server alone. Who works holds a lock in the home: workers that people start share it, a detached
one has it alone. Nothing of the work is imported here: whoever starts a worker may have little time.
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
"""Said to a worker that is started for the hooks to come."""


def ensure_worker(settings: Settings, *, for_hooks: bool = False) -> bool:
    """Start a detached worker unless one lives or the settings say no; tell whether one was started. Never waits.

    One that is started ``for_hooks`` loads what recall takes at once, and stays a while although nothing is to do.
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
    """Be there as a worker that somebody started, so that none is started beside it.

    In a home that cannot be written to none can be started at all.
    """
    with ExitStack() as there:
        if not settings.database_url and settings.home_folder.is_dir():
            with suppress(OSError):
                there.enter_context(held(settings, fcntl.LOCK_SH))
        yield


def _start(settings: Settings, lock: int, *, for_hooks: bool) -> None:
    """Start a worker that has the lock from its beginning, so that no second one is started meanwhile."""
    told = [FOR_HOOKS] if for_hooks else []
    with open(settings.home_folder / LOG, "ab", opener=_open_private) as log:
        subprocess.Popen(
            [sys.executable, "-P", "-m", "palace.worker.detached", str(lock), *told],
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
def held(settings: Settings, kind: int) -> Iterator[int | None]:
    """Hold the lock of a home for a block, or for as long as somebody has its number; None where it is taken."""
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
    """Start one for hooks, for whoever has no time to import even this."""
    with suppress(PalaceError):
        ensure_worker(load_settings(), for_hooks=True)


if __name__ == "__main__":
    main()
