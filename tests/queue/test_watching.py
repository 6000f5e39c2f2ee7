"""Folders that a worker watches: mined as they grow, once each, whatever befalls their files and themselves."""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pytest
from sqlalchemy import func, select

from palace import BadRequest, NotFound, Palace, Settings, UserSession, Worker
from palace.db.tables import MiningRun
from palace.testing import HashingEmbedder
from palace.worker.runner import Until
from tests.held import variables_of
from tests.queue.conftest import pending_steps, within, worker_of
from tests.readers.opencodes import begin, make, say

SAID = "The anchor of the Kittiwake is of aluminium."
SECRET_WORD = "cinnabar"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder to watch."""
    made = tmp_path / "projects"
    made.mkdir()
    return made


@pytest.fixture
def mine(settings: Settings, palace: Palace, tmp_path: Path) -> Settings:
    """Settings of the palace's user, for whom files rest at once."""
    home = tmp_path / "home"
    home.mkdir(mode=0o711)
    return settings.model_copy(update={"user": palace.user, "watch_rest_seconds": 0, "home": home})


def line(number: int, said: str = SAID, session: str = "s-1") -> str:
    """Write a line of a Claude Code transcript."""
    told = {
        "type": "user" if number % 2 else "assistant",
        "sessionId": session,
        "uuid": f"{session}-{number}",
        "cwd": "/home/mara/efoil",
        "timestamp": f"2026-04-30T10:00:{number:02}Z",
        "message": {"role": "user" if number % 2 else "assistant", "content": f"{said} ({number})"},
    }
    return json.dumps(told) + "\n"


def transcript(path: Path, numbers: range, **given: str) -> Path:
    """Append lines to a transcript."""
    with path.open("a") as file:
        file.writelines(line(number, **given) for number in numbers)
    return path


def watching(settings: Settings, *folders: Path, **given: object) -> Worker:
    """Make a worker that watches."""
    worker = worker_of(settings)
    worker.watch(*folders, **given)  # type: ignore[arg-type]
    return worker


def drawers(palace: Palace) -> int:
    return palace.status().drawers


def test_what_rests_is_mined_once_and_its_jobs_are_done(palace: Palace, mine: Settings, folder: Path) -> None:
    transcript(folder / "a.jsonl", range(1, 5))
    summary = watching(mine, folder).run(Until.DONE)
    assert (summary.filed, summary.unread, summary.done) == (4, 0, 1)
    assert drawers(palace) == 4
    assert pending_steps(palace) == {}
    assert watching(mine, folder).run(Until.DONE).filed == 0


@pytest.mark.slow
def test_a_grown_file_adds_only_the_new_turns_while_the_worker_runs(
    palace: Palace, mine: Settings, folder: Path, running: Callable[..., Worker]
) -> None:
    path = transcript(folder / "a.jsonl", range(1, 3))
    worker = watching(mine, folder)
    started = _start(worker)
    try:
        assert within(20, lambda: drawers(palace) == 2)
        transcript(path, range(3, 6))
        transcript(folder / "b.jsonl", range(1, 3), session="s-2")
        assert within(20, lambda: drawers(palace) == 7)
        assert within(20, lambda: pending_steps(palace) == {})
    finally:
        worker.stop()
        started.join(20)
    assert not started.is_alive()


def test_it_goes_where_mining_the_folder_by_hand_would_take_it(
    palace: Palace, settings: Settings, mine: Settings, folder: Path
) -> None:
    (folder / "notes.md").write_text("# Anchors\n\nUser: Which anchor?\n\nAssistant: The one of aluminium.\n")
    transcript(folder / "a.jsonl", range(1, 3))
    watching(mine, folder).run(Until.DONE)
    with Palace.open(settings, user=f"hand-{time.time_ns()}", embedder=HashingEmbedder()) as other:
        other.mine(folder)
        by_hand = [wing.name for wing in other.tree.wings()]
    assert [wing.name for wing in palace.tree.wings()] == by_hand
    assert palace.mine(folder).drawers_new == 0


def test_a_wing_can_be_named_by_name_or_number_and_must_be_there(palace: Palace, mine: Settings, folder: Path) -> None:
    transcript(folder / "a.jsonl", range(1, 3))
    watching(mine, folder, wing="Boats").run(Until.DONE)
    assert [wing.name for wing in palace.tree.wings()] == ["Boats"]
    with pytest.raises(NotFound):
        watching(mine, folder, wing="W-099").run(Until.DONE)


