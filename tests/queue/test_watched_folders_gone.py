"""Watched folders that do not exist, go while they are watched, and are there again."""

from __future__ import annotations

from pathlib import Path

import pytest

from palace import Palace
from palace.settings import Settings
from tests.queue.conftest import Until, within
from tests.queue.test_watching import _runs, _start, drawers, folder, mine, transcript, watching

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


@pytest.mark.nightly
def test_a_folder_that_goes_while_it_is_watched_is_told_and_mined_when_it_is_back(
    palace: Palace, mine: Settings, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    transcript(folder / "a.jsonl", range(1, 3))
    worker, away = watching(mine, folder), folder.with_name("away")
    started = _start(worker)
    try:
        assert within(20, lambda: drawers(palace) == 2)
        folder.rename(away)
        assert within(20, lambda: f"{folder}: is not there any more" in caplog.text)
        transcript(away / "b.jsonl", range(3, 5), session="s-2")
        runs = _runs(palace)
        away.rename(folder)
        assert within(20, lambda: drawers(palace) == 4)
    finally:
        worker.stop()
        started.join(20)
    assert _runs(palace) == runs + 1
    assert f"{folder}: is there now, and mined" in caplog.text


def test_a_folder_that_does_not_exist_is_counted_as_such_and_as_no_file(mine: Settings, tmp_path: Path) -> None:
    summary = watching(mine, tmp_path / "nowhere").run(Until.DONE)
    assert (summary.unread, summary.missing) == (0, 1)
