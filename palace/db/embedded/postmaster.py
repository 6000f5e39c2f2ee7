"""The server's processes: which they are, how they start detached, how they end.

Process ids come from files and may be anybody's by now: none is believed, and none is signalled, unless its
command line names this home and it runs as the owner of the data.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from palace.db.embedded.home import Account, Layout
from palace.db.embedded.lock import POLL_SECONDS, is_held
from palace.errors import EmbeddedServerError

PROCESSES = Path("/proc")
DETACH = '"$@" </dev/null &'
"""Started by a shell that ends at once, a program is nobody's child: its end leaves no zombie behind."""
PATIENCE = (60.0, 3.0)
"""Seconds a server gets to end after a fast shutdown, which writes a checkpoint, and after an immediate one."""
SESSION_SECONDS = 2.0
"""A session that has not ended this long after a fast shutdown does not hear: the server is stopped at once."""
SESSION_TITLE = " [local] "
"""Stands in the title of every process that serves a client."""
STATUS_LINE = 7
"""Where ``postmaster.pid`` says how the server is, counted from 0 (PostgreSQL, ``pidfile.h``)."""


@dataclass(frozen=True, slots=True)
class Process:
    """What the system tells about a process."""

    pid: int
    uid: int
    command: str
    """The command line, or the title a server process gave itself; empty for a zombie."""


def launch(command: Sequence[str | Path], account: Account, *, log: Path, keep: Sequence[int] = ()) -> None:
    """Start a program that outlives this process, tied to none of its files and terminals, and go on.

    Raises:
        EmbeddedServerError: it cannot be started.
    """
    account.run(["/bin/sh", "-c", DETACH, "sh", *command], seconds=20, log=log, keep=keep)


def server_command(postgres: Path, layout: Layout) -> list[str | Path]:
    """The server's command line, by which it is recognised later."""
    return [postgres, "-D", layout.data]


def postmaster_pid(layout: Layout) -> int | None:
    """The server's main process; None when the file that names it is missing or names somebody else's."""
    try:
        pid = int((layout.data / "postmaster.pid").read_text(encoding="utf-8", errors="replace").split("\n")[0])
        owner = layout.data.stat().st_uid
    except (OSError, ValueError):
        return None
    processes = _processes([pid])
    return pid if any(_is_postmaster(process, layout, owner) for process in processes) else None


def is_stopping(layout: Layout) -> bool:
    """Whether the server was told to end, by anybody: it takes no clients any more, and may wait for those it has."""
    if postmaster_pid(layout) is None:
        return False
    try:
        lines = (layout.data / "postmaster.pid").read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError:
        return False
    return len(lines) > STATUS_LINE and lines[STATUS_LINE].strip() == "stopping"


def is_suspended(layout: Layout) -> bool:
    """Whether the main process was halted (SIGSTOP): it takes connections and answers none."""
    pid = postmaster_pid(layout)
    if pid is None:
        return False
    if (PROCESSES / "self" / "stat").exists():
        try:
            state = (PROCESSES / str(pid) / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2]
        except (FileNotFoundError, ProcessLookupError):
            return False
    else:
        command = ["ps", "-p", str(pid), "-o", "state="]
        state = subprocess.run(command, capture_output=True, encoding="utf-8", check=False).stdout
    return state.strip()[:1] in {"T", "t"}


def is_alive(layout: Layout) -> bool:
    """Whether any process of the server still runs, answering or not."""
    return is_held(layout.alive) or postmaster_pid(layout) is not None


def forget_dead(layout: Layout) -> None:
    """Remove what a dead server left, which misleads the next one if its process id is in use again.

    To be called with the home's lock held and no process of the server alive.
    """
    for path in (
        layout.data / "postmaster.pid",
        layout.socket,
        layout.socket.with_name(f"{layout.socket.name}.lock"),
    ):
        path.unlink(missing_ok=True)