def test_a_file_that_is_being_written_is_left_alone(palace: Palace, mine: Settings, folder: Path) -> None:
    transcript(folder / "a.jsonl", range(1, 3))
    patient = mine.model_copy(update={"watch_rest_seconds": 60})
    assert watching(patient, folder).run(Until.DONE).filed == 0
    assert watching(mine, folder).run(Until.DONE).filed == 2


def test_a_last_line_that_breaks_off_comes_when_it_is_whole(palace: Palace, mine: Settings, folder: Path) -> None:
    path, whole = folder / "a.jsonl", line(3)
    transcript(path, range(1, 3))
    with path.open("a") as file:
        file.write(whole[:70])
    worker = watching(mine, folder)
    assert worker.run(Until.DONE).filed == 2
    with path.open("a") as file:
        file.write(whole[70:])
    assert watching(mine, folder).run(Until.DONE).filed == 1
    assert drawers(palace) == 3


@pytest.mark.nightly
def test_what_has_not_changed_is_not_read_again_not_even_by_another_worker(
    palace: Palace, mine: Settings, folder: Path
) -> None:
    for number in range(5):
        transcript(folder / f"{number}.jsonl", range(1, 3), session=f"s-{number}")
    watching(mine, folder).run(Until.DONE)
    before = _runs(palace)
    transcript(folder / "3.jsonl", range(3, 4), session="s-3")
    worker = watching(mine, folder)
    assert worker.run(Until.DONE).filed == 1
    assert _runs(palace) == before + 1
    assert watching(mine, folder).run(Until.DONE).filed == 0
    assert _runs(palace) == before + 1
    # Mined by other rules, it is read again.
    watching(mine, folder, keep_secrets=True).run(Until.DONE)
    assert _runs(palace) == before + 2


