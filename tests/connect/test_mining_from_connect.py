"""`palace connect CLIENT --mine` mines what the client has kept, and nothing does without being told."""

from __future__ import annotations

import json
import shutil
import uuid
from pathlib import Path

import pytest
from typer.testing import CliRunner

from palace.settings import Settings
from palace_cli.app import app
from tests.connect.test_connect_command import SESSION, WHOLE, keep_in_opencode


@pytest.fixture
def person(settings: Settings, home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Somebody with a palace on the tests' server, and a home with a session in it."""
    assert settings.database_url is not None
    monkeypatch.setenv("PALACE_HOME", str(settings.home))
    monkeypatch.setenv("PALACE_DATABASE_URL", settings.database_url.get_secret_value())
    monkeypatch.setenv("PALACE_USER", f"user-{uuid.uuid4()}")
    kept = home / ".claude" / "projects" / "efoil" / "session.jsonl"
    kept.parent.mkdir(parents=True)
    kept.write_bytes(SESSION.read_bytes())
    return home


def test_what_lies_there_is_mined_when_that_is_said(person: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("palace_cli.connect.program.PASSED_ON", ("PALACE_HOME", "PALACE_USER"))
    done = CliRunner().invoke(app, ["connect", "claude-code", "--mine", "--yes", "--json"], catch_exceptions=False)
    assert done.exit_code == 0, done.stderr
    answered = json.loads(done.stdout)
    assert answered["mined"]["drawers_new"] == 2
    assert "about 2 drawers, 1 minute, if none is mined yet" in done.stderr
    again = CliRunner().invoke(app, ["connect", "claude-code", "--mine", "--json"], catch_exceptions=False)
    assert json.loads(again.stdout)["mined"]["drawers_new"] == 0


@pytest.mark.parametrize(
    ("client", "folder", "drawers", "wing"),
    [
        ("gemini", "gemini/tmp", 11, "kiln"),
        ("cursor", "cursor/projects", 10, "kiln"),
        ("codex", "codex/sessions", 13, "kiln"),
        ("opencode", "", 60, "efoil"),
    ],
)
def test_what_each_client_keeps_is_mined(
    person: Path, monkeypatch: pytest.MonkeyPatch, client: str, folder: str, drawers: int, wing: str
) -> None:
    monkeypatch.setattr("palace_cli.connect.program.PASSED_ON", ("PALACE_HOME", "PALACE_USER"))
    if folder:
        shutil.copytree(WHOLE / folder, person / f".{folder}")
    else:
        keep_in_opencode(person / ".local" / "share" / "opencode")
    done = CliRunner().invoke(app, ["connect", client, "--mine", "--yes", "--json"], catch_exceptions=False)
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["mined"]["drawers_new"] == drawers
    listed = CliRunner().invoke(app, ["ls", "--json"], catch_exceptions=False)
    assert [each["name"] for each in json.loads(listed.stdout)] == [wing]


def test_nothing_is_mined_when_nothing_was_agreed_to(person: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("palace_cli.connect.program.PASSED_ON", ("PALACE_HOME", "PALACE_USER"))
    done = CliRunner().invoke(app, ["connect", "claude-code", "--mine"], catch_exceptions=False)
    assert done.exit_code == 1
    told = CliRunner().invoke(app, ["status", "--json"], catch_exceptions=False)
    assert json.loads(told.stdout)["drawers"] == 0
