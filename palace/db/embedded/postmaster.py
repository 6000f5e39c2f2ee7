"""The server's processes: how they are recognised, started detached, and ended.

Process ids come from files and may belong to another program by now: one is believed and signalled only if its command
line names this home and it runs as the owner of the data.
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
"""Started by a shell that ends at once, a program has no parent here: its end leaves no zombie behind."""
PATIENCE = (60.0, 3.0)
"""Seconds that a server gets to end after a fast shutdown, which writes a checkpoint, and after an immediate one."""
SESSION_SECONDS = 2.0
"""Seconds after a fast shutdown until a session still there counts as hung and the server is stopped at once."""
SESSION_TITLE = " [local] "
"""Part of the title of every process that serves a client."""
STATUS_LINE = 7
"""Index of the line in ``postmaster.pid`` with the server's state (PostgreSQL, ``pidfile.h``)."""


@dataclass(frozen=True, slots=True)
class Process:
    """A process as the system describes it."""

    pid: int
    uid: int
    command: str
    """The command line, or the title that a server process set; empty for a zombie."""


def launch(command: Sequence[str | Path], account: Account, *, log: Path, keep: Sequence[int] = ()) -> None:
    """Start a program that outlives this process, detached from its files and terminal, and return at once.

    Raises:
        EmbeddedServerError: it cannot be started.
    """
    account.run(["/bin/sh", "-c", DETACH, "sh", *command], seconds=20, log=log, keep=keep)


def server_command(postgres: Path, layout: Layout) -> list[str | Path]:
    """Return the server's command line, by which it is recognised later."""
    return [postgres, "-D", layout.data]


def postmaster_pid(layout: Layout) -> int | None:
    """Return the server's main process; None if its pid file is missing or names another program's."""
    try:
        pid = int((layout.data / "postmaster.pid").read_text(encoding="utf-8", errors="replace").split("\n")[0])
        owner = layout.data.stat().st_uid
    except (OSError, ValueError):
        return None
    processes = _processes([pid])
    return pid if any(_is_postmaster(process, layout, owner) for process in processes) else None


def is_stopping(layout: Layout) -> bool:
    """Check whether the server is shutting down: it accepts no clients any more, and may wait for those it has."""
    if postmaster_pid(layout) is None:
        return False
    try:
        lines = (layout.data / "postmaster.pid").read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError:
        return False
    return len(lines) > STATUS_LINE and lines[STATUS_LINE].strip() == "stopping"


def is_suspended(layout: Layout) -> bool:
    """Check whether the main process was suspended (SIGSTOP): it accepts connections and answers none."""
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
    """Check whether any process of the server still runs, answering or not."""
    return is_held(layout.alive) or postmaster_pid(layout) is not None


def forget_dead(layout: Layout) -> None:
    """Remove the files of a dead server, which mislead the next one if its process id is in use again.

    Call it with the home's lock held and no process of the server alive.
    """
    for path in (
        layout.data / "postmaster.pid",
        layout.socket,
        layout.socket.with_name(f"{layout.socket.name}.lock"),
    ):
        path.unlink(missing_ok=True)


def stop_processes(layout: Layout, *, patience: tuple[float, float] = PATIENCE) -> bool:
    """End the server, by a fast shutdown, then an immediate one, then by force; return whether there was one.

    Call it with the home's lock held. A server ended by force loses nothing that was committed: the next start recovers
    it. ``patience`` is how many seconds to wait before each next step; a session that keeps the server from ending
    shortens the first. A suspended server is resumed, so that it can end.

    Raises:
        EmbeddedServerError: its processes are not visible from here, or do not end.
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
    """Signal the server to end, by default with a fast shutdown, without waiting; return whether there is one."""
    pid = postmaster_pid(layout)
    if pid is None:
        return False
    _signal([pid], kind)
    _signal((process.pid for process in _remaining(layout)), signal.SIGCONT)
    return True


def last_complaint(layout: Layout, *, since: float) -> str:
    """Return the last error in the server's logs, else their last line; "" if there is none.

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
    begun, looks_for_sessions = time.monotonic(), True
    while is_alive(layout):
        waited = time.monotonic() - begun
        if waited >= seconds:
            return False
        if looks_for_sessions and waited >= SESSION_SECONDS:
            if any(SESSION_TITLE in process.command for process in _remaining(layout)):
                return False
            # None is left, and none is accepted: what still runs writes to disk.
            looks_for_sessions = False
        time.sleep(POLL_SECONDS)
    return True


def _remaining(layout: Layout) -> list[Process]:
    """Return the main process and whatever outlived it: server processes have the home's name in their title."""
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
    """Return the processes with some ids, or all, as far as this account can see them."""
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
