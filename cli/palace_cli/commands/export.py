"""``palace export``: write the palace, or a wing of it, to a file."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

from rich.table import Table

from palace.errors import BadRequest
from palace.models import ExportSummary, PagesSummary
from palace_cli import diagnostics, options, output
from palace_cli.opening import open_palace
from palace_cli.options import argument, option
from palace_cli.render.figures import count, size
from palace_cli.render.layout import named_values

Target = Annotated[str | None, argument("FILE", "The file to write, or - for standard output.", show_default=False)]
Force = Annotated[bool, option("--force", "Replace FILE, or pages in FOLDER, if they are there.")]
Settings = Annotated[bool, option("--settings", "Take settings along, but no models, addresses or keys.")]


class Format(StrEnum):
    """What an export may be."""

    JSONL = "jsonl"
    MARKDOWN = "markdown"
    HTML = "html"


As = Annotated[Format, option("--format", "What palace import reads, or pages for people.")]
To = Annotated[Path | None, option("--to", "Where the pages go.", "FOLDER", show_default=False)]


def export(
    target: Target = None,
    *,
    as_: As = Format.JSONL,
    to: To = None,
    with_settings: Settings = False,
    wing: options.Wing = None,
    force: Force = False,
    user: options.User = None,
    as_json: options.Json = False,
) -> None:
    """Write what a user has, or one wing, to a file, or as pages.

    The file holds each message verbatim with its pointer, and what was forgotten, merged and moved; not what is
    made from the messages, such as embeddings. palace import reads it.

    \b
    palace export palace.jsonl
    palace export efoil.jsonl --wing "Efoil rebuild"
    palace export - | gzip > palace.jsonl.gz
    palace export --format html --to pages
    """
    if as_ is not Format.JSONL:
        if to is None or target is not None:
            raise BadRequest("name the folder of the pages, as in `palace export --format html --to pages`")
        with open_palace(user) as palace, diagnostics.progress() as progress:
            pages = palace.transfer.pages(to, format=as_.value, wing=wing, force=force, progress=progress)
        output.present(pages, pages_view, as_json=as_json)
        return
    if target is None or to is not None:
        raise BadRequest("name the file to write, as in `palace export palace.jsonl`; --to goes with --format html")
    with open_palace(user) as palace, diagnostics.progress() as progress:
        into = output.stream() if target == "-" else target
        summary = palace.transfer.export(into, wing=wing, force=force, settings=with_settings, progress=progress)
    if target == "-":
        diagnostics.remark(f"exported {count(summary.drawers, 'drawer')}, {size(summary.size_bytes)}")
    else:
        output.present(summary, export_view, as_json=as_json)
    diagnostics.warn(summary.warnings)


def pages_view(summary: PagesSummary) -> Table:
    places = (count(summary.wings, "wing"), count(summary.rooms, "room"))
    return named_values(
        [
            ("written", f"{summary.folder}, {summary.format}"),
            ("drawers", f"{summary.drawers:,}"),
            ("places", ", ".join(places)),
            ("time", f"{summary.seconds:,.1f} s"),
        ]
    )


def export_view(summary: ExportSummary) -> Table:
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
