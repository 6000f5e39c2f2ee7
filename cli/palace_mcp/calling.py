"""Run tool calls: open the palace once, run each call in a thread with a timeout, and report failures in one line."""

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

UNKNOWN = "internal error in Palace: the server's log says where"
"""The model's message for an internal error; it quotes nothing of the data involved."""
ENDING_SECONDS = 2.0
"""Seconds for a call to end after its timeout; a result within them still counts."""
MOST_AT_ONCE = 16
"""Calls that run at once; others wait, within their own timeout. A pool of connections has 25."""

_log = logging.getLogger("palace.mcp")


class Opening:
    """Opens the one palace of all calls on the first call; safe to share between threads.

    It opens in a thread of its own, so that it goes on for later calls if the first is cancelled or times out.
    """

    def __init__(self, opens: Callable[[], Palace]) -> None:
        self._opens = opens
        self._lock = Lock()
        self._opened: Future[Palace] | None = None

    def palace(self) -> Palace:
        """Return the palace, opening it if needed.

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
        """Close the palace if it is open; one that is still opening is closed once it is open."""
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


def tell_fault(logger: logging.Logger, event: str, problem: Exception, **fields: object) -> None:
    """Log an internal error by its type and location; its message is left out, since it may quote anything."""
    frames = traceback.extract_tb(problem.__traceback__)[-4:]
    places = [f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames]
    tell(logger, logging.ERROR, event, **fields, error=type(problem).__name__, at=" < ".join(reversed(places)))


class Failed(Exception):
    """A call failed; its message is the one line for the model."""


class Caller:
    """Runs work for a client in threads, each with a timeout of ``seconds``."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._pool = ThreadPoolExecutor(MOST_AT_ONCE, "palace-mcp")

    async def call(self, name: str, work: Callable[[], T]) -> T:
        """Run work in a thread, and return its result.

        Raises:
            Failed: it failed, or timed out.
        """
        cancel, context = Cancellation(), copy_context()

        def run() -> T:
            with ended_by(cancel):
                return work()

        future = asyncio.get_running_loop().run_in_executor(self._pool, context.run, run)
        # Retrieve the exception of abandoned work, so that asyncio does not warn about it.
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
            # Any error after a cancellation is due to the timeout.
            raise Failed(late if cancel.is_cancelled else str(problem) or type(problem).__name__) from problem
        except Exception as problem:
            tell_fault(_log, "tool_failed", problem, tool=name)
            raise Failed(UNKNOWN) from problem

    def close(self) -> None:
        """Accept no more work."""
        self._pool.shutdown(wait=False, cancel_futures=True)
