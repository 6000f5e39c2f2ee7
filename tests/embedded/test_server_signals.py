"""A server that is told to end from outside, or suspended: whoever meets it goes on, or ends with one line."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest

from palace.errors import EmbeddedServerError
from palace.store.embedded.home import Layout
from palace.store.embedded.lock import hold, is_held
from palace.store.embedded.postmaster import is_stopping, postmaster_pid
from palace.store.embedded.server import EmbeddedServer
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


@pytest.fixture
def guest(watched: EmbeddedServer) -> Iterator[psycopg.Connection[Any]]:
    """A client that stays connected and does nothing."""
    with psycopg.connect(watched.url("palace_owner"), autocommit=True) as connection:
        yield connection


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


def test_the_watcher_does_not_keep_a_server_that_was_told_to_end(watched: EmbeddedServer, layout: Layout) -> None:
    watcher = watcher_of(layout)
    os.kill(pid_of(watched), signal.SIGTERM)
    wait_until(lambda: watched.status().pid is None)
    wait_until(lambda: is_over(watcher))
    assert layout.watcher_log.read_text() == ""


@pytest.mark.parametrize("kind", [signal.SIGTERM, signal.SIGINT, signal.SIGQUIT, signal.SIGKILL])
def test_after_any_signal_the_next_client_has_a_server(watched: EmbeddedServer, query: Query, kind: int) -> None:
    query(watched, "create table if not exists kept_over_a_signal as select 7 as number")
    first = pid_of(watched)
    os.kill(first, kind)
    assert took(watched.ensure_running) < BOUND
    assert pid_of(watched) != first
    assert query(watched, "select number from kept_over_a_signal") == [(7,)]


@pytest.mark.usefixtures("guest")
def test_a_server_that_waits_for_a_client_is_ended_and_started_anew(watched: EmbeddedServer, query: Query) -> None:
    first = pid_of(watched)
    os.kill(first, signal.SIGTERM)
    assert took(watched.ensure_running) < BOUND
    assert pid_of(watched) != first
    assert query(watched, "select 1") == [(1,)]


@pytest.mark.usefixtures("guest")
def test_looking_at_a_server_that_is_shutting_down_says_so_at_once(watched: EmbeddedServer, layout: Layout) -> None:
    os.kill(pid_of(watched), signal.SIGTERM)
    wait_until(lambda: is_stopping(layout))
    status = watched.status()
    assert (status.running, status.hindrance) == (False, "shutting down")


@pytest.mark.usefixtures("guest")
def test_a_server_that_waits_for_a_client_can_be_stopped(watched: EmbeddedServer) -> None:
    os.kill(pid_of(watched), signal.SIGTERM)
    assert took(watched.stop) < BOUND
    assert watched.status().pid is None


@pytest.mark.usefixtures("guest")
def test_it_can_be_stopped_while_somebody_waits_for_it(
    watched: EmbeddedServer, home: Path, layout: Layout, client: Client
) -> None:
    os.kill(pid_of(watched), signal.SIGTERM)
    wait_until(lambda: is_stopping(layout))
    waiting = client(home, "server.ensure_running(); print('up')")
    time.sleep(0.5)
    assert took(watched.stop) < BOUND
    output, errors = waiting.communicate(timeout=60)
    assert (output, errors) == ("up\n", "") or "EmbeddedServerError" in errors.splitlines()[-1]


def test_stopping_does_not_wait_for_a_session_that_does_not_hear(
    watched: EmbeddedServer, guest: psycopg.Connection[Any]
) -> None:
    psutil.Process(guest.info.backend_pid).suspend()
    first = pid_of(watched)
    assert took(watched.stop) < BOUND
    assert not psutil.pid_exists(first) or is_over(psutil.Process(first))


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


def test_a_suspended_server_can_be_stopped_and_ends_in_order(
    watched: EmbeddedServer, layout: Layout, query: Query
) -> None:
    query(watched, "create table if not exists kept_over_a_halt as select 9 as number")
    os.kill(pid_of(watched), signal.SIGSTOP)
    assert took(watched.stop) < BOUND
    log = max(layout.logs.glob("*.log"), key=lambda path: path.stat().st_mtime).read_text()
    assert log.rstrip().endswith("database system is shut down")
    watched.ensure_running()
    assert query(watched, "select number from kept_over_a_halt") == [(9,)]


@pytest.mark.parametrize("kind", [signal.SIGTERM, signal.SIGKILL])
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


def test_two_who_stop_at_once_both_end(watched: EmbeddedServer, home: Path, client: Client) -> None:
    stopping = [client(home, "print(server.stop())") for _ in range(2)]
    outcomes = [process.communicate(timeout=60) for process in stopping]
    assert {errors for _, errors in outcomes} == {""}
    assert "True\n" in {output for output, _ in outcomes}
    assert watched.status().pid is None


def test_who_stops_while_others_start_ends_and_so_do_they(made: EmbeddedServer, home: Path, client: Client) -> None:
    code = "\nfor _ in range(5):\n    server.ensure_running()"
    starting = [client(home, code) for _ in range(2)]
    for _ in range(6):
        assert took(made.stop) < BOUND
        time.sleep(0.1)
    for process in starting:
        _, errors = process.communicate(timeout=60)
        assert errors == "" or "EmbeddedServerError" in errors.splitlines()[-1]


def test_stopping_beside_a_start_that_never_ends_is_bounded(watched: EmbeddedServer, layout: Layout) -> None:
    with hold(layout.lock, seconds=1), pytest.raises(EmbeddedServerError, match="starting or stopping") as caught:
        assert took(watched.stop) < BOUND
    assert "\n" not in str(caught.value)
    wait_until(lambda: watched.status().pid is None)
