"""Serve HTTP on a loopback port until a signal arrives. Requests are stateless."""

from __future__ import annotations

import asyncio
import errno
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.transport_security import TransportSecuritySettings

from palace.errors import BadRequest, PalaceError
from palace_mcp.http.connection import Connection
from palace_mcp.http.guard import RequestGuard, hosts_at
from palace_mcp.stdio import LARGEST_MESSAGE

HOST = "127.0.0.1"
PATH = "/mcp"
LEAVING_SECONDS = 2
"""Seconds for requests under way when the server stops."""
MOST_CONNECTIONS = 512
"""Connections in all, at most, including idle ones, of which far fewer are allowed."""


def listen(port: int) -> socket.socket:
    """Bind a port and listen on it; 0 takes any free one.

    Raises:
        BadRequest: it is in use.
        PalaceError: it cannot be bound, for instance for lack of permission.
    """
    taken = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        taken.bind((HOST, port))
        taken.listen(MOST_CONNECTIONS)
    except OSError as problem:
        taken.close()
        if problem.errno == errno.EADDRINUSE:
            raise BadRequest(f"port {port} of {HOST} is in use: another --port, or stop what listens there") from None
        raise PalaceError(f"port {port} of {HOST} cannot be used: {problem.strerror}") from problem
    return taken


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
    config = uvicorn.Config(
        RequestGuard(inside, port, LARGEST_MESSAGE, token),
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        http=Connection,
        ws="none",
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=LEAVING_SECONDS,
    )
    asyncio.run(_serve(_Serving(config), taken, lambda: ready(f"http://{HOST}:{port}{PATH}")))


class _Serving(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signal handling to the caller: uvicorn would raise the signals again after its end."""
        yield


async def _serve(serving: _Serving, taken: socket.socket, ready: Callable[[], None]) -> None:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, setattr, serving, "should_exit", True)
    ready()
    await serving.serve(sockets=[taken])
