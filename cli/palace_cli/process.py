"""The process of a command: signals and standard streams before anything heavy is imported, and its end.

An interruption unwinds the command, so that transactions roll back and unfinished files go. Then the process ends at
once: an interpreter that shuts down under a thread of native code, such as one that loads the model, can abort.
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
"""How long an interrupted command may take to unwind; then it is left as if it had been killed, which loses nothing."""

IMPATIENCE_SECONDS = 1.0
"""A second interruption within this time is the same one; a later one no longer waits."""

LINES = {
    signal.SIGINT: "interrupted: nothing is half done, the same command again goes on",
    signal.SIGTERM: "terminated: nothing is half done, the same command again goes on",
    signal.SIGHUP: "hung up: nothing is half done, the same command again goes on",
}


class Interrupted(KeyboardInterrupt):
    """Raised in the main thread by the first signal that asks the program to end."""


class _Ending:
    """Which signal asked for the end, and when."""

    by: signal.Signals | None = None
    since = 0.0


def main(run: Callable[[], None]) -> NoReturn:
    """Do what ``run`` does, the command line, and end the process."""
    watch_signals()
    _open_closed_streams()
    code = 1
    try:
        run()
    except SystemExit as ending:
        code = ending.code if isinstance(ending.code, int) else int(bool(ending.code))
    except BaseException:  # noqa: BLE001 — a bug keeps its traceback, but the process still has to be left
        # Interrupted in the middle of an import, a library may turn the interruption into any other error.
        if not is_interrupted():
            sys.excepthook(*sys.exc_info())
    leave(code)


def is_interrupted() -> bool:
    """Whether a signal has asked the program to end: whatever fails from then on fails for that."""
    return _Ending.by is not None


def watch_signals() -> None:
    """Take on the signals that ask a program to end, but for those that whoever started it has it ignore."""
    for number in LINES:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _interrupt)


def leave(code: int) -> NoReturn:
    """End the process with a code, or with the signal's where one came; nothing is run any more but this."""
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
    """Have spans and figures exported, where somebody observes: the process is left before anything does by itself."""
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
    """Have nobody else speak of the interruption: it comes up where libraries log it, or cannot raise it."""
    sys.unraisablehook = lambda _: None
    threading.excepthook = lambda _: None
    if "logging" in sys.modules:
        import logging

        logging.disable(logging.CRITICAL)


def _leave_in_time(by: signal.Signals) -> None:
    sleep(GRACE_SECONDS)
    _leave_interrupted(by)


def _leave_interrupted(by: signal.Signals) -> NoReturn:
    """Say so in one line and end, past Python's streams: whatever was interrupted may be writing to them."""
    with suppress(OSError):
        # A progress bar hides the cursor and may have had no time to show it again.
        os.write(2, (b"\x1b[?25h" if os.isatty(2) else b"") + f"palace: {LINES[by]}\n".encode())
    os._exit(128 + by)


def _open_closed_streams() -> None:
    """Put something in place of standard streams that were closed, before a file or a socket takes their number.

    Nothing comes from such an input; such an output refuses what is written, as a closed one does.
    """
    for number, (name, mode, flags) in enumerate(
        (("stdin", "r", os.O_RDONLY), ("stdout", "w", os.O_RDONLY), ("stderr", "w", os.O_WRONLY))
    ):
        if getattr(sys, name) is None:
            # The lowest free number is given out, so each lands on its own.
            os.open(os.devnull, flags)
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8", errors="backslashreplace", closefd=False))