def stop_processes(layout: Layout, *, patience: tuple[float, float] = PATIENCE) -> bool:
    """End the server: fast, then at once, then by force; whether there was one.

    To be called with the home's lock held. A server ended by force loses nothing that was committed: the next
    start recovers it. ``patience`` says how long to wait before each next step at most, in seconds; a session that
    keeps the server from ending shortens the first. One that was suspended is let go on, to end.

    Raises:
        EmbeddedServerError: its processes are not visible from here, or do not go away.
    """
    if not is_alive(layout):
        return False
    for kind, seconds in zip((signal.SIGINT, signal.SIGQUIT), patience, strict=True):
        if not tell_to_stop(layout, kind):
            break
        if _gone_within(layout, seconds):
            return True
    _signal((process.pid for process in _remaining(layout)), signal.SIGKILL)
    if not _gone_within(layout, patience[-1]):
        raise EmbeddedServerError(
            f"the embedded server of {layout.home} cannot be ended from here; "
            f"the process that holds {layout.alive} may run in another container"
        )
    return True


def tell_to_stop(layout: Layout, kind: signal.Signals = signal.SIGINT) -> bool:
    """Tell the server to end, by default at once but in order, without waiting; whether there is one to tell."""
    pid = postmaster_pid(layout)
    if pid is None:
        return False
    _signal([pid], kind)
    _signal((process.pid for process in _remaining(layout)), signal.SIGCONT)
    return True


def last_complaint(layout: Layout, *, since: float) -> str:
    """The last line of the server's logs that says what went wrong; empty if there is none.

    Only logs written after ``since``, in seconds of the system clock, count.
    """
    recent = [path for path in (*layout.logs.glob("*.log"), layout.start_log) if _written(path) >= since - 1]
    for path in sorted(recent, key=_written, reverse=True):
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        complaints = [line for line in lines if re.search("FATAL:|PANIC:|ERROR:", line)]
        said = complaints or [line for line in lines if line.strip()]
        if said:
            return re.sub(r"^.*?(FATAL|PANIC|ERROR):\s*", "", said[-1])
    return ""


def _gone_within(layout: Layout, seconds: float) -> bool:
    """Wait for the server's end: for ``seconds``, or for as long as a session takes that does not hear."""
    begun, looks_for_sessions = time.monotonic(), True
    while is_alive(layout):
        waited = time.monotonic() - begun
        if waited >= seconds:
            return False
        if looks_for_sessions and waited >= SESSION_SECONDS:
            if any(SESSION_TITLE in process.command for process in _remaining(layout)):
                return False
            # None is left, and none is let in: what still runs writes to disk.
            looks_for_sessions = False
        time.sleep(POLL_SECONDS)
    return True


def _remaining(layout: Layout) -> list[Process]:
    """The main process and whatever outlived it: server processes carry the home's name in their title."""
    if not layout.data.exists():
        return []
    owner = layout.data.stat().st_uid
    title = f"postgres: {layout.name}: "
    return [
        process
        for process in _processes()
        if _is_postmaster(process, layout, owner) or (process.uid == owner and process.command.startswith(title))
    ]


def _is_postmaster(process: Process, layout: Layout, owner: int) -> bool:
    return process.uid == owner and process.command.endswith(f"postgres -D {layout.data}")


def _signal(pids: Iterable[int], kind: signal.Signals) -> None:
    for pid in pids:
        try:
            os.kill(pid, kind)
        except ProcessLookupError:
            continue


def _processes(pids: Iterable[int] | None = None) -> list[Process]:
    """The given processes, or all, as far as this account can see them."""
    if (PROCESSES / "self" / "cmdline").exists():
        chosen = (
            pids if pids is not None else [int(entry.name) for entry in PROCESSES.iterdir() if entry.name.isdigit()]
        )
        return [process for pid in chosen if (process := _from_files(pid))]
    selection = ["-A"] if pids is None else ["-p", ",".join(map(str, pids))]
    listed = subprocess.run(
        ["ps", "-ww", *selection, "-o", "pid=,uid=,command="],
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    rows = [line.split(None, 2) for line in listed.stdout.splitlines()]
    return [Process(int(row[0]), int(row[1]), row[2].strip()) for row in rows if len(row) == 3]


def _from_files(pid: int) -> Process | None:
    folder = PROCESSES / str(pid)
    try:
        command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").strip()
        return Process(pid, folder.stat().st_uid, os.fsdecode(command))
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        return None


def _written(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return 0.0
