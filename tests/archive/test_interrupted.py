"""Ctrl-C in the middle, from a process of its own: nothing half done is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from palace import Administration, Palace, Settings
from palace.testing import HashingEmbedder
from tests.archive.places import owner_url


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
    assert empty.database_url is not None
    environment = os.environ | {
        "PALACE_HOME": str(empty.home),
        "PALACE_DATABASE_URL": empty.database_url.get_secret_value(),
        "PALACE_DATABASE_OWNER_URL": owner_url(empty),
    }
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
