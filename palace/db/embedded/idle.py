"""The idle watcher: a small detached process for each server, which stops it when it is not used any more.

Run with ``python -I -S``: this module and its imports stay within the standard library and Palace's own light modules,
so that the watcher takes about ten megabytes.
"""

from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from palace.db.embedded.home import MAINTENANCE_DATABASE, OWNER_ROLE, Layout
from palace.db.embedded.lock import LockTaken, hold, is_held, release, take
from palace.db.embedded.postmaster import is_alive, is_stopping, postmaster_pid, stop_processes
from palace.db.embedded.wire import ServerRefusal, Session
from palace.errors import EmbeddedServerError

LONGEST_INTERVAL = 60.0
GLANCE_SECONDS = 1.0
"""Seconds between checks whether the server is shutting down, which waits for every session, this one's too."""
HANDOVER_SECONDS = 5.0
"""Seconds that the previous server's watcher may take to end."""
START = """\
import sys
sys.path.append(sys.argv[1])
from palace.db.embedded.idle import main
main(sys.argv[2:])
"""
USAGE = """
select (select count(*) from pg_stat_activity
        where backend_type in ('client backend', 'walsender') and pid <> pg_backend_pid()),
       (select coalesce(sum(sessions), 0) from pg_stat_database where datname <> 'postgres')
"""


@dataclass(frozen=True, slots=True)
class Usage:
    """What distinguishes a used server from an idle one."""

    clients: int
    """Clients connected now."""
    sessions: int
    """Sessions ever begun: grows if somebody came and went between two looks. Asking for the status does not count."""
    touched: int
    """When a client last attached, in nanoseconds of the system clock; only compared for equality."""

    def is_idle_since(self, before: Usage) -> bool:
        """Check whether no client is connected, nor was since the earlier look."""
        return self.clients == 0 and self == before


def watcher_command(layout: Layout, idle_minutes: float) -> list[str | Path]:
    """Return the command line of a watcher for this home's server."""
    packages = Path(__file__).resolve().parents[3]
    # The clean environment lacks this, which an interpreter built as a shared library may need to start.
    libraries = os.environ.get("LD_LIBRARY_PATH")
    environment = ["/usr/bin/env", f"LD_LIBRARY_PATH={libraries}"] if libraries else []
    return [
        *environment,
        sys.executable,
        "-I",
        "-S",
        "-X",
        "utf8",
        "-c",
        START,
        packages,
        layout.home,
        str(idle_minutes),
    ]


def main(arguments: list[str]) -> None:
    """Watch the server of a home, the first argument; it is idle after the minutes in the second."""
    layout, minutes = Layout.of(Path(arguments[0])), float(arguments[1])
    try:
        with hold(layout.watched, seconds=HANDOVER_SECONDS):
            _watch_through(layout, minutes)
    except LockTaken:
        return  # another watcher is at work


def find_unwatched(layout: Layout) -> float | None:
    """Return the idle minutes of a running server whose watcher died; None while it is watched, or never was."""
    try:
        server, minutes = layout.watched.read_text(encoding="ascii").split()
    except (OSError, ValueError):
        return None
    if is_held(layout.watched) or server != str(postmaster_pid(layout)):
        return None
    return float(minutes)


def _watch_through(layout: Layout, minutes: float) -> None:
    """Watch until the server is gone, shutting down, or replaced by another one."""
    session, server = _connect(layout), postmaster_pid(layout)
    layout.watched.write_text(f"{server} {minutes}\n", encoding="ascii")
    while session is not None and postmaster_pid(layout) == server:
        try:
            watch(layout, session, minutes * 60)
        except (OSError, ServerRefusal, EmbeddedServerError):
            time.sleep(1)
        finally:
            session.close()
        # A crash of one backend ends all sessions, this one too, but not the server. A new server has its own watcher.
        session = _connect(layout)


def watch(layout: Layout, session: Session, seconds: float) -> None:
    """Return when the server ends the session or shuts down, or when it was stopped here.

    It is stopped ``seconds`` after its last use.
    """
    interval = min(seconds / 4, LONGEST_INTERVAL)
    before, quiet_since = _look(layout, session), time.monotonic()
    while not _is_over_within(layout, session, interval):
        now = _look(layout, session)
        if not now.is_idle_since(before):
            before, quiet_since = now, time.monotonic()
        elif time.monotonic() - quiet_since >= seconds and _stop_unless_used(layout, session, before):
            return


def _is_over_within(layout: Layout, session: Session, seconds: float) -> bool:
    """Wait; return True as soon as the server ends the session or shuts down, False after ``seconds``."""
    deadline = time.monotonic() + seconds
    while (left := deadline - time.monotonic()) > 0:
        if is_stopping(layout) or session.ended_within(min(left, GLANCE_SECONDS)):
            return True
    return is_stopping(layout)


def _stop_unless_used(layout: Layout, session: Session, before: Usage) -> bool:
    """Stop the server under the lock that attaching clients share, so that none is promised it and then loses it."""
    descriptor = take(layout.lock)
    if descriptor is None:
        return False
    try:
        return _look(layout, session).is_idle_since(before) and stop_processes(layout)
    finally:
        release(descriptor)


def _look(layout: Layout, session: Session) -> Usage:
    clients, sessions = session.query(USAGE)[0]
    return Usage(int(clients), int(sessions), layout.last_used.stat().st_mtime_ns)


def _connect(layout: Layout) -> Session | None:
    """Connect as soon as the server accepts sessions, however long it recovers; None when it is gone or ending.

    The process that starts the watcher holds the lock on the data folder by then, and passes it to the server.
    """
    while is_alive(layout) and not is_stopping(layout):
        try:
            return Session(layout.socket, role=OWNER_ROLE, database=MAINTENANCE_DATABASE, seconds=30)
        except (OSError, ServerRefusal, EmbeddedServerError):
            time.sleep(0.1)
    return None
