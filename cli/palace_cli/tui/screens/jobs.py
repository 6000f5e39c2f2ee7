"""The jobs and costs page: what is to be done in the background, and what models cost; looked at again and again."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Footer, Static

from palace.errors import PalaceError
from palace.records import CostGrouping, CostLine, Job, JobState
from palace_cli.render.figures import count, moment, money
from palace_cli.render.visible import one_line
from palace_cli.terminal.styles import ASIDE, HEADING
from palace_cli.tui.screens.page import PageScreen
from palace_cli.tui.source.pages.jobs import Work
from palace_cli.tui.widgets.banner import Banner
from palace_cli.tui.widgets.rows import Row, Rows, line, lines

EVERY = 2.0
"""Seconds between looks."""
_GROUPINGS: tuple[CostGrouping | None, ...] = (None, *CostGrouping)
_STYLES = {JobState.RUNNING: "bold", JobState.FAILED: "$text-error", JobState.WAITING: ""}


class JobsScreen(PageScreen):
    """Jobs above, costs below."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "retry_job", "Retry", id="jobs.retry", tooltip="Have a job that failed or rests begin at once."),
        Binding("x", "cancel_job", "Cancel", id="jobs.cancel", tooltip="Take a job out: what it does stays pending."),
        Binding("n", "enqueue", "Enqueue", id="jobs.enqueue", tooltip="Enqueue whatever is pending."),
        Binding("g", "group", "Sum by", id="jobs.group", tooltip="Sum costs by day, source, model or conversation."),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._by = 0
        self._jobs: dict[str, Job] = {}

    def compose(self) -> ComposeResult:
        """Counts, jobs, costs."""
        yield Banner()
        yield Static(id="jobs-counts", markup=False)
        yield Rows(id="jobs-rows")
        yield Static(id="jobs-why", markup=False)
        yield Static(id="costs-head", markup=False)
        yield Rows(id="costs-rows")
        yield Footer()

    def begin(self) -> None:
        """Look, and go on looking."""
        self.query_one("#jobs-rows").focus()
        self._look()
        self.set_interval(EVERY, self._look_again)

    def _look_again(self) -> None:
        # What asked in vain waits behind the banner: asking more would only make that a longer queue.
        if self.is_current and not self.query_one(Banner).display:
            self._look()

    def _look(self) -> None:
        by = _GROUPINGS[self._by]
        self.ask(self.source.jobs.look, self._tell_work, group="work")
        self.ask(lambda: self.source.jobs.costs(by), lambda found: self._tell_costs(found, by), group="costs")

    def _tell_work(self, work: Work) -> None:
        counts = work.counts
        told = f"{counts.running:,} running, {counts.waiting:,} waiting, {counts.failed:,} failed"
        self.query_one("#jobs-counts", Static).update(Content.styled(told, HEADING))
        self._jobs = {str(each.id): each for each in work.jobs}
        rows = [(key, _job(each)) for key, each in self._jobs.items()]
        self.query_one("#jobs-rows", Rows).fill(rows or [(None, line("no jobs: nothing waits to be done", ASIDE))])
        self._tell_why()

    def on_option_list_option_highlighted(self) -> None:
        """Say why the job under the cursor failed."""
        self._tell_why()

    def _tell_why(self) -> None:
        job = self._job
        rests = f"rests until {moment(job.due_at)}; " if job and job.due_at and job.state is JobState.WAITING else ""
        self.query_one("#jobs-why", Static).update(line(f"{rests}{job.error}" if job and job.error else ""))

    @property
    def _job(self) -> Job | None:
        return self._jobs.get(self.query_one("#jobs-rows", Rows).chosen or "")

    def _tell_costs(self, found: tuple[CostLine, ...], by: CostGrouping | None) -> None:
        if _GROUPINGS[self._by] is not by:
            return
        spent = sum((each.cost_usd for each in found), Decimal())
        calls = count(sum(each.calls for each in found), "call")
        grouped = f", by {by}" if by else ""
        self.query_one("#costs-head", Static).update(
            Content.styled(f"costs: {money(spent)}, {calls}{grouped}", HEADING)
        )
        rows: list[Row] = [(str(place), _cost(each)) for place, each in enumerate(found)]
        self.query_one("#costs-rows", Rows).fill(rows or [(None, line("no calls to models", ASIDE))])

    def action_retry_job(self) -> None:
        """Have the job under the cursor begin at once."""
        self._do(self.source.jobs.retry)

    def action_cancel_job(self) -> None:
        """Take the job under the cursor out."""
        self._do(self.source.jobs.cancel)

    def action_enqueue(self) -> None:
        """Enqueue whatever is pending."""
        self.ask(self.source.jobs.enqueue, self._done, group="deed")

    def action_group(self) -> None:
        """Sum by the next."""
        self._by = (self._by + 1) % len(_GROUPINGS)
        self._look()

    def _do(self, deed: Callable[[int], str]) -> None:
        job = self._job
        if job is not None:
            self.ask(lambda: deed(job.id), self._done, group="deed", failed=self._refused)

    def _done(self, told: str) -> None:
        self.notify(one_line(told), markup=False)
        self._look()

    def _refused(self, problem: PalaceError) -> None:
        self.tell(problem)
        self._look()


def _job(job: Job) -> Content:
    about = "all" if job.conversation_id is None else job.title or f"number {job.conversation_id}"
    tries = f"  {count(job.attempts, 'failure')}" if job.attempts else ""
    told = f"{job.id:>6}  {job.state:<7}  {moment(job.enqueued_at)}  {about}{tries}"
    return line(told, _STYLES[job.state])


def _cost(cost: CostLine) -> Content:
    group = f"{cost.group}  " if cost.group and cost.group != cost.model else ""
    failed = f", {cost.failed:,} failed" if cost.failed else ""
    figures = (
        f"{money(cost.cost_usd)}  {count(cost.calls, 'call')}{failed}, {cost.tokens:,} tokens, {cost.seconds:,.1f} s"
    )
    return lines(line(f"{group}{cost.purpose}  {cost.model}"), line(f"  {figures}", ASIDE))
