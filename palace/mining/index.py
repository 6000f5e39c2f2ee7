"""Runs index steps, in the caller's thread or, beside filing, in a thread for each step that calls a model.

The others share one: they hardly gain from running at once, and each thread takes a heap and a connection.

Threads communicate only through the database. Unfinished work stays pending there for the next run. A step that fails
for one conversation is recorded with that and goes on with the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from types import TracebackType
from typing import Self

from palace.db.counts import fold_counts, refresh_statistics
from palace.db.filing.steps import record_failure
from palace.errors import BudgetSpent, DataRefused, ModelError
from palace.mining.steps.step import IndexStep, Work
from palace.models import PASSAGES, doubts
from palace.models.intake import repair
from palace.telemetry import work as observe

BATCH = 48
"""Conversations indexed together: enough passages to sort by length, few enough to start early."""
COUNTED_AT_ONCE = 10_000
"""Most conversations named in one statement."""
MOST_IN_A_ROW = 3
"""Consecutive failures after which a step is skipped, because its failures are not due to the conversations."""
TRIPPED = (ArithmeticError, LookupError, TypeError, ValueError, RecursionError)
"""Errors that a bug raises on one text; they should not stop the other conversations."""
FAILURES = (ModelError, DataRefused, *TRIPPED)


class Runner:
    """A runner of pending steps that records for which conversations they fail."""

    def __init__(self, work: Work, steps: Sequence[IndexStep] | None = None, *, asked: bool = False) -> None:
        """Run ``steps``, by default all steps of the palace; ``asked`` includes those that failed before."""
        self.work = work
        self.steps = work.steps if steps is None else steps
        self.failures: dict[str, str] = {}
        """The first error of each step."""
        self.put_off: BudgetSpent | None = None
        """Why work was put off to another day."""
        self._asked = asked
        self._in_a_row: dict[str, int] = {}
        self._expected: dict[str, set[int]] = {}
        """Conversations whose work is included in the expected total, by step."""

    @property
    def warnings(self) -> list[str]:
        """Warnings about failed steps and oddities in models' answers."""
        undone = {step.name: step.participle for step in self.steps}
        told = [f"not everything is {undone[name]}: {failure}" for name, failure in self.failures.items()]
        strange = [doubt for run in self.work.runs for doubt in run.warnings] + doubts(self.work.calls)
        unread = self.work.asking.warnings if self.work.asking else []
        return [*dict.fromkeys(strange), *unread, *told]

    def run(self, conversations: Sequence[int] | None = None) -> None:
        """Run what is pending for ``conversations``, or for all of the user's, one step after the other."""
        for step in self.steps:
            pending = self.list_pending(step, conversations)
            self._expect(step, pending)
            for batch in _batches(pending):
                self.do(step, batch)
            if pending and step.name == PASSAGES.name:
                # Summing pending word counts, because recall would otherwise have to read all of them.
                self.work.database.run(fold_counts, flush=False)

    def do(self, step: IndexStep, batch: Sequence[int]) -> None:
        """Run a step for the conversations of a batch that are still pending."""
        waiting = self.list_pending(step, batch)
        if not waiting or self._in_a_row.get(step.name, 0) >= MOST_IN_A_ROW:
            return
        self._expect(step, waiting)
        try:
            with observe("index", step=step.name) as observed:
                observed.note("palace.index.conversations", len(waiting))
                step.do(self.work, waiting)
            self._in_a_row[step.name] = 0
        except BudgetSpent as problem:
            # Not a failure of a conversation and no attempt: the rest waits for another day.
            self.put_off, self._in_a_row[step.name] = problem, MOST_IN_A_ROW
            self.failures.setdefault(step.name, str(problem))
        except FAILURES as problem:
            if len(waiting) == 1:
                self._fail(step, waiting[0], problem)
            else:
                for conversation_id in waiting:
                    self.do(step, [conversation_id])

    def list_pending(self, step: IndexStep, among: Sequence[int] | None) -> list[int]:
        """Return the conversations that are pending for a step."""
        return self.work.database.run(lambda session: step.list_pending(session, among=among, asked=self._asked))

    def _expect(self, step: IndexStep, conversations: Sequence[int]) -> None:
        """Add the amount of work to the expected total, once per conversation, if progress is reported."""
        if step.phase is None or self.work.report is None:
            return
        told = self._expected.setdefault(step.name, set())
        new = [each for each in conversations if each not in told]
        if new:
            told.update(new)
            for portion in _batches(new, COUNTED_AT_ONCE):
                self.work.expect(step.phase, self.work.database.run(partial(step.count, conversations=portion)))

    def _fail(self, step: IndexStep, conversation_id: int, problem: Exception) -> None:
        told = " ".join(repair(str(problem))[0].split())
        if isinstance(problem, TRIPPED):
            told = f"{type(problem).__name__}: {told}, which is our fault"
        else:
            self._in_a_row[step.name] = self._in_a_row.get(step.name, 0) + 1
        self.failures.setdefault(step.name, told)
        self.work.database.run(lambda session: record_failure(session, step.made, conversation_id, told))


