"""The processes of a home, as tests look for them."""

from __future__ import annotations

import psutil

from palace.store.embedded.home import Layout
from palace.store.embedded.server import EmbeddedServer


def watchers(layout: Layout) -> list[psutil.Process]:
    """The watchers of this home."""
    return [p for p in psutil.process_iter(["cmdline"]) if str(layout.home) in (p.info["cmdline"] or [])]


def pid_of(server: EmbeddedServer) -> int:
    """The server's main process, which must run."""
    pid = server.status().pid
    assert pid is not None
    return pid
