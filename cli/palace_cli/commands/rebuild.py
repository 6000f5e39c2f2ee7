"""``palace rebuild``: make the index afresh from the drawers."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table

from palace.models import RebuildSummary
from palace.models.graph import ExtractionEstimate, ExtractionSummary
from palace_cli import diagnostics, options, output
from palace_cli.command import Palace, agreed, show
from palace_cli.diagnostics import ExitCode
from palace_cli.opening import open_palace
from palace_cli.options import option
from palace_cli.render.figures import count, money
from palace_cli.render.layout import named_values

Extraction = Annotated[
    bool, option("--extraction", "Have the model of the settings read what it has not read; asks first.")
]

LONG = 1_000
"""Drawers from which on a rebuild takes long enough to be asked about."""


def rebuild(
    *,
    wing: options.Wing = None,
    extraction: Extraction = False,
    yes: options.Yes = False,
    user: options.User = None,
    as_json: options.Json = False,
) -> None:
    """Make everything that is an index afresh from the drawers.

    Drawers, pointers and names stay as they are; passages, embeddings, closets and counts are made again.
    Of 1,000 drawers and more it says how many there are and asks. Recall and mining go on meanwhile. Interrupted, the
    same command goes on with what is left. If the model fails, some is left: the exit code is then 1.

    --extraction does something else: it sends what was filed to the language model that the settings name
    for extraction (docs/extraction.md). It says how much that is and what it may cost, and asks.

    \b
    palace rebuild
    palace rebuild --wing "Efoil rebuild"
    palace rebuild --extraction
    """
    if extraction:
        _extract(wing, yes=yes, user=user, as_json=as_json)
        return
    with open_palace(user) as palace, diagnostics.progress() as progress:
        if not yes and (question := _question(palace, wing)):
            agreed(question, yes=False, otherwise="nothing was made afresh")
        summary = palace.rebuild(wing=wing, progress=progress)
    is_empty = not summary.conversations + summary.conversations_before + summary.conversations_left
    if as_json or not is_empty:
        output.present(summary, summary_view, as_json=as_json)
    if is_empty:
        diagnostics.remark("there is nothing to rebuild: palace mine FILE fills the palace")
    diagnostics.warn(summary.warnings)
    if summary.conversations_left:
        raise typer.Exit(ExitCode.INCOMPLETE)


def _question(palace: Palace, wing: str | None) -> str | None:
    status = palace.status()
    drawers = status.drawers if wing is None else palace.tree.wing(wing).drawer_count
    if drawers < LONG or not status.embeddings:
        return None
    model = status.embeddings[0].generation.model
    return f"Make the index of {count(drawers, 'drawer')} afresh, with embeddings by {model}?"


def _extract(wing: str | None, *, yes: bool, user: str | None, as_json: bool) -> None:
    """Say what having a model read the palace would take, ask, and do it."""
    with open_palace(user) as palace, diagnostics.progress() as progress:
        planned = palace.extraction.estimate(wing=wing)
        if not planned.calls:
            diagnostics.remark(f"there is nothing that {planned.model} has not read")
        elif not yes and not diagnostics.confirm(estimate_question(planned)):
            output.present(planned, estimate_view, as_json=as_json)
            diagnostics.remark("nothing was sent")
            raise typer.Exit(ExitCode.INCOMPLETE)
        summary = palace.extraction.run(wing=wing, progress=progress)
    show(summary, extraction_view, as_json=as_json)
    if summary.unread:
        raise typer.Exit(ExitCode.INCOMPLETE)


def summary_view(summary: RebuildSummary) -> Table:
    return named_values(
        [
            ("wing", summary.wing or ""),
            ("made afresh", _conversations(summary)),
            ("drawers", f"{summary.drawers:,}"),
            ("passages", f"{summary.passages:,} with sentences, {summary.passages_embedded:,} of them embedded"),
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


def estimate_question(estimate: ExtractionEstimate) -> str:
    """Ask whether to send what an estimate is about: what, to whom, and what it may cost."""
    left = f"today's budget has {estimate.tokens_left:,} tokens and {money(estimate.cost_left_usd)} left"
    return (
        f"Send {count(estimate.drawers, 'drawer')} of {count(estimate.conversations, 'conversation')} to"
        f" {estimate.model} in {count(estimate.calls, 'call')}, at most {estimate.tokens:,} tokens and"
        f" {_cost(estimate)} ({left})?"
    )


def estimate_view(estimate: ExtractionEstimate) -> Table:
    return named_values(
        [
            ("model", estimate.model),
            ("wing", estimate.wing or ""),
            ("to be sent", f"{count(estimate.drawers, 'drawer')} of {count(estimate.conversations, 'conversation')}"),
            ("calls", f"{estimate.calls:,}"),
            ("tokens", f"at most {estimate.tokens:,}; {estimate.tokens_left:,} left today"),
            ("cost", f"at most {_cost(estimate)}; {money(estimate.cost_left_usd)} left today"),
        ]
    )


def extraction_view(summary: ExtractionSummary) -> Table:
    left = f", {summary.unread:,} left (palace rebuild --extraction)" if summary.unread else ""
    return named_values(
        [
            ("model", summary.model),
            ("wing", summary.wing or ""),
            ("conversations", f"{summary.conversations:,}"),
            ("stretches read", f"{summary.read:,}{left}"),
            ("not taken over", f"{summary.dropped:,}, which do not stand in what was said" if summary.dropped else ""),
            ("tokens", f"{summary.tokens:,}"),
            ("cost", money(summary.cost_usd)),
            ("time", f"{summary.seconds:,.1f} s"),
        ]
    )


def _cost(estimate: ExtractionEstimate) -> str:
    return money(estimate.cost_usd) if estimate.is_priced else "a price that is not known"
