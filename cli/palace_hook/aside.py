"""Answering in a process beside the one that the host waits for: it may hang or break, and nobody notices."""

from __future__ import annotations

import os
import select
import sys
from time import monotonic

from palace_hook.asking import LARGEST, LENGTH
from palace_hook.notes import note_failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

RESERVE_SECONDS = 0.06
"""What it takes to end what did not answer."""
IMPORT_FAILED = 3


def answer_aside(request: dict[str, object], home: str, deadline: float) -> str:
    """Give what a process of its own answers until then; "" where it does not, which is noted."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _answer(request, writing, deadline)
    os.close(writing)
    out = _read(reading, deadline - RESERVE_SECONDS)
    if out is not None:
        return out
    code = _end(child)
    # What was left is mined by the worker that is started now: nothing was lost.
    if not (code == "timeout" and request.get("left")):
        note_failure(home, request.get("event"), request.get("harness"), code, "client")
    if code == "timeout":
        _wake_later()
    return ""


def _answer(request: dict[str, object], writing: int, deadline: float) -> NoReturn:
    """Answer in the process beside, and see that the next one finds a worker; nothing of it comes to the host."""
    try:
        nothing = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(nothing, number)
        import gc
        from importlib import import_module

        gc.disable()
        # By name: this package stands below Palace, which builds on it.
        palace = import_module("palace.hooks.cold")
        out = palace.answer(request, deadline - RESERVE_SECONDS - monotonic()).encode("utf-8", "replace")
        left = memoryview(len(out).to_bytes(LENGTH, "big") + out)
        while left:
            left = left[os.write(writing, left) :]
        os.close(writing)
        import_module("palace.worker.starting").main()
    except ImportError:
        os._exit(IMPORT_FAILED)
    except BaseException:  # noqa: BLE001 — what it was is told by the parent, in one word
        os._exit(1)
    os._exit(0)


def _read(reading: int, deadline: float) -> str | None:
    """Read one answer whole; None where it breaks off or takes too long."""
    got = b""
    poll = select.poll()
    poll.register(reading, select.POLLIN)
    while len(got) <= LARGEST:
        if not poll.poll(max(0.0, deadline - monotonic()) * 1000):
            return None
        part = os.read(reading, 1 << 16)
        got += part
        size = int.from_bytes(got[:LENGTH], "big")
        if len(got) >= LENGTH + size and len(got) >= LENGTH:
            return got[LENGTH : LENGTH + size].decode("utf-8", "replace")
        if not part:
            return None
    return None


def _end(child: int) -> str:
    """End the process beside and say what became of it."""
    ended, status = os.waitpid(child, os.WNOHANG)
    for _ in range(20):
        if ended:
            break
        # A pipe that broke off is there a moment before the end is.
        select.select((), (), (), 0.001)
        ended, status = os.waitpid(child, os.WNOHANG)
    if not ended:
        os.kill(child, 9)
        return "timeout"
    # One that ended well was done a moment too late.
    return {0: "timeout", IMPORT_FAILED: "import_failed"}.get(os.waitstatus_to_exitcode(status), "broke_off")


def _wake_later() -> None:
    """Have a worker started by a process that nobody waits for: where this one was too slow, the next is to be warm."""
    actions = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (0, 1, 2)]
    # A hook runs in the folder of a project: -P keeps what lies there from being imported in the place of Palace.
    command = [sys.executable, "-P", "-m", "palace.worker.starting"]
    os.posix_spawn(sys.executable, command, os.environ, file_actions=actions, setsid=True)
