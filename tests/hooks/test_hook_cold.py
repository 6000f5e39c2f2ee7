"""A hook that no worker answers: whatever the database does, it keeps to its time, and one line tells of it."""

from __future__ import annotations

import json
import socket
import time
from pathlib import Path

import pytest

from palace.hooks.failures import list_failures
from palace.hooks.sessions import Session, Sessions
from palace_hook import cold
from tests.hooks.conftest import Agent
from tests.hooks.test_hook_answers import ASKED, file

SECONDS = 1.3


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home that the environment names."""
    path = tmp_path / "own"
    path.mkdir(mode=0o700)
    monkeypatch.setenv("PALACE_HOME", str(path))
    monkeypatch.setenv("PALACE_WORKER_STARTS", "false")
    return path


def asked(folder: Path, prompt: str = ASKED) -> str:
    """Ask as the program does, and see that it keeps to its time."""
    sent = {"session_id": "s-1", "hook_event_name": "UserPromptSubmit", "cwd": str(folder), "prompt": prompt}
    began = time.monotonic()
    out = cold.answer({"event": "prompt", "input": json.dumps(sent)}, SECONDS)
    assert time.monotonic() - began < SECONDS + 3  # importing takes a while on a busy machine: the program forks for it
    return out


def codes(home: Path) -> list[str]:
    """List what was noted."""
    return [failure.code for failure in list_failures(home)]


def test_an_embedded_server_that_does_not_run_is_not_waited_for(home: Path, tmp_path: Path) -> None:
    assert asked(tmp_path) == ""
    assert codes(home) == ["embedded_server"]
    assert not (home / "postgres").exists()


def test_a_server_that_takes_connections_and_says_nothing_is_left_behind(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        monkeypatch.setenv("PALACE_DATABASE_URL", f"postgresql://palace@127.0.0.1:{port}/palace")
        assert asked(tmp_path) == ""
    assert codes(home) == ["timeout"]


def test_a_schema_of_another_version_is_left_as_it_is(
    agent: Agent, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = agent.settings.database_url
    assert url
    monkeypatch.setenv("PALACE_DATABASE_URL", url.get_secret_value())
    monkeypatch.setattr("palace.store.schema.HEAD", "9999")
    monkeypatch.setattr(cold, "MARGIN", -20.0)  # what fails is looked at here, not how soon
    assert asked(agent.project) == ""
    assert codes(home) == ["schema_mismatch"]


@pytest.mark.parametrize("broken", ["this is no toml", "hooks = 7.5\n", "zorp = 1\n"])
def test_settings_that_cannot_be_read_are_noted(home: Path, tmp_path: Path, broken: str) -> None:
    (home / "config.toml").write_text(broken)
    assert asked(tmp_path) == ""
    assert codes(home) == ["bad_request"]


def test_hooks_that_are_switched_off_do_nothing(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALACE_HOOKS", "false")
    assert asked(tmp_path) == ""
    assert codes(home) == []


def test_whoever_is_forgotten_is_forgotten_by_hooks_too(agent: Agent) -> None:
    sessions = Sessions(agent.palace._opened.settings.home_folder, agent.palace.user)
    sessions.save("s-1", Session("/home/mara").asked("Why did we drop Redis?"))
    file(agent, "s-0", agent.project, "We dropped it.")
    agent.palace.forget_everything()
    assert sessions.load("s-1") == Session()
