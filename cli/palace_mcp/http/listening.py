"""Listen on a TCP port, and serve an application until a signal arrives; needs no library of the protocol."""

from __future__ import annotations

import asyncio
import errno
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp

from palace.errors import BadRequest, PalaceError
from palace_mcp.http.connection import Connection

MOST_WAITING = 1024
"""Connections that wait to be accepted, at most."""


def listen(host: str, port: int) -> socket.socket:
    """Listen on a port of an address of this machine; 0 takes any free one.

    Raises:
        BadRequest: it is in use, or there is no such address.
        PalaceError: it cannot be used, for instance for lack of permission.
    """
    try:
        (family, stream, protocol, _, address), *_ = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        # asyncio sends small parts at once only on a socket that names its protocol.
        made = socket.socket(family, stream, protocol)
    except OSError as problem:
        raise BadRequest(f"{host} is no address of this machine: {problem.strerror}") from problem
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind(address)
        made.listen(MOST_WAITING)
    except OSError as problem:
        made.close()
        if problem.errno == errno.EADDRINUSE:
            raise BadRequest(f"port {port} of {host} is in use: another --port, or stop what listens there") from None
        kind = BadRequest if problem.errno == errno.EADDRNOTAVAIL else PalaceError
        raise kind(f"port {port} of {host} cannot be used: {problem.strerror}") from problem
    return made


def make_server(app: ASGIApp, *, connections: int, leaving_seconds: int) -> uvicorn.Server:
    """Return the HTTP server of an application; setting its ``should_exit`` ends it, after so many seconds at most."""
    return _Serving(
        uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            http=Connection,
            ws="none",
            lifespan="on",
            limit_concurrency=connections,
            timeout_graceful_shutdown=leaving_seconds,
        )
    )


def serve_until_signal(server: uvicorn.Server, taken: socket.socket, ready: Callable[[], None]) -> None:
    """Serve on a socket until a signal arrives; ``ready`` is called first."""

    async def serve() -> None:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            asyncio.get_running_loop().add_signal_handler(number, setattr, server, "should_exit", True)
        ready()
        await server.serve(sockets=[taken])

    asyncio.run(serve())


class _Serving(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signal handling to the caller: uvicorn would raise the signals again after its end."""
        yield
