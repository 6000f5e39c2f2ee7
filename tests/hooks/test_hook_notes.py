"""What hooks keep below the home: failures, sessions and notes; bounded, for the owner alone, whole or not at all."""

from __future__ import annotations

import json
import os
import stat
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from palace.hooks.inbox.left import InboxFull, Left, done, is_empty, leave, take
from palace.hooks.sessions import KEPT_SECONDS, Session, Sessions
from tests.hooks.parts import FOLDER, LOG, list_failures, note

LEFT = Left("claude-code", "s-1", "/home/mara/s-1.jsonl", "/home/mara/api", None, "stop", 10.0)


def test_a_failure_is_one_line_and_read_back(tmp_path: Path) -> None:
    note(tmp_path, "prompt", "codex", "timeout", step="recall")
    (found,) = list_failures(tmp_path)
    assert (found.event, found.harness, found.code, found.step) == ("prompt", "codex", "timeout", "recall")
    assert datetime.now(UTC) - found.at < timedelta(minutes=1)
    assert not list_failures(tmp_path, since=datetime.now(UTC) + timedelta(minutes=1))


def test_the_log_of_failures_is_bounded_and_its_owners(tmp_path: Path) -> None:
    for number in range(2500):
        note(tmp_path, "prompt", "codex", f"number_{number}", step="recall")
    log = tmp_path / FOLDER / LOG
    assert log.stat().st_size <= (64 << 10) + 200
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    assert list_failures(tmp_path)[-1].code == "number_2499"


def test_a_link_in_the_place_of_the_log_is_not_written_through_and_lines_of_no_sense_are_passed_over(
    tmp_path: Path,
) -> None:
    log = tmp_path / FOLDER / LOG
    log.parent.mkdir()
    (tmp_path / "other").write_text("kept")
    log.symlink_to(tmp_path / "other")
    note(tmp_path, "prompt", "codex", "timeout")
    assert (tmp_path / "other").read_text() == "kept"
    log.unlink()
    log.write_bytes(b"\xff\xfe what\n2026-99-99T00:00:00Z a b c d\n2026-11-20T10:00:00Z a b\n")
    note(tmp_path, "prompt", "codex", "timeout")
    assert len(list_failures(tmp_path)) == 1


def test_what_is_known_of_a_session_is_kept(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path, "mara")
    known = Session("/home/mara/api").told([1, 2, 2, 3]).asked("Why did we drop Redis?")
    sessions.save("s-1", known)
    assert sessions.load("s-1") == known
    assert sessions.load("s-2") == Sessions(tmp_path, "tom").load("s-1") == Session()
    (path,) = (tmp_path / "hooks" / "sessions").iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_what_is_known_of_a_session_is_bounded_and_nothing_where_its_file_makes_no_sense(tmp_path: Path) -> None:
    known, sessions = Session("/home/mara"), Sessions(tmp_path, "mara")
    for number in range(500):
        known = known.told([number]).asked(f"{number} " * 1000)
    assert (len(known.drawers), known.drawers[-1]) == (400, 499)
    assert sum(map(len, known.prompts)) <= 1500
    for content in (b"", b"{", b"[]", b'{"folder": 7}', b'{"folder":"","drawers":7,"prompts":[]}'):
        sessions.save("s-1", known)
        (path,) = (tmp_path / "hooks" / "sessions").iterdir()
        path.write_bytes(content)
        assert sessions.load("s-1") == Session(), content


def test_sessions_not_heard_of_for_long_are_swept_away_and_all_of_a_user_are_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("palace.hooks.sessions.SWEPT", 3)
    sessions, folder = Sessions(tmp_path, "mara"), tmp_path / "hooks" / "sessions"
    for number in range(20):
        sessions.save(f"s-{number}", Session("/a").asked("Does the Kittiwake go to Bergen?"))
    paths = sorted(folder.iterdir())
    for path in paths[10:]:
        os.utime(path, (0, time.time() - KEPT_SECONDS - 60))
    for _ in range(200):  # what is old is found behind however much is new
        sessions.sweep()
    assert sorted(folder.iterdir()) == paths[:10]
    Sessions(tmp_path, "tom").save("his", Session("/c"))
    sessions.forget()
    assert len(list(folder.iterdir())) == 1
    assert Sessions(tmp_path, "tom").load("his") == Session("/c")


def test_a_note_takes_the_place_of_the_one_that_waits_for_the_same_transcript(tmp_path: Path) -> None:
    for at in (1.0, 2.0, 3.0):
        leave(tmp_path, replace(LEFT, at=at))
    leave(tmp_path, replace(LEFT, transcript="/home/mara/s-2.jsonl", at=0.5))
    assert [left.at for _, left in take(tmp_path)] == [0.5, 3.0]


def test_what_is_left_while_a_note_is_worked_on_or_by_a_worker_that_was_killed_is_found(tmp_path: Path) -> None:
    leave(tmp_path, LEFT)
    take(tmp_path)
    assert not is_empty(tmp_path)
    ((taken, left),) = take(tmp_path)
    assert left == LEFT
    leave(tmp_path, replace(LEFT, at=20.0))
    done(taken)
    assert [left.at for _, left in take(tmp_path)] == [20.0]


def test_a_note_that_makes_no_sense_or_of_no_time_goes(tmp_path: Path) -> None:
    for content in (b"", b"{}", b"[1]", b"[" * 70_000, json.dumps({"harness": 7}).encode()):
        leave(tmp_path, LEFT)
        next((tmp_path / "hooks" / "inbox").iterdir()).write_bytes(content)
        assert (take(tmp_path), is_empty(tmp_path)) == ([], True), content[:9]
    for at in ("1" + "0" * 400, "-1e300", "NaN", "Infinity", "true"):
        leave(tmp_path, LEFT)
        path = next((tmp_path / "hooks" / "inbox").iterdir())
        path.write_text(path.read_text().replace('"at": 10.0', f'"at": {at}'))
        assert (take(tmp_path), is_empty(tmp_path)) == ([], True), at[:9]


def test_a_folder_among_the_notes_is_passed_over_and_nothing_stays_open(tmp_path: Path) -> None:
    leave(tmp_path, LEFT)
    (tmp_path / "hooks" / "inbox" / "d.json").mkdir()
    (tmp_path / "hooks" / "inbox" / "e.taken").mkdir()
    opened = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(5):
        [(path, left)] = take(tmp_path)
        assert left == LEFT
    done(path)
    assert is_empty(tmp_path)
    assert len(list(Path("/proc/self/fd").iterdir())) == opened


def test_notes_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("palace.hooks.inbox.left.MOST", 2)
    for number in range(2):
        leave(tmp_path, replace(LEFT, transcript=f"/{number}.jsonl"))
    with pytest.raises(InboxFull):
        leave(tmp_path, replace(LEFT, transcript="/3.jsonl"))
    leave(tmp_path, replace(LEFT, transcript="/1.jsonl"))
