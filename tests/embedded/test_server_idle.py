"""The watcher that stops a server nobody uses."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest

from palace.db.embedded.home import Layout
from palace.db.embedded.idle import Usage
from palace.db.embedded.lock import hold
from palace.db.embedded.server import EmbeddedServer
from tests.embedded.processes import watchers

IDLE_MINUTES = 0.02
Client = Callable[..., "subprocess.Popen[str]"]
Query = Callable[..., list[tuple[Any, ...]]]


@pytest.fixture
def soon_idle(made: EmbeddedServer, home: Path) -> EmbeddedServer:
    """A server that stops after a good second without use."""
    return EmbeddedServer(home, idle_minutes=IDLE_MINUTES)


def stops_within(server: EmbeddedServer, seconds: float) -> bool:
    """Whether the server ends by itself; looking at it does not keep it."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if server.status().pid is None:
            return True
        time.sleep(0.1)
    return False


def wait_until_ended(process: psutil.Process) -> None:
    """Wait for somebody else's child, whose zombie the system may keep for a while."""
    deadline = time.monotonic() + 5
    with suppress(psutil.NoSuchProcess):
        while process.status() != psutil.STATUS_ZOMBIE:
            assert time.monotonic() < deadline
            time.sleep(0.01)


@pytest.mark.nightly
@pytest.mark.process
def test_a_server_that_nobody_uses_stops(soon_idle: EmbeddedServer) -> None:
    soon_idle.ensure_running()
    assert not stops_within(soon_idle, IDLE_MINUTES * 60 * 0.6)
    assert stops_within(soon_idle, 15)


@pytest.mark.nightly
def test_an_open_connection_keeps_the_server(soon_idle: EmbeddedServer) -> None:
    soon_idle.ensure_running()
    with psycopg.connect(soon_idle.url("palace_owner")) as connection:
        assert not stops_within(soon_idle, IDLE_MINUTES * 60 * 2)
        assert connection.execute("select 1").fetchone() == (1,)


@pytest.mark.nightly
def test_a_client_that_is_attaching_is_not_cut_off(soon_idle: EmbeddedServer, layout: Layout) -> None:
    soon_idle.ensure_running()
    with hold(layout.lock, seconds=1, shared=True):
        assert not stops_within(soon_idle, IDLE_MINUTES * 60 * 2)


@pytest.mark.nightly
def test_the_watcher_outlives_a_killed_client(made: EmbeddedServer, home: Path, client: Client) -> None:
    code = "server.ensure_running(); os.kill(os.getpid(), signal.SIGKILL)"
    assert client(home, code, idle_minutes=IDLE_MINUTES).wait(60) == -signal.SIGKILL
    assert made.status().running
    assert stops_within(made, 15)


@pytest.mark.nightly
def test_the_watcher_ends_with_its_server(made: EmbeddedServer, home: Path, layout: Layout) -> None:
    server = EmbeddedServer(home, idle_minutes=30)
    server.ensure_running()
    (watcher,) = watchers(layout)
    server.stop()
    wait_until_ended(watcher)
    assert layout.watcher_log.read_text() == ""


def test_somebody_who_came_and_went_between_two_looks_was_there() -> None:
    before = Usage(clients=0, sessions=5, touched=1)
    assert Usage(clients=0, sessions=5, touched=1).is_idle_since(before)
    assert not Usage(clients=0, sessions=6, touched=1).is_idle_since(before)
    assert not Usage(clients=0, sessions=5, touched=2).is_idle_since(before)
    assert not Usage(clients=1, sessions=5, touched=1).is_idle_since(Usage(clients=1, sessions=5, touched=1))
