"""A session has the memory of the project where it began, whatever its program says later; of two, that of neither."""

from __future__ import annotations

import json
import os
import stat
import time
from pathlib import Path

import pytest

from palace.errors import DatabaseUnavailable
from palace.hooks.answering import Ground, answer_request
from palace.hooks.began import FOLDER, MOST, agreed, begin, file_name
from palace.hooks.failures import FOLDER as HOOKS
from palace.hooks.sessions import KEPT_SECONDS, Sessions
from palace.opened import OpenPalace
from tests.hooks.conftest import Agent, line, repository
from tests.hooks.test_hook_answers import ANSWER, ASKED, file


@pytest.fixture
def filed(agent: Agent) -> Agent:
    """An agent in whose project an earlier session was filed."""
    file(agent, "s-0", agent.project, ANSWER)
    return agent


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """Another project."""
    return repository(tmp_path / "other")


@pytest.mark.parametrize("source", ["compact", "resume", "clear"])
def test_a_session_that_goes_on_elsewhere_stays_with_its_project(filed: Agent, other: Path, source: str) -> None:
    filed.send("SessionStart", session="e-1", folder=other, source="startup")
    assert filed.send("SessionStart", session="e-1", source=source) == ""
    assert filed.send("UserPromptSubmit", session="e-1", prompt=ASKED) == ""
    transcript = filed.transcript(line(1, "The Tern service is in Go.", session="e-1"), name="e-1")
    filed.send("Stop", session="e-1", transcript_path=str(transcript))
    filed.miner.look()
    tree = filed.palace.tree
    standing = {wing.name: [d.content for r in tree.rooms(wing) for d in tree.iter_drawers(r)] for wing in tree.wings()}
    assert {name: len(said) for name, said in standing.items()} == {"api": 1, "other": 1}
    assert "Tern" in standing["other"][0]


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("UserPromptSubmit", {"prompt": "hi"}),
        ("UserPromptSubmit", {"prompt": "/init please do all of it"}),
        ("PostToolUse", {}),
        ("Stop", {}),
        ("PreCompact", {}),
    ],
)
def test_a_first_event_that_is_answered_with_nothing_says_where_it_began(
    filed: Agent, other: Path, name: str, fields: dict[str, str]
) -> None:
    filed.send(name, session="n-1", folder=other, **fields)
    assert filed.send("UserPromptSubmit", session="n-1", prompt=ASKED) == ""
    assert filed.send("SessionStart", session="n-1", source="resume") == ""
    assert "licence" in filed.send("UserPromptSubmit", session="n-2", prompt=ASKED)


def test_a_first_event_that_fails_says_where_it_began(filed: Agent, other: Path) -> None:
    def away(user: str) -> OpenPalace:
        raise DatabaseUnavailable(f"no server for {user}")

    told = {"session_id": "n-1", "cwd": str(other), "hook_event_name": "SessionStart", "source": "startup"}
    answer_request(Ground(filed.settings.home_folder, filed.palace.user, away), {"input": json.dumps(told)})
    assert filed.send("UserPromptSubmit", session="n-1", prompt=ASKED) == ""


def test_a_name_that_is_given_again_in_another_project_is_given_the_memory_of_neither(
    filed: Agent, other: Path
) -> None:
    file(filed, "s-5", other, "The Tern service is written in Go.")
    assert "licence" in filed.send("SessionStart", session="e-1", source="startup")
    for folder in (other, filed.project):
        assert filed.send("SessionStart", session="e-1", folder=folder, source="startup") == ""
        assert filed.send("UserPromptSubmit", session="e-1", folder=folder, prompt=ASKED) == ""


def test_a_name_that_is_given_again_in_the_same_project_keeps_its_memory(filed: Agent) -> None:
    inner = filed.project / "src"
    inner.mkdir()
    filed.send("SessionStart", session="e-1", folder=inner, source="startup")
    assert "licence" in filed.send("SessionStart", session="e-1", source="startup")
    assert "licence" in filed.send("UserPromptSubmit", session="e-2", prompt=ASKED)


def test_where_it_cannot_be_written_down_nothing_is_given(filed: Agent) -> None:
    folder = filed.settings.home_folder / HOOKS / FOLDER
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    folder.write_text("")
    assert filed.send("UserPromptSubmit", session="n-1", prompt=ASKED) == ""


def test_the_first_folder_stays(tmp_path: Path) -> None:
    assert begin(tmp_path, "s-1", "/a") == ("/a",)
    assert begin(tmp_path, "s-1", "/b") == ("/a",)
    assert begin(tmp_path, "s-1", "/a", anew=True) == ("/a",)
    assert begin(tmp_path, "s-1", "/b", anew=True) == ("/a", "/b")
    (path,) = (tmp_path / HOOKS / FOLDER).iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert agreed(("/a", "/b")) == agreed(("/a", "")) == agreed(()) == ""


def test_what_is_kept_of_a_session_is_bounded(tmp_path: Path) -> None:
    for number in range(50):
        begin(tmp_path, "s-1", f"/{number}", anew=True)
    assert len(begin(tmp_path, "s-1", "/a")) == MOST + 1
    assert agreed(begin(tmp_path, "s-1", "/a")) == ""


@pytest.mark.parametrize("content", [b'"/a', b"7\n", b"{\n", b"\xff\n", b"[" * 50_000 + b"\n"])
def test_a_file_that_makes_no_sense_is_of_no_project(tmp_path: Path, content: bytes) -> None:
    begin(tmp_path, "s-1", "/a")
    (tmp_path / HOOKS / FOLDER / file_name("s-1")).write_bytes(content)
    assert agreed(begin(tmp_path, "s-1", "/b")) == ""


def test_no_name_of_a_session_leads_out_of_the_folder(tmp_path: Path) -> None:
    for name in ("../../x", "a/b", "A", "a", "x" * 200, "\ud83d", "."):
        assert begin(tmp_path, name, f"/{len(name)}{name!a}") == (f"/{len(name)}{name!a}",)
    assert len(list((tmp_path / HOOKS / FOLDER).iterdir())) == 7


def test_what_was_not_heard_of_for_long_is_swept_away(tmp_path: Path) -> None:
    begin(tmp_path, "old", "/a")
    begin(tmp_path, "new", "/a")
    old = tmp_path / HOOKS / FOLDER / file_name("old")
    os.utime(old, (0, time.time() - KEPT_SECONDS - 60))
    Sessions(tmp_path, "mara").sweep()
    assert not old.exists()
    assert begin(tmp_path, "new", "/b") == ("/a",)


@pytest.mark.parametrize("length", [0, 201, 100_000])
def test_whatever_a_session_is_called_it_is_given_no_other_projects_memory(
    filed: Agent, other: Path, length: int
) -> None:
    name = "x" * length
    filed.send("SessionStart", session=name, folder=other, source="startup")
    assert filed.send("UserPromptSubmit", session=name, prompt=ASKED) == ""
    assert ("licence" in filed.send("UserPromptSubmit", session=f"{name}y", prompt=ASKED)) is True
