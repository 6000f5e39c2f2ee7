"""``palace activity``, ``runs``, ``undo`` and ``costs``: what happened, what it cost, and taking a run back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from functools import partial

from rich.console import Group
from rich.table import Table

from palace.models import (
    LARGEST_NUMBER,
    Activity,
    CostGrouping,
    CostLine,
    Removal,
    Run,
    RunState,
    UndoSummary,
)
from palace.models.activity import IMPORTED, MINED, MOVED
from palace_cli import completion, options
from palace_cli.command import Answer, Palace, agreed, answers
from palace_cli.options import argument, flag, option, since
from palace_cli.render.figures import count, moment, money, removal_line
from palace_cli.render.layout import cell, records, table
from palace_cli.render.visible import one_line
from palace_cli.styles import HEADING

_COUNTED = ("run", "drawer", "conversation", "room", "wing")
"""What the details of events count."""


@answers()
def activity(
    palace: Palace,
    limit: int = option("--limit", "How many events at most.", "N", default=20, min=1, max=10_000),
    since: datetime | None = since("--since", "Only events from this date or moment on."),
    kind: str | None = option("--kind", "Only events of this kind: mined, forgotten, moved, rebuilt, …", "KIND"),
) -> Answer:
    """List what happened, the latest first.

    A run of mining is listed with what it filed and what failed. Everything else, such as forgetting, moving, renaming,
    rebuilding, importing and restoring, is listed with how much it changed, never with what was said.

    \b
    palace activity --since 2026-04-01
    palace activity --kind forgotten
    """
    is_any = since is None and kind is None
    nothing = "nothing happened yet: palace mine FILE starts it" if is_any else "no such event"
    return Answer(palace.activity(limit=limit, since=since, kind=kind), activity_view, nothing)


def activity_view(found: Sequence[Activity]) -> Table:
    """Show one line per event, and below it one per failure."""
    shown = table("when", "what", "run", "how much", "outcome", numbers=("run",), elastic=("how much", "outcome"))
    for event in found:
        run = "" if event.run_id is None else str(event.run_id)
        what = event.kind.removeprefix("memory_").replace("_", " ")
        shown.add_row(moment(event.happened_at), cell(what), run, cell(_extent(event)), cell(_outcome(event)))
        for failure in _details(event, "failures"):
            shown.add_row("", "", "", cell(f"failed: {failure.get('message', '')}"), "")
    return shown


def _extent(event: Activity) -> str:
    """Return how much an event was about: "a.json: 12 drawers in W-001", "room W-001/R-02: 4 drawers, 1 room"."""
    numbers = {name: value for name, value in event.details.items() if isinstance(value, int)}
    if event.kind in (MINED, IMPORTED):
        return _landed(event, numbers.get("drawers_new"))
    if event.kind == MOVED:
        rooms = count(numbers.get("rooms", 0), "room")
        return f"{rooms} from W-{numbers.get('from', 0):03d} to W-{numbers.get('to', 0):03d}"
    if "decision" in numbers:
        return f"decision {numbers['decision']:,}"
    counted = ", ".join(count(number, noun) for noun in _COUNTED if (number := numbers.get(f"{noun}s")))
    if place := event.details.get("place"):
        return f"{event.details.get('what', '')} {place}" + (f": {counted}" if counted else "")
    return counted


def _landed(event: Activity, new: int | None) -> str:
    if new is None:
        return ""
    wings = [f"W-{number:03d}" for wing in _details(event, "wings") if isinstance(number := wing.get("number"), int)]
    landed = count(new, "drawer") + (f" in {', '.join(wings)}" if wings else "") if new else "nothing new"
    source = event.details.get("source")
    return f"{source}: {landed}" if source else landed


def _outcome(event: Activity) -> str:
    failed, outcome = event.details.get("failure_count"), str(event.details.get("outcome", ""))
    if message := event.details.get("message") or event.details.get("error"):
        outcome = f"{outcome}: {message}"
    if isinstance(failed, int) and failed:
        outcome = f"{outcome}, {failed:,} failed"
    read = event.details.get("extraction")
    unread = read.get("unread") if isinstance(read, dict) else None
    return f"{outcome}, {unread:,} left to rules" if isinstance(unread, int) and unread else outcome


def _details(event: Activity, member: str) -> list[dict[str, object]]:
    found = event.details.get(member)
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


@answers(nothing="no calls to models")
def costs(
    palace: Palace,
    since: datetime | None = since("--since", "Only calls from this date or moment on."),
    by: CostGrouping | None = option("--by", "Sum up by day, source, model or conversation as well."),
) -> Answer:
    """Sum up the calls to models, by purpose and model.

    A source is what was mined, as it was named then. Calls for several conversations at
    once, such as embedding, have none.

    \b
    palace costs --since 2026-04-01
    palace costs --by day
    """
    return Answer(palace.costs(since=since, by=by), partial(costs_view, by=by))


def costs_view(lines: Sequence[CostLine], by: CostGrouping | None = None) -> Table:
    """Show one line per purpose, model and requested group, then the sum."""
    numbers = ("calls", "failed", "tokens", "cost", "seconds")
    groups = {} if by in (None, CostGrouping.MODEL) else {str(by): "group"}
    figures = {name: lambda line, at=at: _figures([line])[at] for at, name in enumerate(numbers)}
    columns = {**groups, "purpose": "purpose", "model": "model", **figures}
    shown = records(lines, columns, numbers=numbers, elastic=(*groups, "model"))
    if len(lines) > 1:
        shown.add_section()
        shown.add_row("all", *("" for _ in groups), "", *_figures(lines), style=HEADING)
    return shown


def _figures(lines: Sequence[CostLine]) -> tuple[str, ...]:
    counts = (sum(getattr(line, name) for line in lines) for name in ("calls", "failed", "tokens"))
    cost = money(sum((line.cost_usd for line in lines), Decimal()))
    return (*(f"{number:,}" for number in counts), cost, f"{sum(line.seconds for line in lines):,.1f}")


def runs_view(found: Sequence[Run]) -> Table:
    def drawers(run: Run) -> str:
        return f"{run.drawers_kept:,}" if run.state is not RunState.UNDONE else f"({run.drawers_filed:,})"

    columns = {"run": "id", "began": "started_at", "source": "source", "drawers": drawers, "state": "state"}
    return records(found, columns, numbers=("run", "drawers"), elastic=("source",))


@answers(runs_view, nothing="nothing was mined yet: palace mine FILE starts it")
def runs(
    palace: Palace, limit: int = option("--limit", "How many runs at most.", "N", default=20, min=1, max=10_000)
) -> tuple[Run, ...]:
    """List the runs that filed anything, the latest first.

    \b
    palace runs
    palace runs --limit 5
    """
    return palace.runs.list(limit=limit)


def undo_view(summary: UndoSummary) -> Group:
    """Show which runs were undone, what was removed, and how many marks were taken back."""
    verb, gone, back = (
        ("would undo", "would go", "would take back") if summary.dry_run else ("undid", "gone", "took back")
    )
    lines = [f"{verb} run {run.id} ({one_line(run.source)})" for run in summary.runs]
    if summary.removal != Removal() or not summary.marks:
        lines.append(f"{gone}: {removal_line(summary.removal)}")
    if summary.marks:
        marks = count(summary.marks, "mark")
        lines.append(f"{back} {marks}: what was replaced, or no longer in its source, stands again")
    return Group(*lines)


def _extent_of_undo(summary: UndoSummary) -> str:
    marks = [f"{count(summary.marks, 'mark')} taken back"] if summary.marks else []
    removed = [removal_line(summary.removal)] if summary.removal != Removal() or not marks else []
    return ", ".join(removed + marks)


@answers(undo_view)
def undo(
    palace: Palace,
    run: int = argument(
        "RUN", "The run, as `palace runs` lists it.", completes=completion.known("RUN"), min=1, max=LARGEST_NUMBER
    ),
    *,
    cascade: bool = flag("--cascade", "Undo the later runs that built on it as well."),
    dry_run: bool = flag("--dry-run", "Say what would go; undo nothing."),
    yes: options.Yes = False,
) -> UndoSummary:
    """Undo a run: remove the drawers it filed, and what depends on them.

    Says first what will be removed, and asks. If a later run built on it, that run is named and nothing is undone.
    Mining the source again files it again.

    \b
    palace runs
    palace undo 12
    palace undo 12 --cascade --yes
    """
    summary = palace.runs.undo(run, cascade=cascade, dry_run=True)
    if dry_run:
        return summary
    names = " and ".join(f"run {each.id} ({each.source})" for each in summary.runs)
    agreed(f"Undo {names}: {_extent_of_undo(summary)}?", yes=yes, otherwise="nothing was undone")
    return palace.runs.undo(run, cascade=cascade)
