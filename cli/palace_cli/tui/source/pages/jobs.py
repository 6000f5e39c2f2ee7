"""Background work and what models cost, for the jobs page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from palace.records import CostGrouping, CostLine, Job, JobCounts

if TYPE_CHECKING:
    from palace.palace import Palace

MOST = 200


@dataclass(frozen=True, slots=True)
class Work:
    """What there is to do now."""

    jobs: tuple[Job, ...]
    counts: JobCounts


class JobSource:
    """Looks at jobs and costs. Every method blocks: call it from a thread."""

    def __init__(self, palace: Palace) -> None:
        self._palace = palace

    def look(self) -> Work:
        """List the jobs, and count them."""
        return Work(self._palace.jobs.list(limit=MOST), self._palace.jobs.counts())

    def costs(self, by: CostGrouping | None) -> tuple[CostLine, ...]:
        """Sum up what was paid."""
        return self._palace.costs(by=by)

    def retry(self, job_id: int) -> str:
        """Have a job begin at once; say so."""
        job = self._palace.jobs.retry(job_id)
        return f"job {job.id} waits for its turn"

    def cancel(self, job_id: int) -> str:
        """Take a job out; say so."""
        self._palace.jobs.cancel(job_id)
        return f"job {job_id} is taken out: what it was to do stays pending"

    def enqueue(self) -> str:
        """Enqueue whatever is pending; say how much waits then."""
        before, counts = self._palace.jobs.counts(), self._palace.jobs.enqueue()
        if counts.waiting <= before.waiting:
            more = f" beside what is enqueued: {counts.waiting:,} waiting" if counts.waiting else ""
            return f"nothing was pending{more}"
        return f"{counts.waiting:,} waiting, {counts.running:,} running, {counts.failed:,} failed"
