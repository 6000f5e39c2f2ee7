"""The database server, and its backups, as people read about them."""

from __future__ import annotations

from rich.table import Table

from palace.records import Backup, RestoreSummary, ServerStatus
from palace_cli.render.figures import size
from palace_cli.render.layout import named_values


def server_view(server: ServerStatus) -> Table:
    """Show a server's state."""
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
    """Show what was written where."""
    return named_values(
        [
            ("backup", str(backup.file)),
            ("size", size(backup.size_bytes)),
            ("schema", f"{backup.schema}, revision {backup.revision}"),
        ]
    )


def restore_view(restored: RestoreSummary) -> Table:
    """Show what is there now."""
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
