"""The database server, its backups, and the embedding models in use, as people read about them."""

from __future__ import annotations

from rich.table import Table

from palace.models import Backup, GenerationStatus, RestoreSummary, ServerStatus
from palace_cli.render.figures import size
from palace_cli.render.layout import cell, named_values, table


def server_view(server: ServerStatus) -> Table:
    return named_values(server_rows(server))


def server_rows(server: ServerStatus) -> list[tuple[str, str]]:
    """Name what is known of a server; what is not known is empty."""
    pid = f", process {server.pid}" if server.pid else ""
    return [
        ("server", f"{server.kind}, {'running' if server.running else server.hindrance or 'not running'}{pid}"),
        ("version", server.version or ""),
        ("url", server.url),
        ("folder", server.data_folder or ""),
        ("size", size(server.data_bytes) if server.data_bytes is not None else ""),
    ]


def backup_view(backup: Backup) -> Table:
    return named_values(
        [
            ("backup", str(backup.file)),
            ("size", size(backup.size_bytes)),
            ("schema", f"{backup.schema}, revision {backup.revision}"),
        ]
    )


def restore_view(restored: RestoreSummary) -> Table:
    is_older = restored.revision_before != restored.revision
    migrated = f", migrated from {restored.revision_before}" if is_older else ""
    return named_values(
        [
            ("restored", str(restored.file)),
            ("schema", f"{restored.schema}, revision {restored.revision}{migrated}"),
            ("users", f"{restored.users:,}"),
            ("drawers", f"{restored.drawers:,}"),
        ]
    )


def generations_view(generations: tuple[GenerationStatus, ...]) -> Table:
    numbers = ("dimension", "embedded", "pending")
    shown = table("model", "dimension", "state", "embedded", "pending", numbers=numbers, elastic=("model",))
    for status in generations:
        generation = status.generation
        counts = (f"{status.embedded:,}", f"{status.pending:,}")
        shown.add_row(cell(generation.model), str(generation.dimension), status.state, *counts)
    return shown
