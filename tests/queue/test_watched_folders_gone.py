"""Watched folders that do not exist, go while they are watched, and are there again."""

from __future__ import annotations

from pathlib import Path

import pytest

from palace import Palace, Settings
from palace.worker.runner import Until
from tests.queue.conftest import within
from tests.queue.test_watching import _start, drawers, folder, mine, transcript, watching

__all__ = ["folder", "mine"]


def test_a_folder_that_is_not_there_is_told_once_and_waited_for(
    palace: Palace, mine: Settings, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    worker, later = watching(mine, tmp_path / "later"), tmp_path / "later"
    started = _start(worker)
    try:
        assert within(10, lambda: "later" in caplog.text)
        later.mkdir()
        transcript(later / "a.jsonl", range(1, 3))
        assert within(20, lambda: drawers(palace) == 2)
    finally:
        worker.stop()
        started.join(20)
    assert caplog.text.count("later: does not exist; nothing of it is mined until it is there") == 1
    assert caplog.text.count("later: is there now, and mined") == 1


def test_a_folder_that_does_not_exist_is_counted_as_such_and_as_no_file(mine: Settings, tmp_path: Path) -> None:
    summary = watching(mine, tmp_path / "nowhere").run(Until.DONE)
    assert (summary.unread, summary.missing) == (0, 1)
