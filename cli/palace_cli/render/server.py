"""Views of the database server, its backups, and the embedding models in use."""

from __future__ import annotations

from rich.table import Table

from palace.models import Backup, GenerationStatus, RestoreSummary, ServerStatus
from palace_cli.render.figures import size
from palace_cli.render.layout import named_values, records


def server_view(server: ServerStatus) -> Table:
    return named_values(server_rows(server))


def server_rows(server: ServerStatus) -> list[tuple[str, str | None]]:
    """Return the properties of a server by name; unknown ones are empty."""
    pid = f", process {server.pid}" if server.pid else ""
    return [
        ("server", f"{server.kind}, {'running' if server.running else server.hindrance or 'not running'}{pid}"),
        ("version", server.version),
        ("url", server.url),
        ("folder", server.data_folder),
        ("size", size(server.data_bytes) if server.data_bytes is not None else ""),
    ]


def backup_view(backup: Backup) -> Table:
    schema = f"{backup.schema}, revision {backup.revision}"
    return named_values({"backup": backup.file, "size": size(backup.size_bytes), "schema": schema})


def restore_view(restored: RestoreSummary) -> Table:
    is_older = restored.revision_before != restored.revision
    migrated = f", migrated from {restored.revision_before}" if is_older else ""
    schema = f"{restored.schema}, revision {restored.revision}{migrated}"
    counts = {"users": restored.users, "drawers": restored.drawers}
    return named_values({"restored": restored.file, "schema": schema, **counts})


def generations_view(generations: tuple[GenerationStatus, ...]) -> Table:
    columns = {
        "model": lambda status: status.generation.model,
        "dimension": lambda status: str(status.generation.dimension),
        "state": "state",
        "embedded": "embedded",
        "pending": "pending",
    }
    return records(generations, columns, numbers=("dimension", "embedded", "pending"), elastic=("model",))
