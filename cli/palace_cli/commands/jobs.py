"""``palace jobs``: what workers have to do."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import RenderableType
from rich.table import Table

from palace.models import LARGEST_NUMBER, Job, JobCounts, JobState
from palace_cli import completion, diagnostics, options, output
from palace_cli.command import Palace, answers
from palace_cli.opening import open_palace
from palace_cli.options import argument, option
from palace_cli.render.figures import moment
from palace_cli.render.layout import cell, named_values, table

app = typer.Typer(help="See, retry and cancel background work.")
app.callback(invoke_without_command=True)(options.help_when_alone)

JobId = Annotated[
    int,
    argument("JOB", "The job, as `palace jobs list` shows it.", completion.known("JOB"), min=1, max=LARGEST_NUMBER),
]
State = Annotated[
    str | None,
    option(
        "--state",
        "Only those that are waiting, running or failed.",
        "STATE",
        completion.words("waiting", "running", "failed"),
    ),
]
Limit = Annotated[int, option("--limit", "How many at most.", "N", min=1, max=10_000)]


def jobs_view(found: tuple[Job, ...]) -> Table:
    columns = ("job", "state", "conversation", "enqueued", "tries", "why")
    shown = table(*columns, numbers=("job", "tries"), elastic=("conversation", "why"))
    for job in found:
        why, tries = cell(job.error or ""), str(job.attempts)
        shown.add_row(str(job.id), job.state.value, cell(_about(job)), moment(job.enqueued_at), tries, why)
    return shown


def job_view(job: Job) -> RenderableType:
    rests = job.state is JobState.WAITING and job.due_at is not None
    return named_values(
        [
            ("job", str(job.id)),
            ("state", job.state.value),
            ("does", job.task),
            ("conversation", _about(job)),
            ("enqueued", moment(job.enqueued_at)),
            ("changed", moment(job.changed_at)),
            ("rests until", moment(job.due_at) if rests else ""),
            ("failed", f"{job.attempts} times" if job.attempts else ""),
            ("why", job.error or ""),
        ]
    )


def counts_view(counts: JobCounts) -> Table:
    states = {"waiting": counts.waiting, "running": counts.running, "failed": counts.failed}
    return named_values([(state, f"{number:,}") for state, number in states.items()])


def _about(job: Job) -> str:
    if job.conversation_id is None:
        return "all"
    return job.title or f"number {job.conversation_id}"


@app.command("list")
@answers(jobs_view, nothing="no jobs: nothing waits to be done")
def list_(palace: Palace, state: State = None, limit: Limit = 100) -> tuple[Job, ...]:
    """List jobs: what runs, what waits in order, what failed.

    \b
    palace jobs list
    palace jobs list --state failed
    """
    return palace.jobs.list(state=state, limit=limit)


@app.command("show")
@answers(job_view)
def show(palace: Palace, job: JobId) -> Job:
    """Show a job, and why it failed if it did.

    \b
    palace jobs show 17
    """
    return palace.jobs.show(job)


@app.command("retry")
@answers(job_view)
def retry(palace: Palace, job: JobId) -> Job:
    """Have a failed or resting job begin at once.

    \b
    palace jobs retry 17
    """
    return palace.jobs.retry(job)


@app.command("cancel")
def cancel(job: JobId, user: options.User = None, as_json: options.Json = False) -> None:
    """Take a job out; what it was to do stays pending.

    \b
    palace jobs cancel 17
    """
    with open_palace(user) as palace:
        found = palace.jobs.cancel(job)
    output.present(found, job_view, as_json=as_json)
    diagnostics.remark(f"job {job} is taken out: what it was to do stays pending")


@app.command("enqueue")
@answers(counts_view)
def enqueue(palace: Palace) -> JobCounts:
    """Enqueue whatever is pending, each conversation as a job.

    \b
    palace jobs enqueue
    """
    return palace.jobs.enqueue()
