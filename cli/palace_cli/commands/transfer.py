"""``palace export`` and ``import``: write the palace, or a wing of it, to a file, and import one."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

from rich.table import Table

from palace.errors import BadRequest
from palace.models import ExportSummary, ImportSummary, PagesSummary
from palace_cli import diagnostics, options, output
from palace_cli.command import Palace, answers, write_answer
from palace_cli.opening import open_palace
from palace_cli.options import argument, flag, option
from palace_cli.render.figures import count, counts, passages, size
from palace_cli.render.layout import named_values


class Format(StrEnum):
    """The formats of an export."""

    JSONL = "jsonl"
    MARKDOWN = "markdown"
    HTML = "html"


def export(
    target: str | None = argument(
        "TARGET", "The file to write, or - for standard output; of pages, the folder.", default=None, show_default=False
    ),
    *,
    as_: Format = option("--format", "What palace import reads, or pages for people.", default=Format.JSONL),
    to: Path | None = option("--to", "The folder of pages, as TARGET names it too.", "FOLDER", show_default=False),
    with_settings: bool = flag("--settings", "Take settings along, but no models, addresses or keys."),
    wing: options.Wing = None,
    force: bool = flag("--force", "Replace the file, or the pages in the folder, if they are there."),
    user: options.User = None,
    as_json: options.Json = False,
) -> None:
    """Write what a user has, or one wing, to a file, or as pages.

    The file holds each message verbatim with its pointer, and what was forgotten, merged and moved; not what is
    derived from the messages, such as embeddings. `palace import` reads it.

    \b
    palace export palace.jsonl
    palace export efoil.jsonl --wing "Efoil rebuild"
    palace export - | gzip > palace.jsonl.gz
    palace export --format html pages
    """
    is_pages = as_ is not Format.JSONL
    if is_pages and ((to is None) == (not target) or target == "-"):
        raise BadRequest("name the folder of the pages, as in `palace export --format html pages`")
    if not is_pages and (not target or to is not None):
        raise BadRequest("name the file to write, as in `palace export palace.jsonl`; --to goes with --format html")
    folder = to or Path(target or "") if is_pages else None
    with open_palace(user) as palace, diagnostics.progress() as progress:
        if folder is not None:
            pages = palace.transfer.pages(folder, format=as_.value, wing=wing, force=force, progress=progress)
            return output.present(pages, pages_view, as_json=as_json)
        into = output.stream() if target == "-" else target or ""
        summary = palace.transfer.export(into, wing=wing, force=force, settings=with_settings, progress=progress)
    if target != "-":
        return write_answer(summary, export_view, as_json=as_json)
    diagnostics.remark(f"exported {count(summary.drawers, 'drawer')}, {size(summary.size_bytes)}")
    diagnostics.warn(summary.warnings)


def pages_view(summary: PagesSummary) -> Table:
    return named_values(
        {
            "written": f"{summary.folder}, {summary.format}",
            "drawers": summary.drawers,
            "places": counts(summary, "wing", "room"),
            "time": summary.seconds,
        }
    )


def export_view(summary: ExportSummary) -> Table:
    return named_values(
        {
            "exported": f"{summary.file}, {size(summary.size_bytes)}",
            "drawers": summary.drawers,
            "places": counts(summary, "wing", "room", "conversation"),
            "forgotten": count(summary.tombstones, "tombstone") if summary.tombstones else "",
            "runs": summary.runs,
            "time": summary.seconds,
        }
    )


def import_view(summary: ImportSummary) -> Table:
    new, unchanged, forgotten = summary.drawers_new, summary.drawers_unchanged, summary.drawers_forgotten
    return named_values(
        {
            "drawers": f"{new:,} new, {unchanged:,} unchanged, {forgotten:,} forgotten",
            "read": counts(summary, "wing", "conversation", "tombstone"),
            "joined": _joined(summary) if summary.is_joined else "",
            "settings": summary.settings or "",
            "passages": passages(summary),
            "cost": summary.cost_usd,
            "time": summary.seconds,
        }
    )


def _joined(summary: ImportSummary) -> str:
    drawers = sum("/D-" in place.was for place in summary.moved)
    moved = {"room": len(summary.moved) - drawers, "drawer": drawers}
    told = " and ".join(count(many, noun) for noun, many in moved.items() if many)
    return f"{told} under other pointers here; --json lists them" if told else "under the same pointers"


@answers(import_view, makes_user=True)
def import_(
    palace: Palace,
    source: str = argument("FILE", "An export, or - for standard input."),
    *,
    with_settings: bool = flag("--settings", "Take up what the file sets and is not set here."),
) -> ImportSummary:
    """Fill a palace from an export, restore what is missing, or join two palaces.

    The file is read to its end before anything is stored. What is there stays as it is, and what was
    forgotten stays forgotten. What is missing of another palace's file gets new pointers; --json
    lists them. Interrupted, the same command goes on.

    \b
    palace import palace.jsonl
    palace import efoil.jsonl --user derek --new-user
    palace import desktop.jsonl --json
    """
    if not source:
        raise BadRequest("name the file to read, as in `palace import palace.jsonl`")
    with diagnostics.progress() as progress:
        return palace.transfer.load(source, settings=with_settings, progress=progress)
