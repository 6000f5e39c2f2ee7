"""Listen on a Unix socket or a TCP port, and serve until a signal arrives."""

from __future__ import annotations

import asyncio
import errno
import os
import signal
import socket
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp

from palace.config.folders import make_home
from palace.errors import BadRequest, PalaceError
from palace.telemetry.logs import log_alike
from palace_mcp.http.connection import Connection

SOCKET = "serve.sock"
"""The Unix socket's name in the home folder."""
LEAVING_SECONDS = 10
"""Seconds for requests under way when the server stops."""
MOST_CONNECTIONS = 1024
LONGEST_PATH = 100
"""Bytes of a path that the system can name a socket by."""


def listen_on_socket(path: Path) -> socket.socket:
    """Make a Unix socket that its owner alone can reach; one that no process listens on any more is replaced.

    Raises:
        BadRequest: another server listens there, something else stands there, or the path is too long.
        PalaceError: the system refuses.
    """
    if len(os.fsencode(path)) > LONGEST_PATH:
        raise BadRequest(f"{path} is too long for a socket: palace serve --socket PATH takes a shorter one")
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        make_home(path.parent)
        _clear(path)
        before = os.umask(0o177)
        try:
            made.bind(str(path))
        finally:
            os.umask(before)
        made.listen(MOST_CONNECTIONS)
    except OSError as problem:
        made.close()
        raise PalaceError(f"{path} cannot be listened on: {problem.strerror}") from problem
    except BadRequest:
        made.close()
        raise
    return made


def listen_on_port(host: str, port: int) -> socket.socket:
    """Listen on a TCP port of an address of this machine; 0 takes any free one.

    Raises:
        BadRequest: it is in use, or there is no such address.
    """
    try:
        (family, kind, protocol, _, address), *_ = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        # asyncio sends small parts at once only on a socket that names its protocol.
        made = socket.socket(family, kind, protocol)
    except OSError as problem:
        raise BadRequest(f"{host} is no address of this machine: {problem.strerror}") from problem
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind(address)
        made.listen(MOST_CONNECTIONS)
    except OSError as problem:
        made.close()
        told = (
            "is in use: another --port" if problem.errno == errno.EADDRINUSE else f"cannot be used: {problem.strerror}"
        )
        raise BadRequest(f"port {port} of {host} {told}") from None
    return made


def make_server(app: ASGIApp) -> uvicorn.Server:
    """Return the HTTP server of an application; setting its ``should_exit`` ends it."""
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
            limit_concurrency=MOST_CONNECTIONS,
            timeout_graceful_shutdown=LEAVING_SECONDS,
        )
    )


def serve(app: ASGIApp, taken: socket.socket, ready: Callable[[], None]) -> None:
    """Serve an application until a signal arrives; a Unix socket is removed then."""
    log_alike("uvicorn")
    path = taken.getsockname() if taken.family == socket.AF_UNIX else None
    try:
        asyncio.run(_serve(make_server(app), taken, ready))
    finally:
        if path:
            with suppress(OSError):
                Path(path).unlink()


class _Serving(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signal handling to the caller: uvicorn would raise the signals again after its end."""
        yield


async def _serve(serving: uvicorn.Server, taken: socket.socket, ready: Callable[[], None]) -> None:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, setattr, serving, "should_exit", True)
    ready()
    await serving.serve(sockets=[taken])


def _clear(path: Path) -> None:
    """Remove a socket that nobody listens on."""
    try:
        found = path.lstat()
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(found.st_mode) or found.st_uid != os.geteuid():
        raise BadRequest(f"{path} is no socket of yours: palace serve --socket PATH takes another")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(1)
        try:
            probe.connect(str(path))
        except OSError:
            path.unlink()
            return
    raise BadRequest(f"another palace serve listens on {path}")
