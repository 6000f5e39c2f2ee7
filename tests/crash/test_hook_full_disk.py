"""Hooks on a full disk: the program that called them notices nothing, and what they keep is whole or not there."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from palace import Palace, Settings
from palace.hooks import cold
from tests.crash.conftest import fill_disk
from tests.warm.conftest import LIMIT_SECONDS, run_hook

TOLD = "We decided against Redis for the session cache, since the operators do not want another server."
ASKED = "Why did we decide against Redis for the session cache?"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository."""
    path = tmp_path / "acme"
    path.mkdir()
    subprocess.run(["git", "init", "-q", path], check=True)
    return path


def call(home: Path, project: Path, name: str, session: str, **more: str) -> bytes:
    """Call a hook as Claude Code does, and see that it keeps to what every host counts on; give what it wrote."""
    told = {"hook_event_name": name, "session_id": session, "cwd": str(project), **more}
    done, took = run_hook(home, "any", "--harness", "claude-code", sent=json.dumps(told).encode())
    assert (done.returncode, done.stderr) == (0, b"")
    assert took < LIMIT_SECONDS + 1.5  # this machine may be busy
    return done.stdout


@pytest.mark.nightly
def test_hooks_on_a_full_disk_are_silent_and_go_on_when_there_is_space(
    small_disk: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = small_disk / "home"
    home.mkdir(mode=0o711)
    with Palace.open(Settings(home=home, server_idle_minutes=0)) as palace:
        palace.note(TOLD, wing="acme")
        palace.projects.assign(project, "acme")
    call(home, project, "UserPromptSubmit", "before", prompt="hi")
    ballast = fill_disk(small_disk, but=0)
    while shutil.disk_usage(small_disk).free:  # what the file system kept back
        with ballast.open("ab", buffering=0) as file:
            file.write(b"." * 4096)
    transcript = project / "s-1.jsonl"
    transcript.write_text("{}\n")
    for name in ("SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd"):
        assert call(home, project, name, "during", prompt=ASKED, transcript_path=str(transcript)) == b""
    assert not list((home / "hooks").rglob("*.new"))
    assert not list(home.rglob("inbox/*.json"))

    ballast.unlink()
    call(home, project, "Stop", "during", transcript_path=str(transcript))
    assert [json.loads(left.read_text())["folder"] for left in home.rglob("inbox/*.json")] == [str(project)]
    monkeypatch.setenv("PALACE_HOME", str(home))
    monkeypatch.setenv("PALACE_WORKER_STARTS", "false")
    sent = {"hook_event_name": "UserPromptSubmit", "session_id": "after", "cwd": str(project), "prompt": ASKED}
    said = cold.answer({"event": "", "harness": "claude-code", "input": json.dumps(sent)}, 30.0)
    assert "Redis" in json.loads(said)["hookSpecificOutput"]["additionalContext"]
