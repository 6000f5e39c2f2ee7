"""``palace costs``: what calls to models cost."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated

import typer
from rich.table import Table

from palace.records import CostLine
from palace_cli import diagnostics, options, output
from palace_cli.opening import open_palace
from palace_cli.render.figures import money
from palace_cli.render.layout import cell, table

Since = Annotated[str | None, typer.Option("--since", metavar="WHEN", help="Only calls from this date or moment on.")]


def costs(since: Since = None, user: options.User = None, as_json: options.Json = False) -> None:
    """Sum up the calls to models, by purpose and model.

    \b
    palace costs --since 2026-04-01
    """
    start = options.moment("--since", since)
    with open_palace(user) as palace:
        lines = palace.costs(since=start)
    if lines or as_json:
        output.present(lines, costs_view, as_json=as_json)
    if not lines:
        diagnostics.remark("no calls to models")


def costs_view(lines: tuple[CostLine, ...]) -> Table:
    """Show a line a purpose and model, and the sum of all."""
    numbers = ("calls", "failed", "tokens", "cost", "seconds")
    shown = table("purpose", "model", *numbers, numbers=numbers, elastic=("model",))
    for line in lines:
        shown.add_row(cell(line.purpose), cell(line.model), *_figures([line]))
    if len(lines) > 1:
        shown.add_section()
        shown.add_row("all", "", *_figures(lines), style="bold")
    return shown


def _figures(lines: tuple[CostLine, ...] | list[CostLine]) -> tuple[str, ...]:
    return (
        f"{sum(line.calls for line in lines):,}",
        f"{sum(line.failed for line in lines):,}",
        f"{sum(line.tokens for line in lines):,}",
        money(sum((line.cost_usd for line in lines), Decimal())),
        f"{sum(line.seconds for line in lines):,.1f}",
    )