def test_what_cannot_be_read_is_named_once_and_the_others_are_mined(
    palace: Palace, mine: Settings, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    broken = {"type": "user", "sessionId": "s-9", "message": {"role": "user", "content": {"odd": SECRET_WORD}}}
    (folder / "bad.jsonl").write_text(line(1, session="s-9") + json.dumps(broken) + "\n" + line(2, session="s-9"))
    (folder / "bad.zip").write_bytes(b"PK\x03\x04" + SECRET_WORD.encode())
    transcript(folder / "good.jsonl", range(1, 3))
    with caplog.at_level(logging.WARNING, "palace.worker"):
        summary = watching(mine, folder).run(Until.DONE)
        watching(mine, folder).run(Until.DONE)
    assert (summary.filed, summary.unread) == (4, 2)
    said = [record.getMessage() for record in caplog.records]
    assert len([each for each in said if "bad.jsonl" in each]) == 1
    assert len([each for each in said if "bad.zip" in each]) == 1
    assert SECRET_WORD not in "".join(said)


def test_links_out_of_the_folder_and_what_is_hidden_are_not_followed(
    palace: Palace, mine: Settings, folder: Path, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    secret = transcript(outside / "diary.jsonl", range(1, 3))
    (folder / "diary.jsonl").symlink_to(secret)
    (folder / "all").symlink_to(outside)
    (folder / "round").symlink_to(folder)
    transcript(folder / ".hidden.jsonl", range(1, 3))
    os.mkfifo(folder / "pipe")
    transcript(folder / "a.jsonl", range(1, 2), session="s-2")
    assert watching(mine, folder).run(Until.DONE).filed == 1


def test_files_that_go_or_take_anothers_place_lose_nothing(palace: Palace, mine: Settings, folder: Path) -> None:
    path = transcript(folder / "a.jsonl", range(1, 5))
    watching(mine, folder).run(Until.DONE)
    path.rename(folder / "a.1.jsonl")
    transcript(path, range(1, 3), session="s-2")
    assert watching(mine, folder).run(Until.DONE).filed == 2
    path.unlink()
    (folder / "a.1.jsonl").unlink()
    assert watching(mine, folder).run(Until.DONE).filed == 0
    assert drawers(palace) == 6


@pytest.mark.nightly
def test_two_watchers_of_a_folder_file_nothing_twice(palace: Palace, mine: Settings, folder: Path) -> None:
    workers = [watching(mine, folder) for _ in range(2)]
    threads = [_start(worker) for worker in workers]
    try:
        for number in range(6):
            transcript(folder / f"{number % 3}.jsonl", range(1 + number, 2 + number), session=f"s-{number % 3}")
            time.sleep(0.3)
        assert within(20, lambda: drawers(palace) == 6)
        time.sleep(1)
    finally:
        for worker, thread in zip(workers, threads, strict=True):
            worker.stop()
            thread.join(20)
    assert drawers(palace) == 6
    assert palace.mine(folder).drawers_new == 0


def test_a_palace_that_was_brought_back_is_filled_again(palace: Palace, mine: Settings, folder: Path) -> None:
    transcript(folder / "a.jsonl", range(1, 3))
    watching(mine, folder).run(Until.DONE)
    (kept,) = (mine.home_folder / "watched").iterdir()
    assert kept.stat().st_mode & 0o077 == 0
    assert SAID not in kept.read_text()
    told = json.loads(kept.read_text())
    kept.write_text(json.dumps(told | {"mark": "2020-01-01T00:00:00+00:00"}))
    runs = _runs(palace)
    watching(mine, folder).run(Until.DONE)
    assert _runs(palace) == runs + 1
    kept.write_text("{")
    watching(mine, folder).run(Until.DONE)
    assert (_runs(palace), drawers(palace)) == (runs + 2, 2)


def test_nothing_is_mined_by_itself_for_whoever_said_so(palace: Palace, mine: Settings, folder: Path) -> None:
    transcript(folder / "a.jsonl", range(1, 3))
    palace.settings.set("auto_mine", False)
    assert watching(mine, folder).run(Until.DONE).filed == 0
    palace.settings.reset("auto_mine")
    assert watching(mine, folder).run(Until.DONE).filed == 2


def test_what_is_no_folder_is_refused(mine: Settings) -> None:
    for name in ("-", "", "a\0b"):
        with pytest.raises(BadRequest):
            worker_of(mine).watch(name)


def program(settings: Settings, *arguments: str) -> subprocess.Popen[str]:
    """Start `palace worker` as a process of its own."""
    more = {"PALACE_USER": settings.user, "PALACE_WATCH_REST_SECONDS": "0", "PYTHONPATH": os.pathsep.join(sys.path)}
    environment = os.environ | variables_of(settings, **more)
    words = [sys.executable, "-m", "palace_cli", "worker", *arguments]
    return subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.nightly
def test_a_process_ends_at_a_signal_in_the_middle_and_another_goes_on(
    palace: Palace, mine: Settings, folder: Path
) -> None:
    for number in range(30):
        transcript(folder / f"{number:02}.jsonl", range(1, 40), session=f"s-{number}", said=SAID * 20)
    with program(mine, "--watch", str(folder)) as ended:
        assert within(30, lambda: drawers(palace) > 0)
        began = time.monotonic()
        ended.send_signal(signal.SIGTERM)
        ended.communicate(timeout=15)
        assert ended.returncode == 0
        assert time.monotonic() - began < 10
    assert drawers(palace) < 30 * 39
    (folder / "bad.jsonl").write_text('{"type": "user", "sessionId": "s-9", "message": {}}\n' + line(2, session="s-9"))
    with program(mine, "--watch", str(folder), "--once", "--json") as whole:
        told, said = whole.communicate(timeout=300)
    assert (whole.returncode, drawers(palace)) == (1, 30 * 39 + 1)
    assert json.loads(told)["unread"] == 1
    assert said.count("bad.jsonl") == 1


def _start(worker: Worker) -> Thread:
    thread = Thread(target=worker.run)
    thread.start()
    return thread


def _runs(palace: Palace) -> int:
    """Count all runs, those that filed nothing too."""

    def count(session: UserSession) -> int:
        query = select(func.count()).select_from(MiningRun).where(MiningRun.user_id == session.user_id)
        return int(session.execute(query).scalar_one())

    return palace._opened.run(count)


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


def test_what_a_running_program_adds_is_mined_once(palace: Palace, mine: Settings, folder: Path) -> None:
    database = make(folder / "opencode.db")
    begin(database, "ses_1")
    say(database, "ses_1", 1, "user", "Which fuse does the battery need?")
    assert watching(mine, folder).run(Until.DONE).filed == 1
    before = (folder / "opencode.db").stat()
    say(database, "ses_1", 2, "assistant", "A slow fuse of 80 amps.")
    assert (folder / "opencode.db").stat().st_mtime_ns == before.st_mtime_ns
    assert watching(mine, folder).run(Until.DONE).filed == 1
    assert watching(mine, folder).run(Until.DONE).filed == 0
    assert drawers(palace) == 2
    database.close()
