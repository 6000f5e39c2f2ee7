"""Opening it in a terminal of its own: when something is painted, and when the tree can be used."""

from __future__ import annotations

import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from contextlib import suppress
from dataclasses import dataclass
from fcntl import ioctl
from pathlib import Path

PATIENCE_SECONDS = 60.0
COLUMNS, LINES = 120, 40
PAINTED = b"Opening the palace"


@dataclass(frozen=True, slots=True)
class Opened:
    """Seconds from the start of the process."""

    first_paint: float
    usable: float


def open_once(home: Path, user: str, wing: str) -> Opened:
    """Open a palace, wait until the beginning of a wing's name is on the screen, and leave.

    Raises:
        TimeoutError: it never is.
    """
    began = time.perf_counter()
    process, terminal = pty.fork()
    if process == 0:
        os.environ.update(PALACE_HOME=str(home), TERM="xterm-256color", COLORTERM="truecolor")
        program = str(Path(sys.executable).with_name("palace"))
        os.execv(program, [program, "browse", "--user", user])
    ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
    try:
        return _watch(terminal, began, wing.encode()[:12])
    finally:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        os.close(terminal)


def _watch(terminal: int, began: float, name: bytes) -> Opened:
    written, painted = b"", 0.0
    while time.perf_counter() - began < PATIENCE_SECONDS:
        if not select.select([terminal], [], [], 0.01)[0]:
            continue
        with suppress(OSError):
            written += os.read(terminal, 65_536)
        now = time.perf_counter() - began
        if not painted and PAINTED in written:
            painted = now
        if name in written:
            return Opened(painted or now, now)
    raise TimeoutError(f"{name!r} was not painted in {PATIENCE_SECONDS} s: {written[-300:]!r}")
