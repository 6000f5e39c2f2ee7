"""The database server as people read about it."""

from __future__ import annotations

from rich.table import Table

from palace.records import ServerStatus
from palace_cli.render.figures import size
from palace_cli.render.layout import named_values


def server_view(server: ServerStatus) -> Table:
    """Show a server's state."""
    return named_values(server_rows(server))


def server_rows(server: ServerStatus) -> list[tuple[str, str]]:
    """Name what is known of a server; what is not known is empty."""
    pid = f", process {server.pid}" if server.pid else ""
    return [
        ("server", f"{server.kind}, {'running' if server.running else 'not running'}{pid}"),
        ("version", server.version or ""),
        ("url", server.url),
        ("folder", server.data_folder or ""),
        ("size", size(server.data_bytes) if server.data_bytes is not None else ""),
    ]
