"""Ctrl-C in the middle, from a process of its own: nothing half done is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from palace import Palace
from palace.administration import Administration
from palace.settings import Settings
from palace.testing import HashingEmbedder
from tests.archive.places import owner_url

PROGRAM = [sys.executable, "-c", "from palace_cli.entry import main; main()", "db"]
Interrupt = Callable[..., str]


@pytest.fixture
def interrupt() -> Iterator[Interrupt]:
    """Run a command on an empty palace of which somebody holds a table, and stop it while it waits for that."""
    # A shell that runs the tests in its background has them ignore Ctrl-C, and a program ignores what began it ignores.
    former = signal.signal(signal.SIGINT, signal.default_int_handler)

    def run(settings: Settings, lock: str, *arguments: str) -> str:
        assert settings.database_url is not None
        urls = {
            "PALACE_HOME": str(settings.home),
            "PALACE_DATABASE_URL": settings.database_url.get_secret_value(),
            "PALACE_DATABASE_OWNER_URL": owner_url(settings),
        }
        with psycopg.connect(owner_url(settings)) as holder:
            holder.execute(f"LOCK TABLE palace.drawer IN {lock} MODE".encode())
            with subprocess.Popen([*PROGRAM, *arguments], env=os.environ | urls, stderr=subprocess.PIPE) as program:
                _wait_for_waiter(holder)
                program.send_signal(signal.SIGINT)
                _, said = program.communicate(timeout=60)
        assert program.returncode == 130
        return said.decode()

    yield run
    signal.signal(signal.SIGINT, former)


def _wait_for_waiter(holder: psycopg.Connection) -> None:
    waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'palace.drawer'::regclass"
    deadline = time.monotonic() + 60
    while holder.execute(waiting).fetchone() == (0,):
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.slow
@pytest.mark.process
def test_an_interrupted_restore_leaves_the_palace_empty_and_can_be_run_again(
    interrupt: Interrupt, empty: Settings, backup: Path
) -> None:
    said = interrupt(empty, "ACCESS SHARE", "restore", str(backup))
    assert said.startswith("palace: interrupted")
    assert said.count("\n") == 1
    assert Administration(empty).restore(backup).drawers == 18


@pytest.mark.nightly
def test_an_interrupted_backup_leaves_no_file(interrupt: Interrupt, empty: Settings, tmp_path: Path) -> None:
    (tmp_path / "backups").mkdir()
    said = interrupt(empty, "ACCESS EXCLUSIVE", "backup", str(tmp_path / "backups" / "palace.backup"))
    assert said.startswith("palace: interrupted")
    assert list((tmp_path / "backups").iterdir()) == []


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
