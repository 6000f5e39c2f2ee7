"""``palace jobs``: what workers have to do."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table

from palace.models import LARGEST_NUMBER, Job, JobCounts, JobState
from palace_cli import completion
from palace_cli.command import Answer, Palace, listing, subcommand
from palace_cli.options import argument, option
from palace_cli.render.figures import about_job, moment
from palace_cli.render.layout import named_values, records

app = typer.Typer(help="See, retry and cancel background work.")

JobId = Annotated[
    int,
    argument(
        "JOB", "The job, as `palace jobs list` shows it.", completes=completion.known("JOB"), min=1, max=LARGEST_NUMBER
    ),
]


def jobs_view(found: tuple[Job, ...]) -> Table:
    columns = {
        "job": "id",
        "state": "state",
        "conversation": about_job,
        "enqueued": "enqueued_at",
        "tries": "attempts",
        "why": "error",
    }
    return records(found, columns, numbers=("job", "tries"), elastic=("conversation", "why"))


def job_view(job: Job) -> Table:
    rests = job.state is JobState.WAITING and job.due_at is not None
    return named_values(
        {
            "job": str(job.id),
            "state": job.state,
            "does": job.task,
            "conversation": about_job(job),
            "enqueued": moment(job.enqueued_at),
            "changed": moment(job.changed_at),
            "rests until": job.due_at if rests else None,
            "failed": f"{job.attempts} times" if job.attempts else None,
            "why": job.error,
        }
    )


@listing(app, "list", jobs_view, nothing="no jobs: nothing waits to be done")
def list_(
    palace: Palace,
    state: str | None = option(
        "--state",
        "Only those that are waiting, running or failed.",
        "STATE",
        completes=completion.words("waiting", "running", "failed"),
    ),
    limit: int = option("--limit", "How many at most.", "N", default=100, min=1, max=10_000),
) -> tuple[Job, ...]:
    """List jobs: what runs, what waits in order, what failed.

    \b
    palace jobs
    palace jobs --state failed
    """
    return palace.jobs.list(state=state, limit=limit)


@subcommand(app, "show", job_view)
def show(palace: Palace, job: JobId) -> Job:
    """Show a job, and why it failed if it did.

    \b
    palace jobs show 17
    """
    return palace.jobs.show(job)


@subcommand(app, "retry", job_view)
def retry(palace: Palace, job: JobId) -> Job:
    """Start a failed or resting job at once.

    \b
    palace jobs retry 17
    """
    return palace.jobs.retry(job)


@subcommand(app, "cancel", job_view)
def cancel(palace: Palace, job: JobId) -> Answer:
    """Cancel a job; its work stays pending.

    \b
    palace jobs cancel 17
    """
    return Answer(palace.jobs.cancel(job), remarks=[f"job {job} is taken out: what it was to do stays pending"])


def counts_view(counts: JobCounts) -> Table:
    return named_values({"waiting": counts.waiting, "running": counts.running, "failed": counts.failed})


@subcommand(app, "enqueue", counts_view)
def enqueue(palace: Palace) -> JobCounts:
    """Enqueue whatever is pending, each conversation as a job.

    \b
    palace jobs enqueue
    """
    return palace.jobs.enqueue()
