"""A backup or a restore that is cancelled from another thread leaves nothing half done; both tell how far they are."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import psycopg
import pytest

from palace import Administration, Cancellation, Cancelled, Phase, Progress, Settings
from tests.archive.places import owner_url

WAITING = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'palace.drawer'::regclass"


def cancelled_while_it_waits(settings: Settings, lock: str, call: Callable[[Cancellation], object]) -> None:
    """Make a call, and cancel it once it waits for a table that somebody holds; it has to end while that is held."""
    cancel = Cancellation()
    with psycopg.connect(owner_url(settings)) as holder, ThreadPoolExecutor(1) as pool:
        holder.execute(f"LOCK TABLE palace.drawer IN {lock} MODE".encode())
        done = pool.submit(call, cancel)
        deadline = time.monotonic() + 60
        while holder.execute(WAITING).fetchone() == (0,):
            assert not done.done()
            assert time.monotonic() < deadline
            time.sleep(0.02)
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
