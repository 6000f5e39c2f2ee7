"""Answer in a child process, which may hang or crash without the host noticing."""

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
"""Seconds reserved for killing a child that did not answer."""
IMPORT_FAILED = 3


def answer_in_child(request: dict[str, object], home: str, deadline: float) -> str:
    """Return the child process's answer; "" if there is none in time, which is logged."""
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
    # With a note left nothing was lost: the worker that is started now mines it.
    if not (code == "timeout" and request.get("left")):
        note_failure(home, request.get("event"), request.get("harness"), code, "client")
    if code == "timeout":
        _wake_later()
    return ""


def _answer(request: dict[str, object], writing: int, deadline: float) -> NoReturn:
    """Answer in the child process, then start a worker for the next hook; its output does not reach the host."""
    try:
        nothing = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(nothing, number)
        import gc
        from importlib import import_module

        gc.disable()
        # Imported by name, because this package must not depend on Palace.
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
    """Read one whole answer; None if it breaks off or takes too long."""
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
    """Kill the child process if needed, and return a code for its end."""
    ended, status = os.waitpid(child, os.WNOHANG)
    for _ in range(20):
        if ended:
            break
        # The pipe closes a moment before the process ends.
        select.select((), (), (), 0.001)
        ended, status = os.waitpid(child, os.WNOHANG)
    if not ended:
        os.kill(child, 9)
        return "timeout"
    # A successful child was just too late.
    return {0: "timeout", IMPORT_FAILED: "import_failed"}.get(os.waitstatus_to_exitcode(status), "broke_off")


def _wake_later() -> None:
    """Start a worker in a detached process, so that the next hook is answered by it."""
    actions = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (0, 1, 2)]
    # A hook runs in a project's folder: -P keeps modules there from being imported in place of Palace.
    command = [sys.executable, "-P", "-m", "palace.worker.starting"]
    os.posix_spawn(sys.executable, command, os.environ, file_actions=actions, setsid=True)
