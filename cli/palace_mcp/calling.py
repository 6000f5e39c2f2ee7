"""Calls of tools: the palace opened once, each call in a thread and within its time, and every failure in one line."""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from pathlib import Path
from threading import Lock, Thread
from typing import TYPE_CHECKING, TypeVar

from palace.cancellation import Cancellation, ended_by
from palace.errors import PalaceError
from palace.telemetry.logs import tell

if TYPE_CHECKING:
    from palace.api.palace import Palace

T = TypeVar("T")

UNKNOWN = "something went wrong inside Palace; what it was stands in the server's log"
"""What a model is told of a fault of ours: nothing of what it was working on is in it."""
ENDING_SECONDS = 2.0
"""How long a call whose time is over may take to end: what it comes to by then counts."""
MOST_AT_ONCE = 16
"""Calls that are worked on at once; others wait, within their own time. A pool of connections has 25."""

_log = logging.getLogger("palace.mcp")


class Opening:
    """Opens the one palace of all calls with the first of them; safe to share between threads.

    It opens in a thread of its own: a call that is cancelled, or has no more time, leaves it to those that come.
    """

    def __init__(self, opens: Callable[[], Palace]) -> None:
        self._opens = opens
        self._lock = Lock()
        self._opened: Future[Palace] | None = None

    def palace(self) -> Palace:
        """Return the palace, opening it where it is not.

        Raises:
            PalaceError: it cannot be opened; the next call tries again.
        """
        with self._lock:
            if self._opened is None or _has_failed(self._opened):
                self._opened = Future()
                Thread(target=self._open, args=(self._opened,), name="palace-mcp-open", daemon=True).start()
            opened = self._opened
        return opened.result()

    def close(self) -> None:
        """Close the palace, if it is open; one that is still opening is closed when it is."""
        with self._lock:
            opened = self._opened
        if opened is not None:
            opened.add_done_callback(_close)

    def _open(self, waiting: Future[Palace]) -> None:
        try:
            waiting.set_result(self._opens())
        except BaseException as problem:  # noqa: BLE001 — whoever waits is told, whatever it is
            waiting.set_exception(problem)


def _has_failed(opened: Future[Palace]) -> bool:
    return opened.done() and opened.exception() is not None


def _close(opened: Future[Palace]) -> None:
    if not _has_failed(opened):
        opened.result().close()


class Failed(Exception):
    """A call failed; its message is the one line that the model is told."""


class Caller:
    """Does pieces of work that a client waits for, each within ``seconds``."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._pool = ThreadPoolExecutor(MOST_AT_ONCE, "palace-mcp")

    async def call(self, name: str, work: Callable[[], T]) -> T:
        """Do a piece of work, and return what it comes to.

        Raises:
            Failed: it failed, or its time is over.
        """
        cancel, context = Cancellation(), copy_context()

        def run() -> T:
            with ended_by(cancel):
                return work()

        future = asyncio.get_running_loop().run_in_executor(self._pool, context.run, run)
        # Nobody is to complain that what a call comes to behind its end is not looked at.
        future.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
        try:
            done, _ = await asyncio.wait({future}, timeout=self.seconds)
            if not done:
                cancel.cancel()
                done, _ = await asyncio.wait({future}, timeout=ENDING_SECONDS)
        except asyncio.CancelledError:
            cancel.cancel()
            raise
        late = f"no answer within {self.seconds:g} seconds: nothing is half done, the same call may be tried again"
        if not done:
            raise Failed(late)
        try:
            return future.result()
        except PalaceError as problem:
            # Whatever fails when it is to end fails for that.
            raise Failed(late if cancel.is_cancelled else str(problem) or type(problem).__name__) from problem
        except Exception as problem:
            _log_fault(name, problem)
            raise Failed(UNKNOWN) from problem

    def close(self) -> None:
        """Take no more work."""
        self._pool.shutdown(wait=False, cancel_futures=True)


def _log_fault(name: str, problem: Exception) -> None:
    """Log what went wrong and where; its message is left out, which may quote anything."""
    frames = traceback.extract_tb(problem.__traceback__)
    places = [f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames[-4:]]
    tell(_log, logging.ERROR, "tool_failed", tool=name, error=type(problem).__name__, at=" < ".join(reversed(places)))
