"""The watcher that stops a server nobody uses."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest

from palace.errors import EmbeddedServerError
from palace.store.embedded.home import Layout
from palace.store.embedded.idle import Usage, watcher_command
from palace.store.embedded.lock import hold
from palace.store.embedded.server import EmbeddedServer
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


def test_a_server_that_nobody_uses_stops(soon_idle: EmbeddedServer) -> None:
    soon_idle.ensure_running()
    assert not stops_within(soon_idle, IDLE_MINUTES * 60 * 0.6)
    assert stops_within(soon_idle, 15)


def test_an_open_connection_keeps_the_server(soon_idle: EmbeddedServer) -> None:
    soon_idle.ensure_running()
    with psycopg.connect(soon_idle.url("palace_owner")) as connection:
        assert not stops_within(soon_idle, IDLE_MINUTES * 60 * 2)
        assert connection.execute("select 1").fetchone() == (1,)


def test_attaching_keeps_the_server(soon_idle: EmbeddedServer) -> None:
    soon_idle.ensure_running()
    pid = soon_idle.status().pid
    for _ in range(7):
        time.sleep(IDLE_MINUTES * 60 / 4)
        soon_idle.ensure_running()
    assert soon_idle.status().pid == pid


def test_a_client_that_is_attaching_is_not_cut_off(soon_idle: EmbeddedServer, layout: Layout) -> None:
    soon_idle.ensure_running()
    with hold(layout.lock, seconds=1, shared=True):
        assert not stops_within(soon_idle, IDLE_MINUTES * 60 * 2)


def test_after_an_idle_stop_the_next_start_is_watched_too(soon_idle: EmbeddedServer) -> None:
    for _ in range(2):
        soon_idle.ensure_running()
        assert stops_within(soon_idle, 15)


def test_the_watcher_outlives_a_killed_client(made: EmbeddedServer, home: Path, client: Client) -> None:
    code = "server.ensure_running(); os.kill(os.getpid(), signal.SIGKILL)"
    assert client(home, code, idle_minutes=IDLE_MINUTES).wait(60) == -signal.SIGKILL
    assert made.status().running
    assert stops_within(made, 15)


def test_the_watcher_outlives_a_crashed_backend(soon_idle: EmbeddedServer) -> None:
    soon_idle.ensure_running()
    pid = soon_idle.status().pid
    with psycopg.connect(soon_idle.url("palace_owner")) as connection:
        psutil.Process(connection.info.backend_pid).send_signal(signal.SIGKILL)
    soon_idle.ensure_running()
    assert soon_idle.status().pid == pid
    assert stops_within(soon_idle, 15)


def test_the_watcher_ends_with_its_server(made: EmbeddedServer, home: Path, layout: Layout) -> None:
    server = EmbeddedServer(home, idle_minutes=30)
    server.ensure_running()
    (watcher,) = watchers(layout)
    server.stop()
    wait_until_ended(watcher)
    assert layout.watcher_log.read_text() == ""


def test_the_watcher_ends_with_a_killed_server(made: EmbeddedServer, home: Path, layout: Layout) -> None:
    server = EmbeddedServer(home, idle_minutes=30)
    server.ensure_running()
    (watcher,) = watchers(layout)
    pid = server.status().pid
    assert pid is not None
    psutil.Process(pid).send_signal(signal.SIGKILL)
    wait_until_ended(watcher)


def test_a_failed_start_leaves_no_watcher(copied: EmbeddedServer, home: Path, layout: Layout) -> None:
    (layout.data / "pg_hba.conf").write_text("nonsense\n")
    with pytest.raises(EmbeddedServerError, match="could not load"):
        EmbeddedServer(home, idle_minutes=30).ensure_running()
    for watcher in watchers(layout):
        wait_until_ended(watcher)


def test_the_watcher_stays_out_of_the_home(made: EmbeddedServer, home: Path, layout: Layout) -> None:
    EmbeddedServer(home, idle_minutes=30).ensure_running()
    (watcher,) = watchers(layout)
    assert watcher.cwd() == "/"
    assert watcher.memory_info().rss < 30 << 20


def test_zero_minutes_mean_no_watcher(made: EmbeddedServer, layout: Layout) -> None:
    made.ensure_running()
    assert watchers(layout) == []


def test_the_watcher_loads_only_light_modules(layout: Layout) -> None:
    command = [str(part) for part in watcher_command(layout, 1)]
    start = command.index("-c") + 1
    command[start] = command[start].replace("main(sys.argv[2:])", "print(*sys.modules)")
    loaded = subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout.split()
    foreign = {name.partition(".")[0] for name in loaded} - sys.stdlib_module_names - {"__main__"}
    assert foreign == {"palace"}
    assert len(loaded) < 150


def test_somebody_who_came_and_went_between_two_looks_was_there() -> None:
    before = Usage(clients=0, sessions=5, touched=1)
    assert Usage(clients=0, sessions=5, touched=1).is_idle_since(before)
    assert not Usage(clients=0, sessions=6, touched=1).is_idle_since(before)
    assert not Usage(clients=0, sessions=5, touched=2).is_idle_since(before)
    assert not Usage(clients=1, sessions=5, touched=1).is_idle_since(Usage(clients=1, sessions=5, touched=1))
