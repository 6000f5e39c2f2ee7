"""Archives that are cut off, by Ctrl-C or cancelled from another thread: nothing half done is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import psycopg
import pytest

from palace import Administration, Cancellation, Cancelled, Palace, Phase, Progress, Settings
from palace.testing import HashingEmbedder
from tests.archive.places import owner_url
from tests.held import variables_of


@pytest.fixture
def _heeding_ctrl_c() -> Iterator[None]:
    """Have programs end at Ctrl-C: a shell that runs the tests in its background has all it begins ignore that."""
    former = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, former)


def _wait_for_waiter(holder: psycopg.Connection) -> None:
    waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'palace.drawer'::regclass"
    deadline = time.monotonic() + 60
    while holder.execute(waiting).fetchone() == (0,):
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.process
@pytest.mark.usefixtures("_heeding_ctrl_c")
def test_an_interrupted_restore_leaves_the_palace_empty_and_can_be_run_again(empty: Settings, backup: Path) -> None:
    environment = os.environ | variables_of(empty, PALACE_DATABASE_OWNER_URL=owner_url(empty))
    command = [sys.executable, "-c", "from palace_cli.entry import main; main()", "db", "restore", str(backup)]
    with psycopg.connect(owner_url(empty)) as holder:
        holder.execute("LOCK TABLE palace.drawer IN ACCESS SHARE MODE")
        with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as program:
            _wait_for_waiter(holder)
            program.send_signal(signal.SIGINT)
            _, said = program.communicate(timeout=60)
    assert program.returncode == 130
    assert said.startswith("palace: interrupted")
    assert said.count("\n") == 1
    assert Administration(empty).restore(backup).drawers == 18


@pytest.mark.nightly
def test_of_two_restores_at_once_one_fills_the_palace_and_one_is_told(empty: Settings, backup: Path) -> None:
    with psycopg.connect(owner_url(empty)) as holder, ThreadPoolExecutor(2) as pool:
        holder.execute("LOCK TABLE palace.drawer IN ACCESS SHARE MODE")
        done = [pool.submit(Administration(empty).restore, backup) for _ in range(2)]
        _wait_for_waiter(holder)
        holder.rollback()
        errors = [str(each.exception()) for each in done if each.exception()]
    assert len(errors) == 1
    assert errors[0].endswith("nothing was changed")
    with Palace.open(empty, user="mara", embedder=HashingEmbedder()) as palace:
        assert palace.status().drawers == 9


def cancelled_while_it_waits(settings: Settings, lock: str, call: Callable[[Cancellation], object]) -> None:
    """Make a call, and cancel it once it waits for a table that somebody holds; it has to end while that is held."""
    cancel = Cancellation()
    with psycopg.connect(owner_url(settings)) as holder, ThreadPoolExecutor(1) as pool:
        holder.execute(f"LOCK TABLE palace.drawer IN {lock} MODE".encode())
        done = pool.submit(call, cancel)
        _wait_for_waiter(holder)
        cancel.cancel()
        with pytest.raises(Cancelled):
            done.result(10)


def test_a_cancelled_backup_leaves_no_file(empty: Settings, tmp_path: Path) -> None:
    file = tmp_path / "backups" / "palace.backup"
    file.parent.mkdir()
    administration, told = Administration(empty), Event()

    def tell(now: Progress) -> None:
        assert (now.phase, now.total, now.unit, now.what) == (Phase.BACK_UP, None, "bytes", str(file))
        told.set()

    def back_up(cancel: Cancellation) -> object:
        return administration.backup(file, progress=tell, cancel=cancel)

    cancelled_while_it_waits(empty, "ACCESS EXCLUSIVE", back_up)
    assert list(file.parent.iterdir()) == []
    made = administration.backup(file, progress=tell)
    assert told.is_set()
    assert made.size_bytes == file.stat().st_size


@pytest.mark.nightly
def test_a_cancelled_restore_leaves_the_palace_empty_and_can_be_run_again(empty: Settings, backup: Path) -> None:
    administration = Administration(empty)
    cancelled_while_it_waits(empty, "ACCESS SHARE", lambda cancel: administration.restore(backup, cancel=cancel))
    told: list[Progress] = []
    assert administration.restore(backup, progress=told.append).drawers == 18
    assert [now.done for now in told] == sorted(now.done for now in told)
    assert (told[-1].phase, told[-1].unit, told[-1].what) == (Phase.RESTORE, "bytes", str(backup))
