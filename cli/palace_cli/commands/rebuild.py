"""``palace rebuild``: make the index afresh from the drawers."""

from __future__ import annotations

import typer
from rich.table import Table

from palace.records import RebuildSummary
from palace_cli import diagnostics, options, output
from palace_cli.diagnostics import ExitCode
from palace_cli.opening import open_palace
from palace_cli.render.figures import count, money
from palace_cli.render.layout import named_values


def rebuild(*, wing: options.Wing = None, user: options.User = None, as_json: options.Json = False) -> None:
    """Make everything that is an index afresh from the drawers.

    Drawers, pointers and names stay as they are; passages, embeddings, closets and counts are made again.
    Recall and mining go on meanwhile. Interrupted, the same command goes on with what is left. If the
    model fails, some is left: the exit code is then 1.

    \b
    palace rebuild
    palace rebuild --wing "Efoil rebuild"
    """
    with open_palace(user) as palace, diagnostics.progress() as progress:
        summary = palace.rebuild(wing=wing, progress=progress)
    is_empty = not summary.conversations + summary.conversations_before + summary.conversations_left
    if as_json or not is_empty:
        output.present(summary, summary_view, as_json=as_json)
    if is_empty:
        diagnostics.remark("there is nothing to rebuild: palace mine FILE fills the palace")
    diagnostics.warn(summary.warnings)
    if summary.conversations_left:
        raise typer.Exit(ExitCode.INCOMPLETE)


def summary_view(summary: RebuildSummary) -> Table:
    """Show what a rebuild did, and what it left."""
    return named_values(
        [
            ("wing", summary.wing or ""),
            ("made afresh", _conversations(summary)),
            ("drawers", f"{summary.drawers:,}"),
            ("passages", f"{summary.passages:,}, {summary.passages_embedded:,} of them embedded"),
            ("closets", f"{summary.closets:,}"),
            ("indexes", ", ".join(summary.indexes)),
            ("cost", money(summary.cost_usd)),
            ("time", f"{summary.seconds:,.1f} s"),
        ]
    )


def _conversations(summary: RebuildSummary) -> str:
    before = f", {summary.conversations_before:,} before it was interrupted" if summary.resumed else ""
    left = f", {summary.conversations_left:,} left (palace rebuild)" if summary.conversations_left else ""
    return f"{count(summary.conversations, 'conversation')}{before}{left}"
