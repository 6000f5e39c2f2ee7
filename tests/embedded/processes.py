"""The embedded server as the tests of this folder take it apart, and the processes of a home."""

from __future__ import annotations

import psutil

from palace.db.embedded.binaries import (
    BinaryFolder,
    wheel_binaries,  # fmt: skip
)
from palace.db.embedded.cluster import configuration
from palace.db.embedded.home import (
    SHORT_FOLDERS,
    SOCKET_PATH_BYTES,
    Account,
    Layout,
    make_private,
    own_account,
    server_account,
)
from palace.db.embedded.idle import Usage
from palace.db.embedded.lock import hold, is_held, release, take
from palace.db.embedded.postmaster import postmaster_pid, stop_processes
from palace.db.embedded.server import EmbeddedServer, leaving_stopped
from palace.db.schema import Schema

__all__ = [
    "SHORT_FOLDERS", "SOCKET_PATH_BYTES", "Account", "BinaryFolder", "EmbeddedServer", "Layout", "Schema", "Usage",
    "configuration", "hold", "is_held", "leaving_stopped", "make_private", "own_account", "pid_of",
    "postmaster_pid", "release", "server_account", "stop_processes", "take", "watchers", "wheel_binaries",
]  # fmt: skip


def watchers(layout: Layout) -> list[psutil.Process]:
    """The watchers of this home."""
    return [p for p in psutil.process_iter(["cmdline"]) if str(layout.home) in (p.info["cmdline"] or [])]


def pid_of(server: EmbeddedServer) -> int:
    """The server's main process, which must run."""
    pid = server.status().pid
    assert pid is not None
    return pid