def do_pending(work: Work, conversations: Sequence[int] | None, *, asked: bool = False) -> tuple[str, ...]:
    """Run all pending steps for ``conversations``, or for all; return the names of steps that are still pending.

    Those are steps that failed, now or before. Work that arrives meanwhile is done as well.

    Raises:
        BudgetSpent: the day's budget does not cover the remaining work.
    """
    for _ in range(MOST_IN_A_ROW):
        runner = Runner(work, asked=asked)
        runner.run(conversations)
        looking = Runner(work, asked=True)
        left = tuple(step.name for step in runner.steps if looking.list_pending(step, conversations))
        if not left or runner.failures:
            break
    work.database.run(fold_counts, flush=False)
    work.database.run(refresh_statistics, flush=False)
    if left and runner.put_off:
        raise runner.put_off
    return left


class Indexer:
    """Background threads that run steps during a ``with`` block; leaving the block waits for them."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        shared = ThreadPoolExecutor(max_workers=1, thread_name_prefix="palace-index")
        self._threads = [
            ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"palace-{step.name}") if step.calls_model else shared
            for step in runner.steps
        ]
        self._looked_at: list[int] = []
        self._waiting: list[int] = []
        self._work: list[Future[None]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._look()
                self._send()
                while self._work:
                    self._work.pop(0).result()
        finally:
            for run in self._runner.work.runs:
                run.stop()
            for thread in self._threads:
                thread.shutdown(cancel_futures=True)

    def add(self, conversation_id: int) -> None:
        """Queue a conversation, whether or not steps are pending for it.

        Raises any error that occurred in the background since the last call.
        """
        self._looked_at.append(conversation_id)
        if len(self._looked_at) >= BATCH:
            self._look()
        if len(self._waiting) >= BATCH:
            self._send()
        while self._work and self._work[0].done():
            self._work.pop(0).result()

    def _look(self) -> None:
        """Queue only conversations with pending steps, because full batches are efficient."""
        looked_at, self._looked_at = self._looked_at, []
        if looked_at:
            pending = {found for step in self._runner.steps for found in self._runner.list_pending(step, looked_at)}
            self._waiting += sorted(pending)

    def _send(self) -> None:
        if self._waiting:
            batch, self._waiting = self._waiting, []
            self._submit(0, batch)

    def _submit(self, number: int, batch: list[int]) -> None:
        self._work.append(self._threads[number].submit(copy_context().run, self._do, number, batch))

    def _do(self, number: int, batch: list[int]) -> None:
        if number == 0:
            self._runner.work.database.run(fold_counts, flush=False)
            self._runner.work.database.run(refresh_statistics, flush=False)
        self._runner.do(self._runner.steps[number], batch)
        # Submitted before this job ends, so that whoever waits for it finds its next step in the list.
        if number + 1 < len(self._threads):
            self._submit(number + 1, batch)


def _batches(conversations: Sequence[int], size: int = BATCH) -> Iterator[Sequence[int]]:
    for start in range(0, len(conversations), size):
        yield conversations[start : start + size]
