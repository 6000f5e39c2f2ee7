"""One call of a tool: in a thread, within its time, ended when the client ends it; every failure is one line."""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from palace.cancellation import Cancellation, ended_by
from palace.errors import PalaceError
from palace.telemetry.logs import tell

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
