"""A server that is told to end from outside, or suspended: whoever meets it goes on, or ends with one line."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from palace.db.embedded.home import Layout
from palace.db.embedded.lock import is_held
from palace.db.embedded.postmaster import postmaster_pid
from palace.db.embedded.server import EmbeddedServer
from palace.errors import EmbeddedServerError
from tests.embedded.processes import pid_of, watchers

Query = Callable[..., list[tuple[Any, ...]]]
Client = Callable[..., "subprocess.Popen[str]"]
BOUND = 20.0
"""Seconds that a loaded machine may take for what takes two or three; without a bound it took five minutes."""


@pytest.fixture
def watched(made: EmbeddedServer, home: Path) -> EmbeddedServer:
    """A running server with its watcher."""
    server = EmbeddedServer(home, idle_minutes=30)
    server.ensure_running()
    return server


def watcher_of(layout: Layout) -> psutil.Process:
    """The only watcher of this home, as soon as it watches and is alone."""
    wait_until(lambda: is_held(layout.watched) and len(watchers(layout)) == 1 and names_the_server(layout))
    (watcher,) = watchers(layout)
    return watcher


def names_the_server(layout: Layout) -> bool:
    """Whether the watcher has connected, and said whom it watches."""
    return layout.watched.read_text().startswith(f"{postmaster_pid(layout)} ")


def is_over(process: psutil.Process) -> bool:
    """Whether a process has ended; its zombie may stay for a while."""
    return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE


def wait_until(comes: Callable[[], bool]) -> None:
    """Wait for something that is sure to come."""
    deadline = time.monotonic() + BOUND
    while not comes():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def took(work: Callable[[], object]) -> float:
    """Do some work; the seconds it took."""
    begun = time.monotonic()
    work()
    return time.monotonic() - begun


@pytest.mark.nightly
@pytest.mark.parametrize("kind", [signal.SIGTERM, signal.SIGQUIT, signal.SIGKILL])
def test_after_any_signal_the_next_client_has_a_server(watched: EmbeddedServer, query: Query, kind: int) -> None:
    query(watched, "create table if not exists kept_over_a_signal as select 7 as number")
    first = pid_of(watched)
    os.kill(first, kind)
    assert took(watched.ensure_running) < BOUND
    assert pid_of(watched) != first
    assert query(watched, "select number from kept_over_a_signal") == [(7,)]


@pytest.mark.nightly
def test_a_suspended_server_is_named_by_whoever_looks(watched: EmbeddedServer) -> None:
    pid = pid_of(watched)
    os.kill(pid, signal.SIGSTOP)
    try:
        assert took(watched.status) < BOUND
        status = watched.status()
        assert (status.running, status.pid, status.hindrance) == (False, pid, "suspended")
        with pytest.raises(EmbeddedServerError, match=f"suspended: `kill -CONT {pid}` lets it go on"):
            watched.ensure_running()
    finally:
        os.kill(pid, signal.SIGCONT)
    watched.ensure_running()
    assert pid_of(watched) == pid


@pytest.mark.nightly
@pytest.mark.parametrize("kind", [signal.SIGKILL])
def test_a_server_whose_watcher_was_ended_is_watched_again_by_the_next_client(
    watched: EmbeddedServer, layout: Layout, made: EmbeddedServer, query: Query, kind: int
) -> None:
    first = watcher_of(layout)
    first.send_signal(kind)
    wait_until(lambda: is_over(first))
    assert query(watched, "select 1") == [(1,)]
    made.ensure_running()
    wait_until(lambda: watcher_of(layout).pid != first.pid)
    watcher = watcher_of(layout)
    assert watcher.cmdline()[-1] == "30.0"
    made.ensure_running()
    assert watcher_of(layout) == watcher


@pytest.mark.nightly
def test_who_stops_while_others_start_ends_and_so_do_they(made: EmbeddedServer, home: Path, client: Client) -> None:
    code = "\nfor _ in range(5):\n    server.ensure_running()"
    starting = [client(home, code) for _ in range(2)]
    for _ in range(6):
        assert took(made.stop) < BOUND
        time.sleep(0.1)
    for process in starting:
        _, errors = process.communicate(timeout=60)
        assert errors == "" or "EmbeddedServerError" in errors.splitlines()[-1]
