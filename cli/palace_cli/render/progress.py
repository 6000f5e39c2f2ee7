"""The progress bar; apart from the rest because Rich's progress is slow to import."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TaskID, TextColumn
from rich.text import Text

from palace.records import MineProgress

_STEPS = {
    "read": "reading",
    "write": "writing",
    "file": "filing",
    "embed": "embedding",
    "topics": "finding topics",
    "rebuild": "rebuilding",
    "fetch": "fetching",
    "index": "building the vector index",
}


class _TurnRate(ProgressColumn):
    """How many turns a second are filed, reading and embedding included."""

    def __init__(self) -> None:
        super().__init__()
        self._started = monotonic()

    def render(self, task: Task) -> Text:
        if task.fields["step"] != "file":
            return Text()
        return Text(f"{task.completed / (monotonic() - self._started):,.0f} turns/s", style="dim")


@contextmanager
def progress_bar(stream: TextIO) -> Iterator[Callable[[MineProgress], None]]:
    """Show one bar a step on ``stream`` while the block runs, then clear them."""
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), _TurnRate())
    tasks: dict[str, TaskID] = {}
    with Progress(*columns, console=Console(file=stream), transient=True) as bars:

        def advance(now: MineProgress) -> None:
            if now.step not in tasks:
                description = _STEPS.get(now.step, now.step)
                tasks[now.step] = bars.add_task(description, total=None, step=now.step)
            bars.update(tasks[now.step], completed=now.done, total=now.total or None)

        yield advance
