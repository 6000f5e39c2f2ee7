"""``palace costs``: what calls to models cost."""

from __future__ import annotations

from decimal import Decimal
from functools import partial
from typing import Annotated

from rich.table import Table

from palace.models import CostGrouping, CostLine
from palace_cli import options
from palace_cli.command import show
from palace_cli.opening import open_palace
from palace_cli.options import option
from palace_cli.render.figures import money
from palace_cli.render.layout import cell, table
from palace_cli.styles import HEADING

Since = Annotated[str | None, option("--since", "Only calls from this date or moment on.", "WHEN")]

By = Annotated[CostGrouping | None, option("--by", "Sum up by day, source, model or conversation as well.")]


def costs(since: Since = None, by: By = None, user: options.User = None, as_json: options.Json = False) -> None:
    """Sum up the calls to models, by purpose and model.

    A source is what was mined, as it was named then. What was about several conversations at once, as
    embedding is, stands under none.

    \b
    palace costs --since 2026-04-01
    palace costs --by day
    """
    start = options.moment("--since", since)
    with open_palace(user) as palace:
        lines = palace.costs(since=start, by=by)
    show(lines, partial(costs_view, by=by), as_json=as_json, nothing="no calls to models")


def costs_view(lines: tuple[CostLine, ...], by: CostGrouping | None = None) -> Table:
    """Show a line a purpose and model, and a group where one was asked for; and the sum of all."""
    numbers = ("calls", "failed", "tokens", "cost", "seconds")
    grouped = by is not None and by is not CostGrouping.MODEL
    groups = (str(by),) if grouped else ()
    shown = table(*groups, "purpose", "model", *numbers, numbers=numbers, elastic=(*groups, "model"))
    for line in lines:
        group = (cell(line.group),) if grouped else ()
        shown.add_row(*group, cell(line.purpose), cell(line.model), *_figures([line]))
    if len(lines) > 1:
        shown.add_section()
        shown.add_row("all", *("" for _ in groups), "", *_figures(lines), style=HEADING)
    return shown


def _figures(lines: tuple[CostLine, ...] | list[CostLine]) -> tuple[str, ...]:
    return (
        f"{sum(line.calls for line in lines):,}",
        f"{sum(line.failed for line in lines):,}",
        f"{sum(line.tokens for line in lines):,}",
        money(sum((line.cost_usd for line in lines), Decimal())),
        f"{sum(line.seconds for line in lines):,.1f}",
    )
