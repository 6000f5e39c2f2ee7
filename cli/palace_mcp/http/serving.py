"""Serve MCP on a loopback port until a signal arrives. Requests are stateless."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any

from mcp.server.lowlevel import Server
from mcp.server.transport_security import TransportSecuritySettings

from palace_mcp.http import listening
from palace_mcp.http.guard import RequestGuard, hosts_at
from palace_mcp.stdio import LARGEST_MESSAGE

HOST = "127.0.0.1"
PATH = "/mcp"
LEAVING_SECONDS = 2
"""Seconds for requests under way when the server stops."""
MOST_CONNECTIONS = 512
"""Connections in all, at most, including idle ones, of which far fewer are allowed."""


def serve(server: Server[Any], taken: socket.socket, token: str | None, ready: Callable[[str], None]) -> None:
    """Serve until a signal arrives; ``ready`` is called with the URL."""
    port = taken.getsockname()[1]
    hosts = hosts_at(port)
    inside = server.streamable_http_app(
        streamable_http_path=PATH,
        stateless_http=True,
        max_request_body_size=LARGEST_MESSAGE,
        transport_security=TransportSecuritySettings(
            allowed_hosts=hosts, allowed_origins=[f"http://{host}" for host in hosts]
        ),
    )
    guarded = RequestGuard(inside, port, LARGEST_MESSAGE, token)
    listening.serve_until_signal(
        listening.make_server(guarded, connections=MOST_CONNECTIONS, leaving_seconds=LEAVING_SECONDS),
        taken,
        lambda: ready(f"http://{HOST}:{port}{PATH}"),
    )
