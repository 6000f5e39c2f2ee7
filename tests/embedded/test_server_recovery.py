"""What was killed, left behind or lost, and the next start."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest

from palace.errors import EmbeddedServerError
from palace.store.embedded import postmaster
from palace.store.embedded.binaries import wheel_binaries
from palace.store.embedded.home import CLEAN_ENVIRONMENT, Account, Layout, server_account
from palace.store.embedded.lock import hold, release, take
from palace.store.embedded.postmaster import stop_processes
from palace.store.embedded.server import EmbeddedServer
from tests.embedded.processes import pid_of

Query = Callable[..., list[tuple[Any, ...]]]
Client = Callable[..., "subprocess.Popen[str]"]


def as_account(account: Account) -> dict[str, Any]:
    """Options that start a process as the server's account."""
    return {"user": account.uid, "group": account.gid, "extra_groups": []} if account.foreign else {}


@pytest.fixture
def stranger(layout: Layout, made: EmbeddedServer) -> Iterator[subprocess.Popen[bytes]]:
    """A process of somebody else's that runs as the server's account."""
    process = subprocess.Popen(["/bin/sleep", "60"], cwd="/", **as_account(server_account(layout)))
    yield process
    process.kill()
    process.wait()


def claim_to_be(layout: Layout, pid: int) -> None:
    """Leave the files a dead server leaves, with its process id in use again."""
    account = server_account(layout)
    layout.socket_folder.mkdir(mode=0o700, exist_ok=True)
    lines = f"{pid}\n{layout.data}\n1760000000\n5432\n{layout.socket_folder}\n\n  1 1\nready   \n"
    lock = layout.socket.with_name(layout.socket.name + ".lock")
    for path in (layout.data / "postmaster.pid", lock, layout.socket):
        path.write_text("" if path == layout.socket else lines)
        if account.foreign:
            os.chown(path, account.uid, account.gid)
            os.chown(layout.socket_folder, account.uid, account.gid)


def test_the_server_outlives_a_killed_client(made: EmbeddedServer, home: Path, client: Client, query: Query) -> None:
    process = client(home, "server.ensure_running(); os.kill(os.getpid(), signal.SIGKILL)")
    assert process.wait(60) == -signal.SIGKILL
    assert made.status().running
    assert query(made, "select 1") == [(1,)]


def test_the_server_is_nobodys_child_and_holds_nothing_of_the_client(
    made: EmbeddedServer, home: Path, client: Client
) -> None:
    code = "r, w = os.pipe(); os.set_inheritable(w, True); server.ensure_running(); print(os.getsid(0))"
    output, errors = client(home, code).communicate(timeout=60)
    assert errors == ""
    main = psutil.Process(pid_of(made))
    assert main.ppid() != os.getpid()
    assert os.getsid(main.pid) != int(output)
    assert main.cwd() == str(made.status().data_folder)
    assert main.terminal() is None


