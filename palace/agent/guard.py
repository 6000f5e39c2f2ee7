"""Run work that may fail or hang in a thread, until a deadline, without failing or hanging the caller."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from contextvars import copy_context
from dataclasses import dataclass, field
from threading import Lock, Thread

from palace.cancellation import Cancellation, ended_by
from palace.errors import Cancelled, PalaceError
from palace.telemetry.logs import tell

LOGGER = logging.getLogger("palace.turns")
MOST_OVERDUE = 3
"""Threads that may still run after their deadline; with more, no new work is started."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a piece of work ended."""

    code: str = ""
    """"" on success, else an error code: "timeout", "overdue", one of ``palace.errors``, or "fault"."""
    note: str = ""
    """One line for a person; it may quote private text, so it is never logged."""

    @property
    def is_done(self) -> bool:
        """Whether the work succeeded."""
        return not self.code


@dataclass(slots=True)
class Guard:
    """Runs work for one palace, each piece in a thread of its own; safe to share between threads."""

    most: int = MOST_OVERDUE
    """Threads that may still run after their deadline."""
    _lock: Lock = field(default_factory=Lock)
    _overdue: set[Thread] = field(default_factory=set)

    def run(self, work: Callable[[], None], seconds: float, *, stops: bool = True) -> Outcome:
        """Run the work; if it takes longer, cancel it if ``stops``, and leave the thread to end by itself.

        Never raises an error of the work. The work stores its own results.
        """
        if self._count_overdue() >= self.most:
            return Outcome("overdue", "memory was not asked: earlier turns still wait for it")
        ended: list[Outcome] = []
        cancellation = Cancellation()
        context = copy_context()
        thread = Thread(target=lambda: ended.append(context.run(_attempt, work, cancellation)), daemon=True)
        try:
            thread.start()
        except RuntimeError:  # the interpreter is shutting down, or the system has no thread left
            return Outcome("fault", "memory could not be asked: no thread can be started")
        thread.join(seconds)
        if ended:
            return ended[0]
        if stops:
            cancellation.cancel()
        with self._lock:
            self._overdue.add(thread)
        return Outcome("timeout", f"memory took longer than {seconds:g} seconds")

    def _count_overdue(self) -> int:
        with self._lock:
            self._overdue = {thread for thread in self._overdue if thread.is_alive()}
            return len(self._overdue)


def _attempt(work: Callable[[], None], cancellation: Cancellation) -> Outcome:
    try:
        with ended_by(cancellation):
            work()
    except Cancelled:
        return Outcome("timeout", "memory took too long and was stopped")
    except PalaceError as problem:
        return Outcome(problem.code, " ".join(str(problem).split()))
    except Exception as problem:  # noqa: BLE001 — a turn goes on without memory whatever fails, a classifier of the caller's included
        return Outcome("fault", f"memory failed: {type(problem).__name__}")
    return Outcome()


def log_failure(event: str, outcome: Outcome, *, step: str, started: float) -> None:
    """Log one structured line to ``palace.turns``: what failed, at which step; no text of any message."""
    spent = round((time.perf_counter() - started) * 1000, 1)
    tell(LOGGER, logging.WARNING, event, outcome=outcome.code, step=step, ms=spent)
