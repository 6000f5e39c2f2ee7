"""``palace import``: take up what ``palace export`` wrote."""

from __future__ import annotations

from typing import Annotated

from rich.table import Table

from palace.models import ImportSummary
from palace_cli import diagnostics, options
from palace_cli.command import show
from palace_cli.opening import open_palace
from palace_cli.options import argument, option
from palace_cli.render.figures import count, money, passages
from palace_cli.render.layout import named_values

Source = Annotated[str, argument("FILE", "An export, or - for standard input.")]


Settings = Annotated[bool, option("--settings", "Take up what the file sets and is not set here.")]


def import_(
    source: Source,
    *,
    with_settings: Settings = False,
    user: options.User = None,
    new_user: options.NewUser = False,
    as_json: options.Json = False,
) -> None:
    """Fill a palace from an export, put back what is gone, or join two.

    The file is read to its end before anything is stored. What is there stays as it is, and what was
    forgotten stays forgotten. Of another palace's file, what is missing comes under new pointers; --json
    lists them. Interrupted, the same command goes on.

    \b
    palace import palace.jsonl
    palace import efoil.jsonl --user derek --new-user
    palace import desktop.jsonl --json
    """
    with open_palace(user, new_user=new_user) as palace, diagnostics.progress() as progress:
        summary = palace.transfer.load(source, settings=with_settings, progress=progress)
    show(summary, import_view, as_json=as_json)


def import_view(summary: ImportSummary) -> Table:
    found = (
        count(summary.wings, "wing"),
        count(summary.conversations, "conversation"),
        count(summary.tombstones, "tombstone"),
    )
    return named_values(
        [
            ("drawers", _drawers(summary)),
            ("read", ", ".join(found)),
            ("joined", _joined(summary)),
            ("settings", f"{summary.settings:,}" if summary.settings else ""),
            ("passages", passages(summary)),
            ("cost", money(summary.cost_usd)),
            ("time", f"{summary.seconds:,.1f} s"),
        ]
    )


def _drawers(summary: ImportSummary) -> str:
    new, unchanged, forgotten = summary.drawers_new, summary.drawers_unchanged, summary.drawers_forgotten
    return f"{new:,} new, {unchanged:,} unchanged, {forgotten:,} forgotten"


def _joined(summary: ImportSummary) -> str:
    if not summary.is_joined:
        return ""
    drawers = sum("/D-" in place.was for place in summary.moved)
    moved = {"room": len(summary.moved) - drawers, "drawer": drawers}
    told = " and ".join(count(many, noun) for noun, many in moved.items() if many)
    return f"{told} under other pointers here; --json lists them" if told else "under the same pointers"
