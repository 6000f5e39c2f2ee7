"""The palace's jobs: what waits, runs or failed; trying one again, taking one out."""

from __future__ import annotations

from palace.db import jobs
from palace.db.database import UserSession
from palace.errors import BadRequest, NotFound
from palace.models import Job, JobCounts, JobState, intake
from palace.opened import Verbs

MOST_LISTED = 10_000


class JobVerbs(Verbs):
    """The palace's jobs: what waits, runs or failed; having it tried again; taking it out."""

    def list(self, *, state: str | None = None, limit: int = 100) -> tuple[Job, ...]:
        """List the jobs: what runs, what waits in the order of its turn, what failed.

        ``state`` takes those that are "waiting", "running" or "failed".

        Raises:
            BadRequest: there is no such state.
        """
        most = intake.count("limit", limit)
        wanted = None if state is None else intake.choice("state", state, JobState)
        return tuple(
            self._opened.run(lambda session: jobs.list_jobs(session, state=wanted, limit=min(most, MOST_LISTED)))
        )

    def counts(self) -> JobCounts:
        """Count the jobs."""
        return self._opened.run(jobs.count_jobs)

    def show(self, job_id: int) -> Job:
        """Get a job.

        Raises:
            NotFound: there is none of that number; a job that is done is gone.
        """
        return self._opened.run(lambda session: _get(session, job_id))

    def retry(self, job_id: int) -> Job:
        """Have a job that failed, or rests after a failure, begin at once; what failed too often is tried again.

        Where another waits for the same conversation already, it is that one which is given.

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
        """Take a job out; one that runs ends at its next step. Gives it as it was.

        What it was to do stays pending, and nothing is lost.

        Raises:
            NotFound: there is none of that number.
        """

        def cancel(session: UserSession) -> Job:
            found = _get(session, job_id)
            if not jobs.cancel_job(session, found.id):
                raise _missing(job_id)
            return found

        return self._opened.run(cancel)

    def enqueue(self) -> JobCounts:
        """Enqueue every conversation that an index step is pending for, each as a job; count the jobs there are then.

        So a queue that was lost is made again: what is pending, the palace knows.
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
