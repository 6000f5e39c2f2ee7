"""The boundary of a job: what it is given, how it is ended, and what came of it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any

from procrastinate.job_context import JobContext

from palace.cancellation import Cancellation, ended_by
from palace.errors import (
    BudgetSpent,
    Cancelled,
    DatabaseRefused,
    DatabaseUnavailable,
    DataRefused,
    EmbeddedServerError,
    SchemaMismatch,
)
from palace.opened import Fittings
from palace.paying import seconds_left
from palace.store.queue.outcomes import Outcome
from palace.telemetry import work
from palace.telemetry.logs import tell
from palace.telemetry.operations import code_of
from palace.worker.errands import index
from palace.worker.rhythm import Rhythm

WATCH_SECONDS = 0.2
TOLD = (DatabaseUnavailable, DatabaseRefused, SchemaMismatch, EmbeddedServerError)
"""Whose own words say nothing of any message; of others only the kind of error is told."""

logger = logging.getLogger("palace.worker")


class Tasks:
    """Does jobs one at a time, each so that it can be ended from outside."""

    def __init__(self, fittings: Fittings, rhythm: Rhythm, stopping: Event) -> None:
        self._fittings = fittings
        self._rhythm = rhythm
        self._stopping = stopping
        self.done = 0
        self.failed = 0

    def index(self, context: JobContext, **given: Any) -> Outcome:
        """Do the index steps of a conversation; never raises."""
        attempts = context.job.attempts
        cancel = Cancellation()
        with work("job", task=context.job.task_name) as observed, self._watched(context, cancel):
            outcome = self._attempt(context, cancel, given)
            if not outcome.is_done:
                observed.fail(outcome.code or "put_back")
        self.done += outcome.is_done
        self.failed += outcome.reason is not None
        if outcome.reason:
            tell(logger, logging.WARNING, "job_failed", job=context.job.id, attempt=attempts + 1, outcome=outcome.code)
            return Outcome(False, outcome.reason, self._rhythm.rest_after(attempts))
        if outcome.code:
            said = {"job": context.job.id, "outcome": outcome.code, "rest_s": round(outcome.rest)}
            tell(logger, logging.WARNING, "job_put_off", **said)
        return outcome

    def _attempt(self, context: JobContext, cancel: Cancellation, given: dict[str, Any]) -> Outcome:
        try:
            with ended_by(cancel):
                left = index(
                    self._fittings, given["user_id"], given.get("conversation_id"), asked=given.get("asked", False)
                )
        except Cancelled:
            # By its user: it is over. By the end of the worker: it was no attempt.
            return Outcome(is_done=context.should_abort())
        except BudgetSpent as problem:
            # No attempt: it rests until there is another budget.
            return Outcome(False, rest=seconds_left(self._fittings.settings) + 1, code=problem.code)
        except DataRefused as problem:  # the server may quote the value that it refuses
            return Outcome(False, type(problem).__name__, code=code_of(problem))
        except TOLD as problem:
            return Outcome(False, " ".join(str(problem).split()), code=code_of(problem))
        except Exception as problem:  # noqa: BLE001 — the boundary of a job: whatever it meets, the worker goes on
            return Outcome(False, type(problem).__name__, code=code_of(problem))
        return Outcome(False, f"not done: {', '.join(left)}", code="not_done") if left else Outcome(True)

    @contextmanager
    def _watched(self, context: JobContext, cancel: Cancellation) -> Iterator[None]:
        """End a job when its user or the end of the worker asks for it."""
        over = Event()

        def watch() -> None:
            while not over.wait(WATCH_SECONDS):
                if self._stopping.is_set() or context.should_abort():
                    cancel.cancel()
                    return

        watching = Thread(target=watch, name="palace-job", daemon=True)
        watching.start()
        try:
            yield
        finally:
            over.set()
            watching.join()
