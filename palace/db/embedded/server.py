"""One home's embedded server: started when it is needed, by one process at a time."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from palace.db.embedded import postmaster
from palace.db.embedded.binaries import BinaryFolder, reachable, wheel_binaries
from palace.db.embedded.cluster import data_version, ensure_data
from palace.db.embedded.home import (
    DATABASE,
    LOGIN_ROLE,
    MAINTENANCE_DATABASE,
    OWNER_ROLE,
    PORT,
    Layout,
    give_folders,
    make_folder,
    own_account,
    require_private_socket,
    server_account,
)
from palace.db.embedded.idle import find_unwatched, watcher_command
from palace.db.embedded.lock import POLL_SECONDS, LockTaken, hold, take
from palace.db.embedded.wire import TOO_MANY_CONNECTIONS, Readiness, ServerRefusal, Session, ask
from palace.errors import EmbeddedServerError

if TYPE_CHECKING:
    from palace.models import ServerStatus

START_SECONDS = 300.0
"""A start may have to recover from a crash first; other clients wait as long."""
LAUNCHES = 2
"""Launches tried: somebody may end a server while it starts; one that ends again has a reason of its own."""
SILENT_SECONDS = 2.0
"""Seconds after which processes that hold the data but answer nobody are ended."""
STOPPING_SECONDS = 2.0
"""Seconds that a server gets to shut down before it is ended: it may wait for a client that never leaves."""
MUTE_SECONDS = 20.0
"""Seconds after which a server that accepts a connection and sends nothing counts as hung, not as busy."""
STOP_SECONDS = 2.0
"""Seconds that ``stop`` waits for a process that starts the server, before it stops the server all the same."""
STOPPED = "the embedded server was stopped, and starts when it is asked for again"
LOOK_SECONDS = 1.0
"""Seconds to wait for the server's answer when asking for its status."""


_LEAVES_STOPPED: ContextVar[bool] = ContextVar("palace_leaves_stopped", default=False)


@contextmanager
def leaving_stopped(leaves: bool = True) -> Iterator[None]:
    """In the block, do not start a server that a person stopped, as for code that only polls."""
    token = _LEAVES_STOPPED.set(leaves)
    try:
        yield
    finally:
        _LEAVES_STOPPED.reset(token)


