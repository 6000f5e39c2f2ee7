"""A worker's access to the queue: as its own role, set anew in every transaction, on connections of its own.

Nothing stays on a connection, so a pooler in transaction mode works. Such a pooler passes on no notifications: behind
it a worker polls for jobs.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import psycopg
import sqlalchemy as sa
from procrastinate import PsycopgConnector
from procrastinate.exceptions import ConnectorException
from procrastinate.jobs import Job, Status
from procrastinate.manager import JobManager
from psycopg.rows import DictRow

from palace.db.database import Database
from palace.db.tables.objects import WORKER_ROLE

CONNECTIONS = 4
CONNECT_SECONDS = 10
QueueLost = ConnectorException
"""The queue could not be reached, or refused a statement."""


class QueueConnector(PsycopgConnector):
    """A worker's connections to the queue of a database."""

    def __init__(self, database: Database) -> None:
        url = sa.make_url(database.runtime_url())
        _, parameters = url.get_dialect()().create_connect_args(url)
        options: dict[str, Any] = {"connect_timeout": CONNECT_SECONDS, "prepare_threshold": None, **parameters}
        super().__init__(kwargs=options, min_size=1, max_size=CONNECTIONS, timeout=CONNECT_SECONDS)
        self._entering = (
            f"SET LOCAL ROLE {WORKER_ROLE}; SET LOCAL search_path = {database.schema.queue}, pg_temp;"
            " SET LOCAL palace.user_id = ''"
        )

    @asynccontextmanager
    async def _get_cursor(
        self, connection: psycopg.AsyncConnection[Any] | None = None
    ) -> AsyncGenerator[psycopg.AsyncCursor[DictRow], None]:
        async with super()._get_cursor(connection) as cursor:
            await cursor.execute(self._entering.encode())
            yield cursor


_FINISH = "SELECT finish_job(%(job)s, %(worker)s)"
_PUT_BACK = "SELECT put_back_job(%(job)s, %(worker)s, %(reason)s, %(rest)s, %(most)s) AS outcome"
_TAKE_OVER = """
SELECT count(put_back_job(gone.id, gone.worker_id, CASE WHEN gone.begun > %(deaths)s THEN %(reason)s END,
                          least(5 * (gone.begun - 1), 300), %(most)s)) AS taken
FROM (
    SELECT job.id, job.worker_id, (
        SELECT count(*) FROM procrastinate_events AS event WHERE event.job_id = job.id AND event.type = 'started'
    ) AS begun
    FROM procrastinate_jobs AS job LEFT JOIN procrastinate_workers AS worker ON worker.id = job.worker_id
    WHERE job.status = 'doing'
      AND (worker.id IS NULL OR worker.last_heartbeat < clock_timestamp() - make_interval(secs => %(silent)s))
    ORDER BY job.id FOR UPDATE OF job SKIP LOCKED
) AS gone
"""
"""A job whose worker is gone is put back; from the second time on after a pause, and after many as failed."""
_COUNT = (
    "SELECT count(*) AS count FROM procrastinate_jobs"
    " WHERE status = 'doing' OR (status = 'todo' AND (scheduled_at IS NULL OR scheduled_at <= clock_timestamp()))"
)
UNKNOWN = "this version of Palace does not know how to do it"
ENDED = "the worker that had it ended without a word"
MOST_DEATHS = 20


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a job."""

    is_done: bool
    reason: str | None = None
    """Why it is not done, in a line; None where nothing was tried, so that it counts as no attempt."""
    rest: float = 0
    """Seconds to wait before the next attempt."""
    code: str = ""
    """A code for why it is not done, for the log; it quotes nothing."""


class QueueManager(JobManager):
    """A worker's changes of the queue."""

    def __init__(self, connector: QueueConnector, *, most_attempts: int) -> None:
        super().__init__(connector)
        self.outcomes: dict[int, Outcome] = {}
        """Results of the jobs that just ended, by job id."""
        self._most_attempts = most_attempts
        self._worker_id: int | None = None

    async def register_worker(self) -> int:
        """Register the worker and keep its id: only the worker that has a job can finish it."""
        self._worker_id = await super().register_worker()
        return self._worker_id

    async def finish_job(self, job: Job, status: Status, delete_job: bool) -> None:  # noqa: ARG002 — one signature
        """Record the result of a job. One that another worker has taken over is left to it."""
        assert job.id is not None
        outcome = self.outcomes.pop(job.id, Outcome(False, UNKNOWN))
        if outcome.is_done:
            await self.connector.execute_query_one_async(_FINISH, job=job.id, worker=self._worker_id)
            return
        reason = None if outcome.reason is None else outcome.reason[:300]
        await self.connector.execute_query_one_async(
            _PUT_BACK,
            job=job.id,
            worker=self._worker_id,
            reason=reason,
            rest=float(outcome.rest),
            most=self._most_attempts,
        )

    async def take_over(self, silent: float) -> int:
        """Put back the jobs of workers silent for ``silent`` seconds; return how many."""
        given = {"silent": silent, "most": self._most_attempts, "deaths": MOST_DEATHS, "reason": ENDED}
        found = await self.connector.execute_query_one_async(_TAKE_OVER, **given)
        return int(found["taken"])

    async def count_due(self) -> int:
        """Count the jobs of all users that run or are due."""
        found = await self.connector.execute_query_one_async(_COUNT)
        return int(found["count"])
