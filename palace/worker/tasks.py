"""Jobs: running one, ending it, recording its outcome, and the time intervals of a worker."""

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
from palace.db.filing.steps import list_outdated
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
from palace.memories.aging import sweep
from palace.memories.due import make_due
from palace.mining.index import do_pending
from palace.mining.steps.extraction import EXTRACTION
from palace.opened import OpenPalace, SharedResources
from palace.telemetry import work
from palace.telemetry.logs import tell
from palace.telemetry.operations import code_of

WATCH_SECONDS = 0.2
TOLD = (DatabaseUnavailable, DatabaseRefused, SchemaMismatch, EmbeddedServerError)
"""Errors whose messages quote no text of a message; of all others only the kind is reported."""

logger = logging.getLogger("palace.worker")


@dataclass(frozen=True, slots=True)
class Rhythm:
    """The time intervals of a worker, in seconds."""

    heartbeat: float = 3
    """Between heartbeats."""
    silence: float = 15
    """Without a heartbeat for so long, a worker counts as dead: others take over its jobs."""
    look: float = 5
    """Between searches for jobs of dead workers."""
    poll: float = 5
    """Between polls for jobs where notifications wake it as well; elsewhere, ``poll_unwoken``."""
    poll_unwoken: float = 1
    linger: float = 5
    """How long a worker that ends when the queue is empty waits for more."""
    watch: float = 2
    """Between looks at the watched folders."""
    inbox: float = 1
    """Between looks into the inbox of hooks."""
    reconnect: float = 2
    """Before connecting again to a server that went away."""
    rests: tuple[float, ...] = (5, 61, 301, 1501)
    """Pauses of a job after its failures: a little longer than those of its index steps."""

    @property
    def most_attempts(self) -> int:
        """The number of failures after which a job is given up."""
        return len(self.rests) + 1

    def rest_after(self, attempts: int) -> float:
        """Return the pause for a job that had failed ``attempts`` times before."""
        return self.rests[min(attempts, len(self.rests) - 1)] if self.rests else 0.0


class Tasks:
    """Runs jobs one at a time, so that each can be ended from outside."""

    def __init__(self, resources: SharedResources, rhythm: Rhythm, stopping: Event) -> None:
        self._resources = resources
        self._rhythm = rhythm
        self._stopping = stopping
        self.done = 0
        self.failed = 0

    def index(self, context: JobContext, **given: Any) -> Outcome:
        """Run the index steps of a job, and make the memories that are due; never raises."""
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
            # Cancelled by its user, it is done. By the end of the worker, it was no attempt.
            return Outcome(is_done=context.should_abort())
        except BudgetSpent as problem:
            # No attempt: it waits until the next day's budget.
            return Outcome(False, rest=seconds_left(self._resources.settings) + 1, code=problem.code)
        except TOLD as problem:
            # DataRefused may quote the refused value.
            is_telling = not isinstance(problem, DataRefused)
            reason = " ".join(str(problem).split()) if is_telling else type(problem).__name__
            return Outcome(False, reason, code=code_of(problem))
        except Exception as problem:  # noqa: BLE001 — the boundary of a job: the worker goes on after any error
            return Outcome(False, type(problem).__name__, code=code_of(problem))
        return Outcome(False, f"not done: {', '.join(left)}", code="not_done") if left else Outcome(True)

    def _index(self, user_id: int, conversation_id: int | None, *, asked: bool) -> tuple[str, ...]:
        """Run the pending index steps of a conversation, or of all; return the names of those that are still pending.

        ``asked`` retries steps that have failed too often. A deleted user or conversation leaves nothing to do.
        """
        resources = self._resources
        resources.database.check_schema()
        try:
            name = get_name(resources.database, user_id)
            person = resources.settings.person if name == resources.settings.user else None
            opened = OpenPalace.of(resources, user=name, make_user=False, person=person)
        except NotFound:
            return ()
        conversations = None if conversation_id is None else [conversation_id]
        left = do_pending(opened.work_without_model(), conversations, asked=asked)
        opened.index_if_large()
        opened.run(_enqueue_outdated)
        effective = opened.effective()
        make_due(opened, conversation_id, effective)
        opened.run(lambda session: sweep(session, effective))
        return left

    @contextmanager
    def _watched(self, context: JobContext, cancel: Cancellation) -> Iterator[None]:
        """Cancel a job when its user or the end of the worker demands it."""
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
    """Enqueue the extraction where an older version did it: no other job would come for these conversations."""
    if list_outdated(session, EXTRACTION):
        enqueue_index(session, None)
