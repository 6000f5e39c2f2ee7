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

from palace.hooks.failures import FOLDER, LOG, MOST_BYTES, list_failures, note
from palace.hooks.inbox import left as inbox
from palace.hooks.inbox.left import Left, done, is_empty, leave, take
from palace.hooks.inbox.trust import refusal
from palace.hooks.sessions import KEPT_SECONDS, MOST_DRAWERS, Session, Sessions

LEFT = Left("claude-code", "s-1", "/home/mara/s-1.jsonl", "/home/mara/api", None, "stop", 10.0)


def test_a_failure_is_one_line_and_read_back(tmp_path: Path) -> None:
    note(tmp_path, "prompt", "codex", "timeout", step="recall")
    (found,) = list_failures(tmp_path)
    assert (found.event, found.harness, found.code, found.step) == ("prompt", "codex", "timeout", "recall")
    assert datetime.now(UTC) - found.at < timedelta(minutes=1)
    assert not list_failures(tmp_path, since=datetime.now(UTC) + timedelta(minutes=1))


def test_whatever_it_is_told_a_failure_is_words_of_one_line(tmp_path: Path) -> None:
    note(tmp_path, "pro\nmpt", "", "secret: hunter2 " * 100, step="\x1b[31m")
    text = (tmp_path / FOLDER / LOG).read_text()
    assert text.count("\n") == 1
    assert "\x1b" not in text
    assert len(text) < 300
    assert len(list_failures(tmp_path)) == 1


def test_the_log_of_failures_is_bounded_and_its_owners(tmp_path: Path) -> None:
    for number in range(2500):
        note(tmp_path, "prompt", "codex", f"number_{number}", step="recall")
    log = tmp_path / FOLDER / LOG
    assert log.stat().st_size <= MOST_BYTES + 200
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    assert list_failures(tmp_path)[-1].code == "number_2499"


def test_a_link_in_the_place_of_the_log_is_not_written_through(tmp_path: Path) -> None:
    (tmp_path / FOLDER).mkdir()
    (tmp_path / "other").write_text("kept")
    (tmp_path / FOLDER / LOG).symlink_to(tmp_path / "other")
    note(tmp_path, "prompt", "codex", "timeout")
    assert (tmp_path / "other").read_text() == "kept"


def test_a_home_that_cannot_be_written_fails_nobody(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    note(tmp_path / "file", "prompt", "codex", "timeout")
    assert list(list_failures(tmp_path / "file")) == []


def test_lines_that_make_no_sense_are_passed_over(tmp_path: Path) -> None:
    note(tmp_path, "prompt", "codex", "timeout")
    with (tmp_path / FOLDER / LOG).open("ab") as log:
        log.write(b"\xff\xfe what\n2026-99-99T00:00:00Z a b c d\n2026-11-20T10:00:00Z a b\n")
    assert len(list_failures(tmp_path)) == 1


def test_what_is_known_of_a_session_is_kept(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path, "mara")
    known = Session("/home/mara/api").told([1, 2, 2, 3]).asked("Why did we drop Redis?")
    sessions.save("s-1", known)
    assert sessions.load("s-1") == known
    assert sessions.load("s-2") == Sessions(tmp_path, "tom").load("s-1") == Session()
    (path,) = (tmp_path / "hooks" / "sessions").iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_what_is_known_of_a_session_is_bounded() -> None:
    known = Session()
    for number in range(3000):
        known = known.told([number]).asked(f"{number} " * 1000)
    assert len(known.drawers) == MOST_DRAWERS
    assert known.drawers[-1] == 2999
    assert sum(map(len, known.prompts)) <= 1500


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"folder": 7}', b'{"folder":"","drawers":7,"prompts":[]}'])
def test_a_file_of_a_session_that_makes_no_sense_is_nothing_known(tmp_path: Path, content: bytes) -> None:
    sessions = Sessions(tmp_path, "mara")
    sessions.save("s-1", Session("/home/mara"))
    (path,) = (tmp_path / "hooks" / "sessions").iterdir()
    path.write_bytes(content)
    assert sessions.load("s-1") == Session()


def test_sessions_not_heard_of_for_long_are_swept_away_and_a_users_are_forgotten(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path, "mara")
    sessions.save("old", Session("/a"))
    (old,) = (tmp_path / "hooks" / "sessions").iterdir()
    os.utime(old, (0, time.time() - KEPT_SECONDS - 60))
    sessions.save("new", Session("/b"))
    Sessions(tmp_path, "tom").save("his", Session("/c"))
    sessions.sweep()
    assert sessions.load("old") == Session()
    sessions.forget()
    assert sessions.load("new") == Session()
    assert Sessions(tmp_path, "tom").load("his") == Session("/c")


