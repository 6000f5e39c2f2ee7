"""One home's embedded server: running when it is needed, with at most one process to start it."""

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
"""Somebody may end a server while it starts; one that ends again has a reason of its own."""
SILENT_SECONDS = 2.0
"""After this long, processes that hold the data but answer nobody are ended."""
STOPPING_SECONDS = 2.0
"""A server that somebody told to end gets this long, then it is ended: it may wait for a client that never leaves."""
MUTE_SECONDS = 20.0
"""A busy machine may keep a connection waiting; after this long the server counts as hung."""
STOP_SECONDS = 2.0
"""Whoever stops the server waits this long for one that starts it, then has it stop where it is."""
STOPPED = "the embedded server was stopped, and starts when it is asked for again"
LOOK_SECONDS = 1.0
"""How long a look at the server waits for its answer."""


_LEAVES_STOPPED: ContextVar[bool] = ContextVar("palace_leaves_stopped", default=False)


@contextmanager
def leaving_stopped(leaves: bool = True) -> Iterator[None]:
    """Start no server in the block that a person stopped: what only looks again and again would undo that."""
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

        ``idle_minutes`` counts when this object starts the server; 0 keeps it running for good. ``binaries``
        takes the place of the installation in the wheel.
        """
        self._layout = Layout.of(home)
        self._idle_minutes = idle_minutes
        self._binaries = binaries

    def ensure_running(self) -> None:
        """Return with the server ready for connections, started and made first where necessary.

        Raises:
            EmbeddedServerError: it cannot be; the message names the cause and the server's last word.
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
        """Make sure that the server takes connections; nothing is started, and nothing waited for.

        Raises:
            EmbeddedServerError: it does not run, or says nothing.
        """
        with _translated():
            if not self._layout.last_used.exists() or self._ask() is not Readiness.READY:
                raise EmbeddedServerError("the embedded server does not run")
            self._layout.last_used.touch()

    def stop(self) -> bool:
        """Stop the server, ending its connections; whether there was one.

        Raises:
            EmbeddedServerError: it does not go away.
        """
        with _translated():
            if not self._layout.lock.exists():
                return False
            # Written before, so that nobody who looks again and again comes between.
            self._layout.stopped.touch(mode=0o600)
            with suppress(LockTaken), hold(self._layout.lock, seconds=STOP_SECONDS):
                return postmaster.stop_processes(self._layout)
            # It starts, recovers or is stopped by somebody: all of that is over soon when it is told to end.
            told = postmaster.tell_to_stop(self._layout)
            with hold(self._layout.lock, seconds=2 * STOP_SECONDS):
                return postmaster.stop_processes(self._layout) or told

    def status(self) -> ServerStatus:
        """Look at the server without starting or keeping it."""
        # Here alone: what looks at a palace in passing, or watches for idleness, does without all the other records.
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
        """The address of a database for a role: a libpq URL (``postgresql://``) over the unix socket."""
        folder = quote(os.fsencode(self._layout.socket_folder), safe="")
        return f"postgresql://{quote(role, safe='')}@/{quote(database, safe='')}?host={folder}&port={PORT}"

    def _attach(self) -> bool:
        """Whether the server already runs; marks it as used, so that it stays for another while."""
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
        """Bring the server up; the home's lock is held.

        Somebody else may have started it meanwhile, it may be recovering, stopping, or gone with processes
        left behind: all of these show in who answers on the socket and whether the data folder is free.
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
        """Whether what holds the data has to be ended: it answers nobody, or was told to end and does not."""
        if answer is Readiness.BUSY and postmaster.is_stopping(self._layout):
            return waited > STOPPING_SECONDS
        return answer is Readiness.NONE and not launched and waited > SILENT_SECONDS and self._has_data()

    def _refuse_mute(self, waited: float) -> None:
        """Raise where a server takes connections and says nothing: at once if it was suspended, else after a while."""
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
        """Start watcher and server, detached; the claim on the data folder passes to the server."""
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
        """False while the data folder is still being made, by programs that outlived a killed client."""
        return data_version(self._layout) is not None

    def require_own_socket(self) -> None:
        """Make sure, before connecting, that nobody has put another server in this one's place.

        Raises:
            EmbeddedServerError: somebody may have.
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
        """Say what keeps a server that runs from letting anybody in."""
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
    """Claim the data folder for a block, None while a server has it; children that inherit it keep it."""
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
