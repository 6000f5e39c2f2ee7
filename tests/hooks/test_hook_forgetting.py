"""Forgetting a person takes all that hooks kept of their words, and nothing that others, or their sessions, live by."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from palace.hooks import sessions as kept
from palace.hooks.began import begin
from palace.hooks.sessions import FOLDER, KEPT_SECONDS, Session, Sessions
from tests.hooks.conftest import Agent, line, repository

PROMPT = "Does the Kittiwake go to Bergen?"


def test_however_many_sessions_there_were_no_prompt_stays(tmp_path: Path) -> None:
    own = Sessions(tmp_path, "mara")
    for number in range(1200):
        own.save(f"s-{number}", Session().asked(PROMPT))
    Sessions(tmp_path, "tom").save("s-1", Session().asked("What does Tom ask?"))
    own.forget()
    folder = tmp_path / "hooks" / FOLDER
    assert len(list(folder.iterdir())) == 1
    assert Sessions(tmp_path, "tom").load("s-1").prompts == ("What does Tom ask?",)


def test_what_a_killed_hook_left_half_written_goes_as_well(tmp_path: Path) -> None:
    own = Sessions(tmp_path, "mara")
    own.save("s-1", Session().asked(PROMPT))
    [path] = (tmp_path / "hooks" / FOLDER).iterdir()
    path.with_name(f".{path.name}.1.2.new").write_bytes(path.read_bytes()[:-5])
    own.forget()
    assert list(path.parent.iterdir()) == []


@pytest.mark.parametrize("who", ["mara", "tom"])
def test_a_session_that_goes_on_stays_where_it_began(tmp_path: Path, who: str) -> None:
    begin(tmp_path, "s-1", "/acme")
    Sessions(tmp_path, "tom").save("s-1", Session("/acme").asked(PROMPT))
    Sessions(tmp_path, who).forget()
    assert begin(tmp_path, "s-1", "/evil") == ("/acme",)


def test_a_session_that_goes_on_behind_a_forgetting_is_filed_in_its_own_project(agent: Agent, tmp_path: Path) -> None:
    agent.send("SessionStart", session="s-1", source="startup")
    Sessions(agent.settings.home_folder, agent.palace.user).forget()
    other = repository(tmp_path / "other")
    agent.send("Stop", session="s-1", folder=other, transcript_path=str(agent.transcript(line(1))))
    agent.miner.look()
    assert [wing.name for wing in agent.palace.tree.wings()] == ["api"]


def test_what_is_old_is_found_behind_however_much_is_new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "SWEPT", 3)
    own = Sessions(tmp_path, "mara")
    for number in range(20):
        own.save(f"s-{number}", Session().asked(PROMPT))
    paths = list((tmp_path / "hooks" / FOLDER).iterdir())
    for path in paths[10:]:
        os.utime(path, (0, time.time() - KEPT_SECONDS - 60))
    for _ in range(200):
        own.sweep()
    assert set((tmp_path / "hooks" / FOLDER).iterdir()) == set(paths[:10])
