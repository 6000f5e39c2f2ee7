"""The page of background jobs and of what models cost; it refreshes itself."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Static

from palace.models import CostGrouping, CostLine, Job, JobCounts, JobState
from palace_cli.render.figures import about_job, count, moment, money
from palace_cli.styles import ASIDE
from palace_cli.tui.keys import key
from palace_cli.tui.reviewing import Done
from palace_cli.tui.screens.browse import PageScreen
from palace_cli.tui.widgets.rows import Row, Rows, line, lines

if TYPE_CHECKING:
    from palace.api.palace import Palace

MOST = 200
_GROUPINGS: tuple[CostGrouping | None, ...] = (None, *CostGrouping)
_STYLES = {JobState.RUNNING: "bold", JobState.FAILED: "$text-error", JobState.WAITING: ""}


class JobsScreen(PageScreen):
    """Jobs above, costs below."""

    BINDINGS: ClassVar[list[BindingType]] = [
        key("r", "retry_job", "Retry", "jobs.retry", "Have a job that failed or rests begin at once.", show=True),
        key("x", "cancel_job", "Cancel", "jobs.cancel", "Take a job out: what it does stays pending.", show=True),
        key("n", "enqueue", "Enqueue", "jobs.enqueue", "Enqueue whatever is pending.", show=True),
        key("g", "group", "Sum by", "jobs.group", "Sum costs by day, source, model or conversation.", show=True),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._by = 0
        self._jobs: dict[str, Job] = {}

    def contents(self) -> ComposeResult:
        yield Rows(id="jobs-rows")
        yield Static(id="jobs-why", markup=False)
        yield Rows(id="costs-rows")

    def begin(self) -> None:
        """Load the page, and refresh it repeatedly."""
        self.query_one("#jobs-rows").focus()
        self.look_repeatedly(self.list_again)

    def list_again(self) -> None:
        by = _GROUPINGS[self._by]
        jobs = lambda: (self.palace.jobs.list(limit=MOST), self.palace.jobs.counts())  # noqa: E731
        self.ask(jobs, lambda found: self._show_jobs(*found), group="work")
        self.ask(lambda: self.palace.costs(by=by), lambda found: self._show_costs(found, by), group="costs")

    def _show_jobs(self, jobs: tuple[Job, ...], counts: JobCounts) -> None:
        text = f"{counts.running:,} running, {counts.waiting:,} waiting, {counts.failed:,} failed"
        self.query_one("#jobs-rows").border_title = Content(f"Jobs: {text}")
        self._jobs = {str(each.id): each for each in jobs}
        rows = [(id, _job(each)) for id, each in self._jobs.items()]
        self.query_one("#jobs-rows", Rows).fill(rows or [(None, line("no jobs: nothing waits to be done", ASIDE))])
        self._show_why()

    def on_option_list_option_highlighted(self) -> None:
        self._show_why()

    def _show_why(self) -> None:
        job = self._job
        rests = f"rests until {moment(job.due_at)}; " if job and job.due_at and job.state is JobState.WAITING else ""
        self.query_one("#jobs-why", Static).update(line(f"{rests}{job.error}" if job and job.error else ""))

    @property
    def _job(self) -> Job | None:
        return self._jobs.get(self.query_one("#jobs-rows", Rows).chosen or "")

    def _show_costs(self, found: tuple[CostLine, ...], by: CostGrouping | None) -> None:
        if _GROUPINGS[self._by] is not by:
            return
        spent = sum((each.cost_usd for each in found), Decimal())
        calls = count(sum(each.calls for each in found), "call")
        grouped = f", by {by}" if by else ""
        self.query_one("#costs-rows").border_title = Content(f"Costs: {money(spent)}, {calls}{grouped}")
        rows: list[Row] = [(str(place), _cost(each)) for place, each in enumerate(found)]
        self.query_one("#costs-rows", Rows).fill(rows or [(None, line("no calls to models", ASIDE))])

    def action_retry_job(self) -> None:
        self._do(lambda job: f"job {self.palace.jobs.retry(job).id} waits for its turn")

    def action_cancel_job(self) -> None:
        def cancel(job: int) -> str:
            self.palace.jobs.cancel(job)
            return f"job {job} is taken out: what it was to do stays pending"

        self._do(cancel)

    def action_enqueue(self) -> None:
        self.do(lambda: Done(enqueue(self.palace)))

    def action_group(self) -> None:
        self._by = (self._by + 1) % len(_GROUPINGS)
        self.list_again()

    def _do(self, deed: Callable[[int], str]) -> None:
        job = self._job
        if job is not None:
            self.do(lambda: Done(deed(job.id)))


def enqueue(palace: Palace) -> str:
    """Enqueue what is pending, and return the counts in one line."""
    before, counts = palace.jobs.counts(), palace.jobs.enqueue()
    if counts.waiting <= before.waiting:
        more = f" beside what is enqueued: {counts.waiting:,} waiting" if counts.waiting else ""
        return f"nothing was pending{more}"
    return f"{counts.waiting:,} waiting, {counts.running:,} running, {counts.failed:,} failed"


def _job(job: Job) -> Content:
    tries = f"  {count(job.attempts, 'failure')}" if job.attempts else ""
    text = f"{job.id:>6}  {job.state:<7}  {moment(job.enqueued_at)}  {about_job(job)}{tries}"
    return line(text, _STYLES[job.state])


def _cost(cost: CostLine) -> Content:
    group = f"{cost.group}  " if cost.group and cost.group != cost.model else ""
    calls = count(cost.calls, "call") + (f", {cost.failed:,} failed" if cost.failed else "")
    figures = f"{money(cost.cost_usd)}  {calls}, {cost.tokens:,} tokens, {cost.seconds:,.1f} s"
    return lines(line(f"{group}{cost.purpose}  {cost.model}"), line(f"  {figures}", ASIDE))
