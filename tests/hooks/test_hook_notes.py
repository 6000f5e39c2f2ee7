"""What hooks keep below the home: failures, sessions and notes; bounded, for the owner alone, whole or not at all."""

from __future__ import annotations

import json
import os
import stat
import time
from dataclasses import replace
from pathlib import Path

import pytest

from palace.errors import DatabaseUnavailable
from palace.opened import OpenPalace
from tests.hooks.conftest import ASKED, Agent, notes
from tests.hooks.parts import answer_request


def fail(agent: Agent) -> None:
    """Have a hook fail."""

    def away(user: str) -> OpenPalace:
        raise DatabaseUnavailable(f"no server for {user}")

    sent = {"hook_event_name": "UserPromptSubmit", "prompt": ASKED, "cwd": "/tmp", "session_id": "s"}
    answer_request(replace(agent.context, open=away), {"input": json.dumps(sent)})


def session_of(agent: Agent) -> Path:
    """Give the one file of a session."""
    (path,) = (agent.settings.home_folder / "hooks" / "sessions").iterdir()
    return path


def test_the_log_of_failures_is_bounded_its_owners_and_never_written_through_a_link(agent: Agent) -> None:
    log = agent.settings.home_folder / "hooks" / "failures.log"
    fail(agent)
    assert agent.codes == ["database_unavailable"]
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    log.write_bytes(log.read_bytes() * 2_000)
    fail(agent)
    assert 0 < log.stat().st_size < 64 << 10
    other = log.with_name("other")
    log.rename(other)
    before = other.read_bytes()
    log.symlink_to(other)
    fail(agent)
    assert other.read_bytes() == before


def test_what_is_known_of_a_session_is_its_owners_and_nothing_where_its_file_makes_no_sense(filed: Agent) -> None:
    assert "licence" in filed.send("UserPromptSubmit", prompt=ASKED)
    path = session_of(filed)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    for content in (b"", b"{", b"[]", b'{"folder": 7}', b'{"folder":"","drawers":7,"prompts":[]}'):
        path.write_bytes(content)
        assert "licence" in filed.send("UserPromptSubmit", prompt=ASKED), content
        assert "licence" not in filed.send("UserPromptSubmit", prompt=ASKED)


def test_sessions_not_heard_of_for_a_week_are_swept_away(filed: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("palace.hooks.answering.SWEEPING", 1)
    filed.send("UserPromptSubmit", prompt=ASKED)
    path = session_of(filed)
    for days, is_kept in ((6, True), (8, False)):
        os.utime(path, (0, time.time() - days * 86_400))
        filed.send("SessionStart", session="another", source="startup")
        assert path.exists() is is_kept


def test_a_note_takes_the_place_of_the_one_that_waits_and_they_are_bounded(
    agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("palace_hook.notes.MOST_NOTES", 2)
    for name in ("one", "two", "one", "three", "two"):
        agent.send("Stop", transcript_path=f"/home/mara/{name}.jsonl")
    waiting = [left["transcript"] for left in notes(agent.settings.home_folder)]
    assert sorted(waiting) == ["/home/mara/one.jsonl", "/home/mara/two.jsonl"]
    assert len(agent.codes) == 1


def test_a_note_that_makes_no_sense_or_of_no_time_goes_and_a_folder_stays(agent: Agent) -> None:
    home = agent.settings.home_folder
    (home / "hooks" / "inbox" / "d.json").mkdir(parents=True)
    times = ("1" + "0" * 400, "-1e300", "NaN", "Infinity", "true")
    for content in ("", "{}", "[1]", "[" * 70_000, '{"harness": 7}', *times):
        agent.send("Stop", transcript_path="/home/mara/s-1.jsonl")
        (path,) = (each for each in (home / "hooks" / "inbox").iterdir() if each.is_file())
        told = json.loads(path.read_text())
        sound = json.dumps({**told, "at": "AT"}).replace('"AT"', content)
        path.write_text(sound if content in times else content)
        agent.miner.look()
        assert [each.name for each in (home / "hooks" / "inbox").iterdir()] == ["d.json"], content[:9]
    assert agent.codes == []
