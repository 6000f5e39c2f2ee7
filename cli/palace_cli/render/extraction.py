"""What having a model read the palace would take, and what came of it."""

from __future__ import annotations

from rich.table import Table

from palace.records.graph import ExtractionEstimate, ExtractionSummary
from palace_cli.render.figures import count, money
from palace_cli.render.layout import named_values


def estimate_question(estimate: ExtractionEstimate) -> str:
    """Ask whether to send what an estimate is about: what, to whom, and what it may cost."""
    left = f"today's budget has {estimate.tokens_left:,} tokens and {money(estimate.cost_left_usd)} left"
    return (
        f"Send {count(estimate.drawers, 'drawer')} of {count(estimate.conversations, 'conversation')} to"
        f" {estimate.model} in {count(estimate.calls, 'call')}, at most {estimate.tokens:,} tokens and"
        f" {_cost(estimate)} ({left})?"
    )


def estimate_view(estimate: ExtractionEstimate) -> Table:
    """Show what it would take."""
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


def summary_view(summary: ExtractionSummary) -> Table:
    """Show what was read."""
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
