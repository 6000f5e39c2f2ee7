"""The user's background jobs: enqueued in the transaction that needs them, listed, cancelled and retried."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, NamedTuple

import sqlalchemy as sa

from palace.db.database import UserSession
from palace.models import Job, JobCounts, JobState

INDEX = "index"
"""The task that runs index steps."""
_STATES = {"todo": JobState.WAITING, "doing": JobState.RUNNING}
_STATUSES = {JobState.WAITING: "todo", JobState.RUNNING: "doing", JobState.FAILED: "failed"}

_ENQUEUE = sa.text("SELECT enqueue_job(:user_id, :task, CAST(:conversation AS bigint))")
_CANCEL = sa.text("SELECT cancel_job(:user_id, :job)")
_RETRY = sa.text("SELECT retry_job(:user_id, :job)")
_LOOK = sa.text(
    "SELECT count(*) FILTER (WHERE status = 'todo') AS waiting, count(*) FILTER (WHERE status = 'doing') AS running,"
    " count(*) FILTER (WHERE status = 'failed') AS failed,"
    " clock_timestamp() - min(greatest(enqueued_at, changed_at, scheduled_at))"
    " FILTER (WHERE status = 'todo' AND (scheduled_at IS NULL OR scheduled_at <= clock_timestamp())) AS waited,"
    " clock_timestamp() - min(changed_at) FILTER (WHERE status = 'doing') AS ran"
    " FROM procrastinate_jobs WHERE user_id = :user_id"
)
_OF_DRAWER = sa.text(
    "SELECT id FROM procrastinate_jobs WHERE user_id = :user_id AND status IN ('todo', 'doing', 'failed')"
    " AND CAST(args ->> 'conversation_id' AS bigint) ="
    " (SELECT conversation_id FROM drawer WHERE user_id = :user_id AND id = :drawer) ORDER BY status DESC, id LIMIT 1"
)
_QUEUED = sa.text(
    "SELECT DISTINCT CAST(args ->> 'conversation_id' AS bigint) FROM procrastinate_jobs WHERE user_id = :user_id"
)


class QueueState(NamedTuple):
    """Numbers of the user's jobs, and how long they have waited or run."""

    waiting: int
    running: int
    failed: int
    waited: timedelta
    """How long the first due job has waited."""
    ran: timedelta
    """How long the first running job has run."""


def look_at_queue(session: UserSession) -> QueueState:
    """Return the state of the user's jobs."""
    row = session.execute(_LOOK).one()
    return QueueState(row.waiting, row.running, row.failed, row.waited or timedelta(), row.ran or timedelta())


def list_queued(session: UserSession) -> set[int | None]:
    """List the conversations with a job of the user, in any state; None stands for all conversations."""
    return {None if row[0] is None else int(row[0]) for row in session.execute(_QUEUED)}


def enqueue_index(session: UserSession, conversation_id: int | None) -> int:
    """Enqueue the pending index steps of a conversation, or of all; return the job's id.

    The job is enqueued when the transaction commits. A conversation has one waiting job at most: an existing one is
    locked until the transaction ends, and does this work too.
    """
    return int(session.execute(_ENQUEUE, {"task": INDEX, "conversation": conversation_id}).scalar_one())


def list_jobs(session: UserSession, *, state: JobState | None = None, limit: int = 100) -> list[Job]:
    """List the user's jobs: running ones, waiting ones in order, failed ones."""
    status = None if state is None else _STATUSES[state]
    return [_job(row) for row in session.run("list_jobs", {"job": None, "status": status, "limit": limit})]


def find_job(session: UserSession, job_id: int) -> Job | None:
    """Return one of the user's jobs; None without one."""
    row = session.run("list_jobs", {"job": job_id, "status": None, "limit": 1}).one_or_none()
    return None if row is None else _job(row)


def find_job_of(session: UserSession, drawer_id: int) -> Job | None:
    """Return the job for the conversation of a drawer, a waiting one first; None without one."""
    job_id = session.execute(_OF_DRAWER, {"drawer": drawer_id}).scalar_one_or_none()
    return None if job_id is None else find_job(session, int(job_id))


def cancel_job(session: UserSession, job_id: int) -> bool:
    """Remove a waiting job, or ask its worker to end it; False if the user has no such job.

    Its index steps stay pending.
    """
    return session.execute(_CANCEL, {"job": job_id}).scalar_one() is not None


def retry_job(session: UserSession, job_id: int) -> int | None:
    """Start a waiting or failed job at once; return the id of the job that does it, None if there is no such job."""
    found = session.execute(_RETRY, {"job": job_id}).scalar_one()
    return None if found is None else int(found)


def count_jobs(session: UserSession) -> JobCounts:
    """Count the user's jobs by state."""
    return JobCounts(*look_at_queue(session)[:3])


def _job(row: sa.Row[Any]) -> Job:
    return Job(
        id=row.id,
        task=row.task_name,
        state=_STATES.get(row.status, JobState.FAILED),
        conversation_id=row.conversation_id,
        title=row.title,
        attempts=row.attempts,
        enqueued_at=row.enqueued_at,
        changed_at=row.changed_at,
        due_at=row.scheduled_at,
        error=row.error if row.failure is None or row.error is None else f"{row.error}: {row.failure}",
    )
