"""The boundary of a job: what it does, how it is ended, what came of it, and the times of a worker."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event, Thread
from typing import Any

from procrastinate.job_context import JobContext

from palace.budget import seconds_left
from palace.cancellation import Cancellation, ended_by
from palace.db.database import UserSession
from palace.db.filing.steps import has_outdated
from palace.db.jobs import enqueue_index
from palace.db.queue import Outcome
from palace.db.users import get_name
from palace.errors import (
    BudgetSpent,
    Cancelled,
    DatabaseRefused,
    DatabaseUnavailable,
    DataRefused,
    EmbeddedServerError,
    NotFound,
    SchemaMismatch,
)
from palace.mining.index import do_pending
from palace.mining.steps.extraction import EXTRACTION
from palace.opened import Fittings, OpenPalace
from palace.telemetry import work
from palace.telemetry.logs import tell
from palace.telemetry.operations import code_of

WATCH_SECONDS = 0.2
TOLD = (DatabaseUnavailable, DatabaseRefused, SchemaMismatch, EmbeddedServerError)
"""Whose own words say nothing of any message; of others only the kind of error is told."""

logger = logging.getLogger("palace.worker")


@dataclass(frozen=True, slots=True)
class Rhythm:
    """The times of a worker, in seconds."""

    heartbeat: float = 3
    """How often it says that it lives."""
    silence: float = 15
    """Not heard of for so long, a worker is gone: others take its jobs over."""
    look: float = 5
    """How often it looks for jobs of such workers."""
    poll: float = 5
    """How often it looks for work where notifications wake it; where they may not come, every ``poll_unwoken``."""
    poll_unwoken: float = 1
    linger: float = 5
    """How long a worker that ends with the queue waits for more."""
    watch: float = 2
    """How often it looks at the folders that it watches."""
    inbox: float = 1
    """How often it looks for what hooks left."""
    reconnect: float = 2
    """After so long a server that went away is tried again."""
    rests: tuple[float, ...] = (5, 61, 301, 1501)
    """How long a job rests after each failure: a little longer than the index steps do that it consists of."""

    @property
    def most_attempts(self) -> int:
        """Return the number of failures after which a job is given up."""
        return len(self.rests) + 1

    def rest_after(self, attempts: int) -> float:
        """Return how long a job rests that had failed so often before."""
        return self.rests[min(attempts, len(self.rests) - 1)] if self.rests else 0.0


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
                left = self._index(given["user_id"], given.get("conversation_id"), asked=given.get("asked", False))
        except Cancelled:
            # By its user: it is over. By the end of the worker: it was no attempt.
            return Outcome(is_done=context.should_abort())
        except BudgetSpent as problem:
            # No attempt: it rests until there is another budget.
            return Outcome(False, rest=seconds_left(self._fittings.settings) + 1, code=problem.code)
        except TOLD as problem:
            # But for a server that may quote the value that it refuses.
            is_telling = not isinstance(problem, DataRefused)
            reason = " ".join(str(problem).split()) if is_telling else type(problem).__name__
            return Outcome(False, reason, code=code_of(problem))
        except Exception as problem:  # noqa: BLE001 — the boundary of a job: whatever it meets, the worker goes on
            return Outcome(False, type(problem).__name__, code=code_of(problem))
        return Outcome(False, f"not done: {', '.join(left)}", code="not_done") if left else Outcome(True)

    def _index(self, user_id: int, conversation_id: int | None, *, asked: bool) -> tuple[str, ...]:
        """Do the index steps that are pending for a conversation, or for all; return the names of those that still are.

        ``asked`` tries what failed too often before. A user or conversation that is gone leaves nothing to do.
        """
        fittings = self._fittings
        fittings.database.check_schema()
        try:
            name = get_name(fittings.database, user_id)
            person = fittings.settings.person if name == fittings.settings.user else None
            opened = OpenPalace.of(fittings, user=name, make_user=False, person=person)
        except NotFound:
            return ()
        conversations = None if conversation_id is None else [conversation_id]
        left = do_pending(opened.work_without_model(), conversations, asked=asked)
        opened.index_if_large()
        opened.run(_enqueue_outdated)
        return left

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


def _enqueue_outdated(session: UserSession) -> None:
    """Have what an older version read read again: nobody files it anew, so no other job comes for it."""
    if has_outdated(session, EXTRACTION):
        enqueue_index(session, None)
