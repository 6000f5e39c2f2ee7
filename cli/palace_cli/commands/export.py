"""``palace export``: write the palace, or a wing of it, to a file."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table

from palace.records import ExportSummary
from palace_cli import diagnostics, options, output
from palace_cli.opening import open_palace
from palace_cli.render.figures import count, size
from palace_cli.render.layout import named_values

Target = Annotated[str, typer.Argument(metavar="FILE", help="The file to write, or - for standard output.")]
Force = Annotated[bool, typer.Option("--force", help="Replace FILE if it is there.")]


def export(
    target: Target,
    *,
    wing: options.Wing = None,
    force: Force = False,
    user: options.User = None,
    as_json: options.Json = False,
) -> None:
    """Write what a user has, or one wing, to a file in JSON Lines.

    It holds each message verbatim with its pointer, and what was forgotten, merged and moved; not what is
    made from the messages, such as embeddings. palace import reads it.

    \b
    palace export palace.jsonl
    palace export efoil.jsonl --wing "Efoil rebuild"
    palace export - | gzip > palace.jsonl.gz
    """
    with open_palace(user) as palace, diagnostics.progress() as progress:
        to = output.stream() if target == "-" else target
        summary = palace.transfer.export(to, wing=wing, force=force, progress=progress)
    if target == "-":
        diagnostics.remark(f"exported {count(summary.drawers, 'drawer')}, {size(summary.size_bytes)}")
    else:
        output.present(summary, export_view, as_json=as_json)


def export_view(summary: ExportSummary) -> Table:
    """Show what was written where."""
    places = (
        count(summary.wings, "wing"),
        count(summary.rooms, "room"),
        count(summary.conversations, "conversation"),
    )
    return named_values(
        [
            ("exported", f"{summary.file}, {size(summary.size_bytes)}"),
            ("drawers", f"{summary.drawers:,}"),
            ("places", ", ".join(places)),
            ("forgotten", count(summary.tombstones, "tombstone") if summary.tombstones else ""),
            ("runs", f"{summary.runs:,}"),
            ("time", f"{summary.seconds:,.1f} s"),
        ]
    )
