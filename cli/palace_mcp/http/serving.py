"""Serving on a port of the loopback address until a signal comes. No request depends on another: nothing is kept."""

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
from palace_mcp.http.door import Connection, Door, hosts_at
from palace_mcp.stdio import LARGEST_MESSAGE

HOST = "127.0.0.1"
PATH = "/mcp"
LEAVING_SECONDS = 2
"""How long what is under way may take when the server is to end."""
MOST_CONNECTIONS = 512
"""With those on which nothing was asked yet, which are far fewer."""


def listen(port: int) -> socket.socket:
    """Take a port; 0 takes any that is free.

    Raises:
        BadRequest: it is in use, or not for everybody to take.
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
    """Serve whoever is let in, until a signal asks for the end; ``ready`` is told the address."""
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
        Door(inside, port, LARGEST_MESSAGE, token),
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
        """Leave signals to who serves: uvicorn would raise them again behind its end."""
        yield


async def _serve(serving: _Serving, taken: socket.socket, ready: Callable[[], None]) -> None:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, setattr, serving, "should_exit", True)
    ready()
    await serving.serve(sockets=[taken])