class EmbeddedServer:
    """The Postgres server of one home.

    Holds nothing but paths: any number of objects, threads and processes may use one home at once.
    """

    def __init__(self, home: Path, *, idle_minutes: float, binaries: BinaryFolder | None = None) -> None:
        """Describe the server; nothing is started or written.

        ``idle_minutes`` applies when this object starts the server; 0 keeps it running for good. ``binaries`` replace
        the installation in the wheel.
        """
        self._layout = Layout.of(home)
        self._idle_minutes = idle_minutes
        self._binaries = binaries

    def ensure_running(self) -> None:
        """Return with the server ready for connections, created and started first where necessary.

        Raises:
            EmbeddedServerError: it cannot be started; the message has the cause and the server's last complaint.
        """
        with _translated():
            if self._attach():
                return
            if _LEAVES_STOPPED.get() and self._layout.stopped.exists():
                raise EmbeddedServerError(STOPPED)
            make_folder(self._layout)
            with hold(self._layout.lock, seconds=START_SECONDS):
                self._layout.last_used.touch(mode=0o600)
                self._start()

    def require_running(self) -> None:
        """Check that the server accepts connections; starts nothing and does not wait.

        Raises:
            EmbeddedServerError: it does not run, or does not answer.
        """
        with _translated():
            if not self._layout.last_used.exists() or self._ask() is not Readiness.READY:
                raise EmbeddedServerError("the embedded server does not run")
            self._layout.last_used.touch()

    def stop(self) -> bool:
        """Stop the server, ending its connections; return whether there was one.

        Raises:
            EmbeddedServerError: it does not end.
        """
        with _translated():
            if not self._layout.lock.exists():
                return False
            # Written first, so that no polling process starts the server in between.
            self._layout.stopped.touch(mode=0o600)
            with suppress(LockTaken), hold(self._layout.lock, seconds=STOP_SECONDS):
                return postmaster.stop_processes(self._layout)
            # Another process is starting or stopping it, or it recovers: a shutdown request ends all of these soon.
            told = postmaster.tell_to_stop(self._layout)
            with hold(self._layout.lock, seconds=2 * STOP_SECONDS):
                return postmaster.stop_processes(self._layout) or told

    def status(self) -> ServerStatus:
        """Return the server's state without starting it or prolonging its life."""
        # Imported here: passing looks and the idle watcher do without the other records.
        from palace.models import ServerStatus

        with _translated():
            version, pid = self._running_version(), postmaster.postmaster_pid(self._layout)
            return ServerStatus(
                kind="embedded",
                running=version is not None,
                url=self.url(LOGIN_ROLE),
                version=version or data_version(self._layout),
                data_folder=str(self._layout.data),
                data_bytes=_size(self._layout.data),
                pid=pid,
                hindrance=self._hindrance() if pid and version is None else "",
            )

    def url(self, role: str, database: str = DATABASE) -> str:
        """Return a libpq URL (``postgresql://``) of a database for a role, over the unix socket."""
        folder = quote(os.fsencode(self._layout.socket_folder), safe="")
        return f"postgresql://{quote(role, safe='')}@/{quote(database, safe='')}?host={folder}&port={PORT}"

    def _attach(self) -> bool:
        """Check whether the server already runs, and mark it as used, so that it stays for another while."""
        if not self._layout.last_used.exists():
            return False
        with hold(self._layout.lock, seconds=START_SECONDS, shared=True):
            self._layout.last_used.touch()
            answer = self._ask()
        if answer is Readiness.SILENT:
            self._refuse_mute(0)
        is_ready = answer is Readiness.READY
        minutes = find_unwatched(self._layout) if is_ready else None
        if minutes:
            self._launch_watcher(minutes)
        return is_ready

    def _start(self) -> None:
        """Start the server and wait until it is ready; the home's lock is held.

        Another process may have started it meanwhile, it may be recovering, stopping, or gone with processes left
        behind: the answer on the socket and the lock on the data folder show which.
        """
        begun, clock, launches = time.monotonic(), time.time(), 0
        while (answer := self._ask()) is not Readiness.READY:
            waited = time.monotonic() - begun
            if waited > START_SECONDS:
                raise self._failure(f"the embedded server was not ready after {START_SECONDS:g} s", clock)
            if answer is Readiness.SILENT:
                self._refuse_mute(waited)
            with _claimed(self._layout) as claim:
                if claim is not None and launches == LAUNCHES:
                    raise self._failure("the embedded server did not start", clock)
                if claim is not None:
                    self._launch(claim)
                    launches += 1
                elif self._is_in_the_way(answer, waited, launched=launches > 0):
                    postmaster.stop_processes(self._layout)
            time.sleep(POLL_SECONDS)

    def _is_in_the_way(self, answer: Readiness, waited: float, *, launched: bool) -> bool:
        """Check whether the server that holds the data must be ended: it answers nobody, or hangs shutting down."""
        if answer is Readiness.BUSY and postmaster.is_stopping(self._layout):
            return waited > STOPPING_SECONDS
        return answer is Readiness.NONE and not launched and waited > SILENT_SECONDS and self._has_data()

    def _refuse_mute(self, waited: float) -> None:
        """Raise if a server accepts connections and sends nothing: at once if it was suspended, else after a while."""
        pid = postmaster.postmaster_pid(self._layout)
        if postmaster.is_suspended(self._layout):
            raise EmbeddedServerError(
                f"the embedded server is suspended: `kill -CONT {pid}` lets it go on, `palace db stop` ends it"
            )
        if waited > MUTE_SECONDS:
            raise EmbeddedServerError(
                f"the embedded server (process {pid}) says nothing: end it with `palace db stop`, and try again"
            )

    def _launch(self, claim: int) -> None:
        """Start watcher and server, detached; the lock on the data folder passes to the server."""
        layout, account = self._layout, server_account(self._layout)
        give_folders(layout, account)
        binaries = reachable(self._binaries or wheel_binaries(), account, layout)
        ensure_data(layout, binaries, account, keep=(claim,))
        postmaster.forget_dead(layout)
        layout.stopped.unlink(missing_ok=True)
        if self._idle_minutes:
            self._launch_watcher(self._idle_minutes)
        postmaster.launch(
            postmaster.server_command(binaries.binary("postgres"), layout), account, log=layout.start_log, keep=(claim,)
        )

    def _launch_watcher(self, minutes: float) -> None:
        postmaster.launch(watcher_command(self._layout, minutes), own_account(), log=self._layout.watcher_log)

    def _has_data(self) -> bool:
        """Return False while the data folder is still being created, by programs that outlived a killed client."""
        return data_version(self._layout) is not None

    def require_own_socket(self) -> None:
        """Check, before connecting, that no other account has put its own server in this one's place.

        Raises:
            EmbeddedServerError: one may have.
        """
        require_private_socket(self._layout)

    def _ask(self) -> Readiness:
        try:
            require_private_socket(self._layout)
        except EmbeddedServerError:
            return Readiness.NONE
        return ask(self._layout.socket, role=OWNER_ROLE, database=MAINTENANCE_DATABASE)

    def _failure(self, what: str, since: float) -> EmbeddedServerError:
        complaint = postmaster.last_complaint(self._layout, since=since)
        return EmbeddedServerError(f"{what}: {complaint or f'see {self._layout.start_log}'}")

    def _hindrance(self) -> str:
        if postmaster.is_suspended(self._layout):
            return "suspended"
        return "shutting down" if postmaster.is_stopping(self._layout) else "starting, recovering or busy"

    def _running_version(self) -> str | None:
        layout = self._layout
        if postmaster.is_suspended(layout):
            return None
        try:
            require_private_socket(layout)
            session = Session(layout.socket, role=OWNER_ROLE, database=MAINTENANCE_DATABASE, seconds=LOOK_SECONDS)
        except ServerRefusal as refusal:
            return data_version(self._layout) if refusal.sqlstate == TOO_MANY_CONNECTIONS else None
        except (OSError, EmbeddedServerError):
            return None
        session.close()
        return session.parameters.get("server_version")


@contextmanager
def _claimed(layout: Layout) -> Iterator[int | None]:
    """Lock the data folder for a block; None while a server has it. Children that inherit the lock keep it."""
    claim = take(layout.alive)
    try:
        yield claim if postmaster.postmaster_pid(layout) is None else None
    finally:
        if claim is not None:
            os.close(claim)


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except PermissionError as problem:
        raise EmbeddedServerError(
            f"{problem.filename}: {problem.strerror}; run palace as the user it belongs to, "
            "or set PALACE_HOME to a folder of your own"
        ) from problem
    except OSError as problem:
        raise EmbeddedServerError(f"{problem.filename or 'embedded server'}: {problem.strerror}") from problem


def _size(folder: Path) -> int:
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            with suppress(FileNotFoundError):
                total += Path(parent, name).lstat().st_size
    return total
