"""``palace runs`` and ``palace undo``: what was mined when, and taking it back."""

from __future__ import annotations

from typing import Annotated

from rich.console import Group
from rich.table import Table
from rich.text import Text

from palace.models import LARGEST_NUMBER, Removal, Run, RunState, UndoSummary
from palace_cli import completion, options
from palace_cli.command import Palace, agreed, answers
from palace_cli.options import argument, option
from palace_cli.render.figures import count, moment, removal_line
from palace_cli.render.layout import cell, table
from palace_cli.render.visible import one_line

RunId = Annotated[
    int,
    argument("RUN", "The run, as `palace runs` lists it.", completion.known("RUN"), min=1, max=LARGEST_NUMBER),
]
Limit = Annotated[int, option("--limit", "How many runs at most.", "N", min=1, max=10_000)]
DryRun = Annotated[bool, option("--dry-run", "Say what would go; undo nothing.")]
Cascade = Annotated[bool, option("--cascade", "Undo the later runs that built on it as well.")]


def runs_view(found: tuple[Run, ...]) -> Table:
    shown = table("run", "began", "source", "drawers", "state", numbers=("run", "drawers"), elastic=("source",))
    for run in found:
        drawers = f"{run.drawers_kept:,}" if run.state is not RunState.UNDONE else f"({run.drawers_filed:,})"
        shown.add_row(str(run.id), moment(run.started_at), cell(run.source), drawers, run.state.value)
    return shown


def undo_view(summary: UndoSummary) -> Group:
    """Say which runs went, how much with them, and how many drawers stand again."""
    if summary.dry_run:
        verb, gone, back = "would undo", "would go", "would take back"
    else:
        verb, gone, back = "undid", "gone", "took back"
    lines = [f"{verb} run {run.id} ({one_line(run.source)})" for run in summary.runs]
    if summary.removal != Removal() or not summary.marks:
        lines.append(f"{gone}: {removal_line(summary.removal)}")
    if summary.marks:
        lines.append(
            f"{back} {count(summary.marks, 'mark')}: what was replaced, or no longer in its source, stands again"
        )
    return Group(*(Text(line) for line in lines))


def _extent(summary: UndoSummary) -> str:
    marks = [f"{count(summary.marks, 'mark')} taken back"] if summary.marks else []
    removed = [removal_line(summary.removal)] if summary.removal != Removal() or not marks else []
    return ", ".join(removed + marks)


@answers(undo_view)
def undo(
    palace: Palace, run: RunId, *, cascade: Cascade = False, dry_run: DryRun = False, yes: options.Yes = False
) -> UndoSummary:
    """Take a run back: the drawers it filed go, and what hangs on them.

    Says what will go and asks. Refused when a later run built on it, which is then named. What is undone is
    not forgotten: mining the source again files it again.

    \b
    palace runs
    palace undo 12
    palace undo 12 --cascade --yes
    """
    summary = palace.runs.undo(run, cascade=cascade, dry_run=True)
    if dry_run:
        return summary
    names = " and ".join(f"run {each.id} ({each.source})" for each in summary.runs)
    agreed(f"Undo {names}: {_extent(summary)}?", yes=yes, otherwise="nothing was undone")
    return palace.runs.undo(run, cascade=cascade)


@answers(runs_view, nothing="nothing was mined yet: palace mine FILE starts it")
def runs(palace: Palace, limit: Limit = 20) -> tuple[Run, ...]:
    """List the runs that filed anything, the latest first.

    \b
    palace runs
    palace runs --limit 5
    """
    return palace.runs.list(limit=limit)
