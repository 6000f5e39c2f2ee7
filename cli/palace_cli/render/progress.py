"""The progress bar; a module of its own because Rich's progress is slow to import."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TextIO

from rich import progress as rich
from rich.console import Console
from rich.text import Text

from palace.models import OnProgress, Phase, Progress
from palace_cli.render.figures import size
from palace_cli.styles import ASIDE

PHASES = {
    Phase.READ: "reading",
    Phase.FILE: "filing",
    Phase.WRITE: "writing",
    Phase.CUT: "rebuilding",
    Phase.EMBED: "embedding",
    Phase.TOPICS: "finding topics",
    Phase.EXTRACTION: "reading for names and claims",
    Phase.INDEX: "building the vector index",
    Phase.BACK_UP: "backing up",
    Phase.RESTORE: "restoring",
    Phase.SUM_UP: "summing up",
    Phase.FETCH: "fetching",
}


class _Amount(rich.ProgressColumn):
    """A column with the amount done and the total, in the phase's unit."""

    def render(self, task: rich.Task) -> Text:
        return Text(amount(int(task.completed), None if task.total is None else int(task.total), task.fields["unit"]))


class _Rate(rich.ProgressColumn):
    """A column with the turns filed per second, including reading and embedding."""

    def __init__(self) -> None:
        super().__init__()
        self._started = monotonic()

    def render(self, task: rich.Task) -> Text:
        if task.fields["phase"] is not Phase.FILE:
            return Text()
        return Text(f"{task.completed / (monotonic() - self._started):,.0f} {task.fields['unit']}/s", style=ASIDE)


def amount(done: int, total: int | None, unit: str) -> str:
    """Return the amount done, and the total if known."""
    if unit == "bytes":
        return size(done) if total is None else f"{size(done)} of {size(total)}"
    return f"{done:,} {unit}" if total is None else f"{done:,} of {total:,} {unit}"


@contextmanager
def progress_bar(stream: TextIO) -> Iterator[OnProgress]:
    """Show one bar per phase on ``stream`` during the block, then clear them."""
    columns = (rich.TextColumn("{task.description}", markup=False), rich.BarColumn(), _Amount(), _Rate())
    tasks: dict[Phase, rich.TaskID] = {}
    with rich.Progress(*columns, console=Console(file=stream), transient=True) as bars:

        def advance(now: Progress) -> None:
            if now.phase not in tasks:
                tasks[now.phase] = bars.add_task(PHASES[now.phase], total=None, phase=now.phase, unit=now.unit)
            bars.update(tasks[now.phase], completed=now.done, total=now.total)

        yield advance
