"""``palace runs`` and ``palace undo``: what was mined when, and taking it back."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Group
from rich.table import Table
from rich.text import Text

from palace.records import LARGEST_NUMBER, Removal, Run, RunState, UndoSummary
from palace_cli import diagnostics, options, output
from palace_cli.completion import offers
from palace_cli.diagnostics import ExitCode
from palace_cli.opening import open_palace
from palace_cli.render.figures import count, moment, removal_line
from palace_cli.render.layout import cell, table
from palace_cli.render.visible import one_line

RunId = Annotated[
    int,
    typer.Argument(
        metavar="RUN",
        min=1,
        max=LARGEST_NUMBER,
        help="The run, as `palace runs` lists it.",
        autocompletion=offers.known("RUN"),
    ),
]
Limit = Annotated[int, typer.Option("--limit", metavar="N", min=1, max=10_000, help="How many runs at most.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would go; undo nothing.")]
Cascade = Annotated[bool, typer.Option("--cascade", help="Undo the later runs that built on it as well.")]


def runs(limit: Limit = 20, user: options.User = None, as_json: options.Json = False) -> None:
    """List the runs that filed anything, the latest first.

    \b
    palace runs
    palace runs --limit 5
    """
    with open_palace(user) as palace:
        found = palace.runs.list(limit=limit)
    if found or as_json:
        output.present(found, runs_view, as_json=as_json)
    if not found:
        diagnostics.remark("nothing was mined yet: palace mine FILE starts it")


def undo(
    run: RunId,
    *,
    cascade: Cascade = False,
    dry_run: DryRun = False,
    yes: options.Yes = False,
    user: options.User = None,
    as_json: options.Json = False,
) -> None:
    """Take a run back: the drawers it filed go, and what hangs on them.

    Says what will go and asks. Refused when a later run built on it, which is then named. What is undone is
    not forgotten: mining the source again files it again.

    \b
    palace runs
    palace undo 12
    palace undo 12 --cascade --yes
    """
    with open_palace(user) as palace:
        summary = palace.runs.undo(run, cascade=cascade, dry_run=True)
        if not dry_run:
            names = " and ".join(f"run {each.id} ({each.source})" for each in summary.runs)
            if not yes and not diagnostics.confirm(f"Undo {names}: {_extent(summary)}?"):
                diagnostics.remark("nothing was undone")
                raise typer.Exit(ExitCode.INCOMPLETE)
            summary = palace.runs.undo(run, cascade=cascade)
    output.present(summary, undo_view, as_json=as_json)


def runs_view(found: tuple[Run, ...]) -> Table:
    """Show a line a run."""
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
