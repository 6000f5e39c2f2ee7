"""``palace rebuild`` and ``scrub``: rebuild the index from the drawers, and remove secrets from what was filed."""

from __future__ import annotations

import typer
from rich.table import Table

from palace.models import RebuildSummary, ScrubSummary
from palace.models.graph import ExtractionEstimate, ExtractionSummary
from palace_cli import diagnostics, options, output
from palace_cli.command import Palace, agreed, answers, write_answer
from palace_cli.diagnostics import ExitCode
from palace_cli.opening import open_palace
from palace_cli.options import flag
from palace_cli.render.figures import count, money, secrets_of
from palace_cli.render.layout import named_values

LONG = 1_000
"""Drawers from which on a rebuild takes long enough to be asked about."""


def rebuild(
    *,
    wing: options.Wing = None,
    extraction: bool = flag("--extraction", "Have the model of the settings read what it has not read; asks first."),
    yes: options.Yes = False,
    user: options.User = None,
    as_json: options.Json = False,
) -> None:
    """Rebuild the whole index from the drawers.

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
    """Say what it costs to let a model read the palace, ask, and do it."""
    with open_palace(user) as palace, diagnostics.progress() as progress:
        planned = palace.extraction.estimate(wing=wing)
        if not planned.calls:
            diagnostics.remark(f"there is nothing that {planned.model} has not read")
        elif not yes and not diagnostics.confirm(estimate_question(planned)):
            output.present(planned, estimate_view, as_json=as_json)
            diagnostics.remark("nothing was sent")
            raise typer.Exit(ExitCode.INCOMPLETE)
        summary = palace.extraction.run(wing=wing, progress=progress)
    write_answer(summary, extraction_view, as_json=as_json)
    if summary.unread:
        raise typer.Exit(ExitCode.INCOMPLETE)


def summary_view(summary: RebuildSummary) -> Table:
    return named_values(
        {
            "wing": summary.wing,
            "made afresh": _conversations(summary),
            "drawers": summary.drawers,
            "passages": f"{summary.passages:,} with sentences, {summary.passages_embedded:,} of them embedded",
            "closets": summary.closets,
            "indexes": ", ".join(summary.indexes),
            "cost": summary.cost_usd,
            "time": summary.seconds,
        }
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
        {
            "model": estimate.model,
            "wing": estimate.wing,
            "to be sent": f"{count(estimate.drawers, 'drawer')} of {count(estimate.conversations, 'conversation')}",
            "calls": estimate.calls,
            "tokens": f"at most {estimate.tokens:,}; {estimate.tokens_left:,} left today",
            "cost": f"at most {_cost(estimate)}; {money(estimate.cost_left_usd)} left today",
        }
    )


def extraction_view(summary: ExtractionSummary) -> Table:
    left = f", {summary.unread:,} left (palace rebuild --extraction)" if summary.unread else ""
    return named_values(
        {
            "model": summary.model,
            "wing": summary.wing,
            "conversations": summary.conversations,
            "stretches read": f"{summary.read:,}{left}",
            "not taken over": f"{summary.dropped:,}, which do not stand in what was said" if summary.dropped else "",
            "tokens": summary.tokens,
            "cost": summary.cost_usd,
            "time": summary.seconds,
        }
    )


def _cost(estimate: ExtractionEstimate) -> str:
    return money(estimate.cost_usd) if estimate.is_priced else "a price that is not known"


def scrubbed_view(summary: ScrubSummary) -> Table:
    return named_values(
        {
            "dry run": "nothing was changed; this is what would be taken out" if summary.dry_run else "",
            "wing": summary.wing,
            "read": count(summary.read, "drawer"),
            "secrets": secrets_of(summary.secrets) or "none",
            "in": f"{count(summary.drawers, 'drawer')} of {count(summary.conversations, 'conversation')}",
            "names": summary.names or "",
            "time": summary.seconds,
        }
    )


@answers(scrubbed_view)
def scrub(
    palace: Palace, *, wing: options.Wing = None, dry_run: bool = flag("--dry-run", "Only say what would be taken out.")
) -> ScrubSummary:
    """Remove secrets from what was filed before.

    Keys, tokens, passwords, private keys and card numbers become [secret: kind], in messages, old versions, titles
    and all that was derived from them; pointers stay. Interrupted, the same command goes on. What was exported or
    backed up before is out of reach, and so are the files that were mined (docs/secrets.md).

    \b
    palace scrub --dry-run
    palace scrub
    palace scrub --wing "Efoil rebuild"
    """
    with diagnostics.progress() as progress:
        return palace.scrub(wing=wing, dry_run=dry_run, progress=progress)
