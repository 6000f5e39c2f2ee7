"""Calls of tools: the palace opened once, each call in a thread and within its time, and every failure in one line."""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock, Thread
from typing import TYPE_CHECKING, TypeVar

from palace.cancellation import Cancellation, ended_by
from palace.errors import PalaceError
from palace.telemetry.logs import tell

if TYPE_CHECKING:
    from palace.api.palace import Palace


class Opening:
    """Gives all calls the one palace; safe to share between threads.

    It opens in a thread of its own: a call that is cancelled, or has no more time, leaves it to those that come.
    """

    def __init__(self, opens: Callable[[], Palace]) -> None:
        self._opens = opens
        self._lock = Lock()
        self._opened: Future[Palace] | None = None
        self._closed = False

    def palace(self) -> Palace:
        """Give the palace, opening it where it is not.

        Raises:
            PalaceError: it cannot be opened; the next call tries again.
        """
        return self._future().result()

    def close(self) -> None:
        """Give back what is open; what is still opening is given back when it is."""
        with self._lock:
            self._closed, opened = True, self._opened
        if opened is not None:
            opened.add_done_callback(_close)

    def _future(self) -> Future[Palace]:
        with self._lock:
            if self._opened is None or _has_failed(self._opened):
                self._opened = Future()
                Thread(target=self._open, args=(self._opened,), name="palace-mcp-open", daemon=True).start()
            return self._opened

    def _open(self, waiting: Future[Palace]) -> None:
        try:
            waiting.set_result(self._opens())
        except BaseException as problem:  # noqa: BLE001 — whoever waits is told, whatever it is
            waiting.set_exception(problem)


def _has_failed(future: Future[Palace]) -> bool:
    return future.done() and future.exception() is not None


def _close(opened: Future[Palace]) -> None:
    if not _has_failed(opened):
        opened.result().close()


T = TypeVar("T")

UNKNOWN = "something went wrong inside Palace; what it was stands in the server's log"
"""What a model is told of a fault of ours: nothing of what it was working on is in it."""

ENDING_SECONDS = 2.0
"""How long a call whose time is over may take to end: what it comes to by then counts."""

MOST_AT_ONCE = 16
"""Calls that are worked on at once; others wait, within their own time. A pool of connections has 25."""

_log = logging.getLogger("palace.mcp")


class Failed(Exception):
    """A call failed; its message is the one line that the model is told."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Does pieces of work that a client waits for."""

    seconds: float
    """What one may take."""
    _pool: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(MOST_AT_ONCE, "palace-mcp"))

    async def call(self, name: str, work: Callable[[], T]) -> T:
        """Do a piece of work, and give what it comes to.

        Raises:
            Failed: it failed, or its time is over.
        """
        cancel, context = Cancellation(), copy_context()
        future = asyncio.get_running_loop().run_in_executor(self._pool, context.run, _ended, cancel, work)
        try:
            done, _ = await asyncio.wait({future}, timeout=self.seconds)
            if not done:
                cancel.cancel()
                done, _ = await asyncio.wait({future}, timeout=ENDING_SECONDS)
        except asyncio.CancelledError:
            cancel.cancel()
            _let_go(future)
            raise
        if not done:
            _let_go(future)
            raise Failed(self._late())
        return self._outcome(name, future, is_late=cancel.is_cancelled)

    def close(self) -> None:
        """Take no more work."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _late(self) -> str:
        return f"no answer within {self.seconds:g} seconds: nothing is half done, the same call may be tried again"

    def _outcome(self, name: str, future: asyncio.Future[T], *, is_late: bool) -> T:
        try:
            return future.result()
        except PalaceError as problem:
            # Whatever fails when it is to end fails for that.
            raise Failed(self._late() if is_late else str(problem) or type(problem).__name__) from problem
        except Exception as problem:
            _tell(name, problem)
            raise Failed(UNKNOWN) from problem


def _ended(cancel: Cancellation, work: Callable[[], T]) -> T:
    with ended_by(cancel):
        return work()


def _let_go(future: asyncio.Future[T]) -> None:
    """Have nobody complain that what a call comes to behind its end is not looked at."""
    future.add_done_callback(lambda ended: ended.cancelled() or ended.exception())


def _tell(name: str, problem: BaseException) -> None:
    """Log what went wrong and where; its message is left out, which may quote anything."""
    frames = traceback.extract_tb(problem.__traceback__)
    places = [f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames[-4:]]
    tell(_log, logging.ERROR, "tool_failed", tool=name, error=type(problem).__name__, at=" < ".join(reversed(places)))
