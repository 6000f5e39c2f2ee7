"""``palace jobs``: what workers have to do."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import RenderableType
from rich.table import Table

from palace.records import LARGEST_NUMBER, Job, JobCounts, JobState
from palace_cli import diagnostics, options, output
from palace_cli.completion import offers
from palace_cli.opening import open_palace
from palace_cli.render.figures import moment
from palace_cli.render.layout import cell, named_values, table

app = typer.Typer(help="See, retry and cancel background work.")
app.callback(invoke_without_command=True)(options.help_when_alone)

JobId = Annotated[
    int,
    typer.Argument(
        metavar="JOB",
        min=1,
        max=LARGEST_NUMBER,
        help="The job, as `palace jobs list` shows it.",
        autocompletion=offers.known("JOB"),
    ),
]
State = Annotated[
    str | None,
    typer.Option(
        "--state",
        metavar="STATE",
        help="Only those that are waiting, running or failed.",
        autocompletion=offers.words("waiting", "running", "failed"),
    ),
]
Limit = Annotated[int, typer.Option("--limit", metavar="N", min=1, max=10_000, help="How many at most.")]


@app.command("list")
def list_(state: State = None, limit: Limit = 100, user: options.User = None, as_json: options.Json = False) -> None:
    """List jobs: what runs, what waits in order, what failed.

    \b
    palace jobs list
    palace jobs list --state failed
    """
    with open_palace(user) as palace:
        found = palace.jobs.list(state=state, limit=limit)
    if found or as_json:
        output.present(found, jobs_view, as_json=as_json)
    if not found:
        diagnostics.remark("no jobs: nothing waits to be done")


@app.command("show")
def show(job: JobId, user: options.User = None, as_json: options.Json = False) -> None:
    """Show a job, and why it failed if it did.

    \b
    palace jobs show 17
    """
    with open_palace(user) as palace:
        found = palace.jobs.show(job)
    output.present(found, job_view, as_json=as_json)


@app.command("retry")
def retry(job: JobId, user: options.User = None, as_json: options.Json = False) -> None:
    """Have a failed or resting job begin at once.

    \b
    palace jobs retry 17
    """
    with open_palace(user) as palace:
        found = palace.jobs.retry(job)
    output.present(found, job_view, as_json=as_json)


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
def enqueue(user: options.User = None, as_json: options.Json = False) -> None:
    """Enqueue whatever is pending, each conversation as a job.

    \b
    palace jobs enqueue
    """
    with open_palace(user) as palace:
        counts = palace.jobs.enqueue()
    output.present(counts, counts_view, as_json=as_json)


def jobs_view(found: tuple[Job, ...]) -> Table:
    """Show a line a job."""
    columns = ("job", "state", "conversation", "enqueued", "tries", "why")
    shown = table(*columns, numbers=("job", "tries"), elastic=("conversation", "why"))
    for job in found:
        why, tries = cell(job.error or ""), str(job.attempts)
        shown.add_row(str(job.id), job.state.value, cell(_about(job)), moment(job.enqueued_at), tries, why)
    return shown


def job_view(job: Job) -> RenderableType:
    """Show all of a job."""
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
    """Show how many jobs there are."""
    states = {"waiting": counts.waiting, "running": counts.running, "failed": counts.failed}
    return named_values([(state, f"{number:,}") for state, number in states.items()])


def _about(job: Job) -> str:
    if job.conversation_id is None:
        return "all"
    return job.title or f"number {job.conversation_id}"
