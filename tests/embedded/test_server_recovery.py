"""What was killed, left behind or lost, and the next start."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest

from palace.db.embedded.home import Account, Layout, server_account
from palace.db.embedded.lock import (
    release,
    take,  # fmt: skip
)
from palace.db.embedded.postmaster import stop_processes
from palace.db.embedded.server import EmbeddedServer
from palace.errors import EmbeddedServerError
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


@pytest.mark.nightly
def test_the_server_is_nobodys_child_and_holds_nothing_of_the_client(
    made: EmbeddedServer, home: Path, client: Client
) -> None:
    code = "r, w = os.pipe(); os.set_inheritable(w, True); server.ensure_running(); print(os.getsid(0))"
    output, errors = client(home, code).communicate(timeout=60)
    assert errors == ""
    main = psutil.Process(pid_of(made))
    assert main.ppid() != os.getpid()
    assert os.getsid(main.pid) != int(output)
    assert main.cwd() == made.status().data_folder
    assert main.terminal() is None


@pytest.mark.process
def test_committed_data_outlives_a_killed_server(made: EmbeddedServer, query: Query) -> None:
    made.ensure_running()
    query(made, "create table kept_over_a_kill as select generate_series(1, 1000) as number")
    os.kill(pid_of(made), signal.SIGKILL)
    made.ensure_running()
    assert query(made, "select count(*) from kept_over_a_kill") == [(1000,)]


@pytest.mark.nightly
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


@pytest.mark.nightly
def test_a_process_id_in_use_by_somebody_else_is_not_taken_for_the_server(
    made: EmbeddedServer, layout: Layout, stranger: subprocess.Popen[bytes]
) -> None:
    claim_to_be(layout, stranger.pid)
    assert (made.status().pid, made.status().running, made.stop()) == (None, False, False)
    made.ensure_running()
    assert pid_of(made) != stranger.pid
    assert stranger.poll() is None


@pytest.mark.nightly
def test_a_server_that_cannot_be_seen_from_here_is_left_alone(made: EmbeddedServer, layout: Layout) -> None:
    claim = take(layout.alive)
    assert claim is not None
    with pytest.raises(EmbeddedServerError, match="may run in another container"):
        stop_processes(layout, patience=(0.1, 0.1))
    release(claim)
