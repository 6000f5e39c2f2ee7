"""The process of a command: signals and standard streams before any heavy import, and its exit.

An interruption unwinds the command, so that transactions roll back and unfinished files are removed. Then the process
exits at once: an interpreter that shuts down while a thread runs native code, such as loading the model, can abort.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from time import monotonic, sleep
from types import FrameType
from typing import NoReturn

GRACE_SECONDS = 10.0
"""Seconds for an interrupted command to unwind; then it is abandoned as if it had been killed, which loses nothing."""

IMPATIENCE_SECONDS = 1.0
"""A second interruption within these seconds is ignored; a later one ends the process at once."""

M_ARENA_MAX = -8
"""From glibc's ``malloc.h``; other C libraries have no such limit."""

LINES = {
    signal.SIGINT: "interrupted: nothing is half done, the same command again goes on",
    signal.SIGTERM: "terminated: nothing is half done, the same command again goes on",
    signal.SIGHUP: "hung up: nothing is half done, the same command again goes on",
}


class Interrupted(KeyboardInterrupt):
    """Raised in the main thread by the first signal to end the program."""


class _Ending:
    """The signal that asked for the end, and its time."""

    by: signal.Signals | None = None
    since = 0.0


def main(run: Callable[[], None]) -> NoReturn:
    """Run the command line, and exit the process."""
    watch_signals()
    _open_closed_streams()
    code = 1
    try:
        run()
    except SystemExit as ending:
        code = ending.code if isinstance(ending.code, int) else int(bool(ending.code))
    except BaseException:  # noqa: BLE001 — a bug keeps its traceback, but the process still has to be left
        # During an import, a library may turn the interruption into any other error.
        if not is_interrupted():
            sys.excepthook(*sys.exc_info())
    leave(code)


def save_memory_for_mining() -> None:
    """Let all threads of this process share two heaps of the C library, and let numpy compute in one thread.

    Mining then takes 40 MB and a third of the parser's time less. To be called before numpy is imported, which reads
    its number of threads then.
    """
    import ctypes

    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, 2)


def is_interrupted() -> bool:
    """Return whether a signal asked the program to end, which then explains any failure."""
    return _Ending.by is not None


def watch_signals() -> None:
    """Install handlers for the signals that end a program, except for ignored ones."""
    for number in LINES:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _interrupt)


def leave(code: int) -> NoReturn:
    """Exit the process with a code, or with that of the signal; no other cleanup runs."""
    for number in LINES:
        signal.signal(number, signal.SIG_IGN)
    if _Ending.by is not None:
        _leave_interrupted(_Ending.by)
    _flush_observed()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            code = code or 1
    os._exit(code)


def _flush_observed() -> None:
    """Export pending telemetry, because the process exits without running exit handlers."""
    if "opentelemetry" in sys.modules and "palace.telemetry.api" in sys.modules:
        from palace.telemetry.api import flush

        flush()


def _interrupt(number: int, _: FrameType | None) -> None:
    if _Ending.by is not None:
        if monotonic() - _Ending.since > IMPATIENCE_SECONDS:
            _leave_interrupted(_Ending.by)
        return
    _Ending.by, _Ending.since = signal.Signals(number), monotonic()
    _be_silent()
    threading.Thread(target=_leave_in_time, args=(_Ending.by,), daemon=True).start()
    raise Interrupted


def _be_silent() -> None:
    """Silence everything else, since libraries may log the interruption or fail to raise it."""
    sys.unraisablehook = lambda _: None
    threading.excepthook = lambda _: None
    if "logging" in sys.modules:
        import logging

        logging.disable(logging.CRITICAL)


def _leave_in_time(by: signal.Signals) -> None:
    sleep(GRACE_SECONDS)
    _leave_interrupted(by)


def _leave_interrupted(by: signal.Signals) -> NoReturn:
    """Report the interruption and exit, without Python's streams, which may be in use."""
    with suppress(OSError):
        # A progress bar hides the cursor and may have had no time to show it again.
        os.write(2, (b"\x1b[?25h" if os.isatty(2) else b"") + f"palace: {LINES[by]}\n".encode())
    os._exit(128 + by)


def _open_closed_streams() -> None:
    """Open /dev/null for closed standard streams, before a file or a socket gets their number.

    Reading from it gives nothing; writing to it fails, as to a closed stream.
    """
    for number, (name, mode, flags) in enumerate(
        (("stdin", "r", os.O_RDONLY), ("stdout", "w", os.O_RDONLY), ("stderr", "w", os.O_WRONLY))
    ):
        if getattr(sys, name) is None:
            # open() returns the lowest free number, so each stream gets its own.
            os.open(os.devnull, flags)
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8", errors="backslashreplace", closefd=False))
