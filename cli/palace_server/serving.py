"""Listen on a Unix socket or a TCP port, and serve until a signal arrives."""

from __future__ import annotations

import os
import socket
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp

from palace.config.folders import make_home
from palace.errors import BadRequest, PalaceError
from palace.telemetry.logs import log_alike
from palace_mcp.http import listening

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


def make_server(app: ASGIApp) -> uvicorn.Server:
    """Return the HTTP server of an application; setting its ``should_exit`` ends it."""
    return listening.make_server(app, connections=MOST_CONNECTIONS, leaving_seconds=LEAVING_SECONDS)


def serve(app: ASGIApp, taken: socket.socket, ready: Callable[[], None]) -> None:
    """Serve an application until a signal arrives; a Unix socket is removed then."""
    log_alike("uvicorn")
    path = taken.getsockname() if taken.family == socket.AF_UNIX else None
    try:
        listening.serve_until_signal(make_server(app), taken, ready)
    finally:
        if path:
            with suppress(OSError):
                Path(path).unlink()


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
