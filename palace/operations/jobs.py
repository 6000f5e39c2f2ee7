"""The palace's background jobs: list, retry and cancel them."""

from __future__ import annotations

from palace.db import jobs
from palace.db.database import UserSession
from palace.errors import BadRequest, NotFound
from palace.models import Job, JobCounts, JobState, intake
from palace.opened import Verbs
from palace.operations.tree import get_drawer

MOST_LISTED = 10_000


class JobVerbs(Verbs):
    """The palace's background jobs: list, retry and cancel them."""

    def list(self, *, state: str | None = None, limit: int = 100) -> tuple[Job, ...]:
        """List the jobs: running ones, then waiting ones in their order, then failed ones.

        ``state`` selects those that are "waiting", "running" or "failed".

        Raises:
            BadRequest: there is no such state.
        """
        most = intake.row_count("limit", limit)
        wanted = None if state is None else intake.choice("state", state, JobState)
        return tuple(
            self._opened.run(lambda session: jobs.list_jobs(session, state=wanted, limit=min(most, MOST_LISTED)))
        )

    def counts(self) -> JobCounts:
        """Count the jobs by state."""
        return self._opened.run(jobs.count_jobs)

    def show(self, job_id: int) -> Job:
        """Return a job.

        Raises:
            NotFound: there is none of that number; a finished job is deleted.
        """
        return self._opened.run(lambda session: _get(session, job_id))

    def of(self, pointer: str) -> Job | None:
        """Return the job for the conversation of a drawer; None if its index steps are done, or not enqueued.

        Raises:
            BadRequest: the pointer is malformed; ``NotFound``: there is no such drawer.
        """
        return self._opened.run(lambda session: jobs.find_job_of(session, get_drawer(session, pointer).id))

    def retry(self, job_id: int) -> Job:
        """Start a failed job at once, even one that was given up or pauses after a failure; return it.

        If another job for the same conversation is waiting already, that one is returned.

        Raises:
            NotFound: there is none of that number.
            BadRequest: it runs.
        """

        def retry(session: UserSession) -> Job:
            found = jobs.retry_job(session, _number(job_id))
            if found is None:
                _get(session, job_id)
                raise BadRequest(f"job {job_id} runs already")
            return _get(session, found)

        return self._opened.run(retry)

    def cancel(self, job_id: int) -> Job:
        """Delete a job; a running one ends at its next step. Return it as it was.

        Its index steps stay pending, and nothing is lost.

        Raises:
            NotFound: there is none of that number.
        """

        def cancel(session: UserSession) -> Job:
            found = _get(session, job_id)
            if not jobs.cancel_job(session, found.id):
                raise _missing(job_id)
            return found

        return self._opened.run(cancel)

    def is_left(self, conversation_id: int | None) -> bool:
        """Check whether index steps of a conversation are pending that no job is for; None for those of any.

        So they are when a job was cancelled.
        """
        of = conversation_id

        def check(session: UserSession) -> bool:
            pending = {each for step in self._opened.steps for each in step.list_pending(session)}
            others = {each.conversation_id for each in jobs.list_jobs(session, state=None, limit=MOST_LISTED)}
            return bool(pending if of is None else of in pending) and not others & {None, of}

        return self._opened.run(check)

    def enqueue(self) -> JobCounts:
        """Enqueue a job for every conversation with a pending index step; return the numbers of jobs.

        This restores a lost queue, because pending steps are recorded in the palace.
        """

        def enqueue(session: UserSession) -> JobCounts:
            pending = {each for step in self._opened.steps for each in step.list_pending(session)}
            for conversation_id in sorted(pending):
                jobs.enqueue_index(session, conversation_id)
            return jobs.count_jobs(session)

        return self._opened.run(enqueue)


def _get(session: UserSession, job_id: int) -> Job:
    found = jobs.find_job(session, _number(job_id))
    if found is None:
        raise _missing(job_id)
    return found


def _number(job_id: int) -> int:
    return intake.integer("job_id", job_id)


def _missing(job_id: int) -> NotFound:
    return NotFound(f"there is no job {job_id}: done jobs are gone; `palace jobs` lists the others")
