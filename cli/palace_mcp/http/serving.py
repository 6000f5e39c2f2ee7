"""Serving on a port of the loopback address until a signal comes."""

from __future__ import annotations

import errno
import signal
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from typing import Any

import anyio
import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.transport_security import TransportSecuritySettings
from starlette.types import ASGIApp

from palace.errors import BadRequest, PalaceError
from palace_mcp.http.door import Bodies, Connection, Door, hosts_at
from palace_mcp.http.sessions import Sessions
from palace_mcp.stdio import LARGEST_MESSAGE

HOST = "127.0.0.1"
PATH = "/mcp"

MOST_SESSIONS = 200
"""At once: of more, the one that has been idle for longest makes place."""
IDLE_SECONDS = 1800.0
"""After so long without a request a session ends; its client begins another by itself."""

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


def address_of(taken: socket.socket) -> str:
    """Give the address that clients are configured with."""
    return f"http://{HOST}:{taken.getsockname()[1]}{PATH}"


def application(server: Server[Any], port: int, token: str | None) -> ASGIApp:
    """Make the application of a server on a port."""
    hosts = hosts_at(port)
    inside = server.streamable_http_app(
        streamable_http_path=PATH,
        max_request_body_size=LARGEST_MESSAGE,
        session_idle_timeout=IDLE_SECONDS,
        max_sessions=MOST_SESSIONS,
        transport_security=TransportSecuritySettings(
            allowed_hosts=sorted(hosts), allowed_origins=sorted(f"http://{host}" for host in hosts)
        ),
    )
    return Door(Bodies(Sessions(inside, MOST_SESSIONS), LARGEST_MESSAGE), hosts, token)


def serve(server: Server[Any], taken: socket.socket, token: str | None, ready: Callable[[], None]) -> None:
    """Serve whoever is let in, until a signal asks for the end."""
    app = application(server, taken.getsockname()[1], token)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        http=Connection,
        ws="none",
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=LEAVING_SECONDS,
    )
    anyio.run(_serve, _Serving(config), taken, ready)


class _Serving(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to who serves: uvicorn would raise them again behind its end."""
        yield


async def _serve(serving: _Serving, taken: socket.socket, ready: Callable[[], None]) -> None:
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT, signal.SIGHUP) as signals:
        async with anyio.create_task_group() as group:
            group.start_soon(_end_at, signals, serving)
            ready()
            await serving.serve(sockets=[taken])
            group.cancel_scope.cancel()


async def _end_at(signals: AsyncIterator[signal.Signals], serving: _Serving) -> None:
    async for _ in signals:
        serving.should_exit = True