def test_processes_are_found_without_a_proc_filesystem(made: EmbeddedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    made.ensure_running()
    pid = pid_of(made)
    monkeypatch.setattr(postmaster, "PROCESSES", Path("/nowhere"))
    assert pid_of(made) == pid
    assert made.stop()


def test_committed_data_outlives_a_killed_server(made: EmbeddedServer, query: Query) -> None:
    made.ensure_running()
    query(made, "create table kept_over_a_kill as select generate_series(1, 1000) as number")
    os.kill(pid_of(made), signal.SIGKILL)
    made.ensure_running()
    assert query(made, "select count(*) from kept_over_a_kill") == [(1000,)]


def test_a_backend_that_outlives_its_server_does_not_keep_the_next_one_away(
    made: EmbeddedServer, layout: Layout, query: Query
) -> None:
    made.ensure_running()
    busy = "do $$ begin loop perform 1; end loop; end $$"
    thread = threading.Thread(target=_run_until_lost, args=(made, busy), daemon=True)
    thread.start()
    while query(made, "select count(*) from pg_stat_activity where query like 'do%' and state = 'active'") != [(1,)]:
        time.sleep(0.01)
    first = pid_of(made)
    os.kill(first, signal.SIGKILL)
    made.ensure_running()
    assert pid_of(made) != first
    thread.join(10)
    assert not thread.is_alive()


def _run_until_lost(server: EmbeddedServer, statement: str) -> None:
    connection = psycopg.connect(server.url("palace_owner"), autocommit=True)
    with pytest.raises(psycopg.OperationalError):
        connection.execute(statement.encode())
    connection.close()


def test_a_process_id_in_use_by_somebody_else_is_not_taken_for_the_server(
    made: EmbeddedServer, layout: Layout, stranger: subprocess.Popen[bytes]
) -> None:
    claim_to_be(layout, stranger.pid)
    assert made.status().pid is None
    assert not made.status().running
    made.ensure_running()
    assert pid_of(made) != stranger.pid
    assert stranger.poll() is None


def test_a_process_of_somebody_else_is_not_stopped(
    made: EmbeddedServer, layout: Layout, stranger: subprocess.Popen[bytes]
) -> None:
    layout.lock.touch()
    claim_to_be(layout, stranger.pid)
    assert not made.stop()
    time.sleep(0.1)
    assert stranger.poll() is None


def test_a_zombie_does_not_count_as_a_server(made: EmbeddedServer, layout: Layout) -> None:
    command = [str(wheel_binaries().binary("postgres")), "-D", str(layout.data)]
    made.ensure_running()
    made.stop()
    zombie = subprocess.Popen(command, env=CLEAN_ENVIRONMENT, cwd="/", **as_account(server_account(layout)))
    while not made.status().running:
        time.sleep(0.01)
    zombie.send_signal(signal.SIGKILL)
    while psutil.Process(zombie.pid).status() != psutil.STATUS_ZOMBIE:
        time.sleep(0.01)
    assert made.status().pid is None
    made.ensure_running()
    assert pid_of(made) != zombie.pid
    zombie.wait()


def test_a_server_started_by_hand_is_used_and_stopped(made: EmbeddedServer, layout: Layout) -> None:
    made.ensure_running()
    made.stop()
    command = [str(wheel_binaries().binary("postgres")), "-D", str(layout.data)]
    by_hand = subprocess.Popen(command, env=CLEAN_ENVIRONMENT, cwd="/", **as_account(server_account(layout)))
    while made.status().pid is None:
        time.sleep(0.01)
    made.ensure_running()
    assert pid_of(made) == by_hand.pid
    assert made.stop()
    assert by_hand.wait(10) == 0


def test_a_socket_that_was_deleted_comes_back(made: EmbeddedServer, layout: Layout, query: Query) -> None:
    made.ensure_running()
    shutil.rmtree(layout.socket_folder)
    assert not made.status().running
    made.ensure_running()
    assert query(made, "select 1") == [(1,)]


def test_a_server_that_does_not_react_is_ended_by_force(made: EmbeddedServer, layout: Layout, query: Query) -> None:
    made.ensure_running()
    query(made, "create table kept_over_force as select 7 as number")
    os.kill(pid_of(made), signal.SIGSTOP)
    assert stop_processes(layout, patience=(0.1, 1))
    made.ensure_running()
    assert query(made, "select number from kept_over_force") == [(7,)]


def test_a_server_that_cannot_be_seen_from_here_is_left_alone(made: EmbeddedServer, layout: Layout) -> None:
    claim = take(layout.alive)
    assert claim is not None
    with pytest.raises(EmbeddedServerError, match="may run in another container"):
        stop_processes(layout, patience=(0.1, 0.1))
    release(claim)


def test_waiting_for_somebody_elses_start_is_bounded(made: EmbeddedServer, layout: Layout) -> None:
    message = "has been starting or stopping the embedded server for 0.1 s"
    with (
        hold(layout.lock, seconds=1),
        pytest.raises(EmbeddedServerError, match=message),
        hold(layout.lock, seconds=0.1),
    ):
        pass


def test_clients_that_attach_do_not_wait_for_each_other(made: EmbeddedServer, layout: Layout) -> None:
    made.ensure_running()
    with ExitStack() as others:
        for _ in range(3):
            others.enter_context(hold(layout.lock, seconds=1, shared=True))
        begun = time.monotonic()
        made.ensure_running()
    assert time.monotonic() - begun < 1


def test_a_lock_passes_to_a_child_and_ends_with_it(layout: Layout, folder: Path) -> None:
    claim = take(folder / "claim")
    assert claim is not None
    child = subprocess.Popen(["/bin/sleep", "60"], pass_fds=[claim])
    os.close(claim)
    assert take(folder / "claim") is None
    child.kill()
    child.wait()
    again = take(folder / "claim")
    assert again is not None
    release(again)