def test_a_note_takes_the_place_of_the_one_that_waits_for_the_same_transcript(tmp_path: Path) -> None:
    for at in (1.0, 2.0, 3.0):
        leave(tmp_path, replace(LEFT, at=at))
    leave(tmp_path, replace(LEFT, transcript="/home/mara/s-2.jsonl", at=0.5))
    assert [left.at for _, left in take(tmp_path)] == [0.5, 3.0]


def test_what_is_left_while_a_note_is_worked_on_is_not_lost(tmp_path: Path) -> None:
    leave(tmp_path, LEFT)
    ((taken, _),) = take(tmp_path)
    leave(tmp_path, replace(LEFT, at=20.0))
    done(taken)
    assert [left.at for _, left in take(tmp_path)] == [20.0]


def test_a_note_whose_worker_was_killed_is_found_again(tmp_path: Path) -> None:
    leave(tmp_path, LEFT)
    take(tmp_path)
    assert not is_empty(tmp_path)
    assert [left for _, left in take(tmp_path)] == [LEFT]


@pytest.mark.parametrize("content", [b"", b"{}", b"[1]", b"[" * 70_000, json.dumps({"harness": 7}).encode()])
def test_a_note_that_makes_no_sense_goes(tmp_path: Path, content: bytes) -> None:
    leave(tmp_path, LEFT)
    next((tmp_path / "hooks" / "inbox").iterdir()).write_bytes(content)
    assert take(tmp_path) == []
    assert is_empty(tmp_path)


@pytest.mark.parametrize("at", ["1" + "0" * 400, "-1e300", "NaN", "Infinity", "true"])
def test_a_note_of_no_time_goes(tmp_path: Path, at: str) -> None:
    leave(tmp_path, LEFT)
    note_of_it = next((tmp_path / "hooks" / "inbox").iterdir())
    note_of_it.write_text(note_of_it.read_text().replace('"at": 10.0', f'"at": {at}'))
    assert take(tmp_path) == []
    assert is_empty(tmp_path)


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
    monkeypatch.setattr(inbox, "MOST", 2)
    for number in range(2):
        leave(tmp_path, replace(LEFT, transcript=f"/{number}.jsonl"))
    with pytest.raises(inbox.InboxFull):
        leave(tmp_path, replace(LEFT, transcript="/3.jsonl"))
    leave(tmp_path, replace(LEFT, transcript="/1.jsonl"))


def test_only_a_file_of_ones_own_is_mined(tmp_path: Path) -> None:
    transcript = tmp_path / "s-1.jsonl"
    transcript.write_text("{}\n")
    transcript.chmod(0o600)
    assert refusal(str(transcript)) == ""
    (tmp_path / "link.jsonl").symlink_to(transcript)
    os.mkfifo(tmp_path / "pipe.jsonl")
    (tmp_path / "folder.jsonl").mkdir()
    open_to_all = tmp_path / "all.jsonl"
    open_to_all.write_text("{}\n")
    open_to_all.chmod(0o666)
    assert refusal(str(tmp_path / "link.jsonl")) == "a_link"
    assert refusal(str(tmp_path / "pipe.jsonl")) == "no_file"
    assert refusal(str(tmp_path / "folder.jsonl")) == "no_file"
    assert refusal(str(open_to_all)) == "others_write"
    assert refusal(str(tmp_path / "gone.jsonl")) == "vanished"
    assert refusal("s-1.jsonl") == refusal("") == refusal("/a\0.jsonl") == "no_path"
    assert refusal("/etc/passwd") == refusal("/dev/zero") == refusal("/proc/self/environ") == "no_transcript"
    assert refusal("/dev/shm/../null.jsonl") in {"no_file", "vanished"}


@pytest.mark.skipif(os.geteuid() != 0, reason="needs another account's file")
def test_a_transcript_of_another_account_is_not_mined(tmp_path: Path) -> None:
    transcript = tmp_path / "s-1.jsonl"
    transcript.write_text("{}\n")
    os.chown(transcript, 12345, 12345)
    assert refusal(str(transcript)) == "of_another_account"
    os.chown(transcript, 0, 0)
    os.chown(tmp_path, 12345, 12345)
    assert refusal(str(transcript)) == "of_another_account"
