"""A worker that starts by itself, ends when the queue is empty, and stays longer where hooks come.

It releases its lock before its last look at the queue, and a program that enqueues commits before it looks at the lock:
so at least one of them sees the other.
"""

from __future__ import annotations

import fcntl
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from palace.config.settings import load_settings
from palace.errors import PalaceError
from palace.telemetry.logs import write_log
from palace.worker.runner import Until, Worker
from palace.worker.starting import FOR_HOOKS, held


def main() -> None:
    """Work until nothing is to do; end at once if another worker is at work, or when the server goes away."""
    write_log(as_json=True)
    words = sys.argv[1:]
    settings, inherited = load_settings(), [int(word) for word in words if word != FOR_HOOKS]
    worker = Worker(settings)
    worker.serve_hooks(linger=settings.hook_linger_seconds, expected=FOR_HOOKS in words)
    with suppress(PalaceError):
        while True:
            with _taken_on(inherited.pop()) if inherited else held(settings, fcntl.LOCK_EX) as lock:
                if lock is None:
                    return
                worker.run(Until.EMPTY)
            last = worker.run(Until.DONE)
            if not last.done and not worker.mined_left:
                return


@contextmanager
def _taken_on(lock: int) -> Iterator[int | None]:
    """Hold the lock that was inherited from the process that started this one."""
    try:
        yield lock
    finally:
        os.close(lock)


if __name__ == "__main__":
    main()
