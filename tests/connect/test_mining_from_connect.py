"""`palace connect CLIENT --mine` mines what the client has kept, and nothing does without being told."""

from __future__ import annotations

import json
import uuid
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from palace import Settings
from palace_cli.app import app
from tests.held import lead_to


@pytest.fixture
def person(settings: Settings, home: Path, session: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Somebody with a palace on the tests' server, and a home with a session in it."""
    lead_to(settings, monkeypatch, LOGNAME=f"user-{uuid.uuid4()}")
    monkeypatch.setattr("palace_cli.connect.program.PASSED_ON", ("PALACE_HOME", "PALACE_USER"))
    return home


def connect(*words: str) -> Any:
    return CliRunner().invoke(app, ["connect", *words], catch_exceptions=False)


def test_what_lies_there_is_mined_when_that_is_said_and_not_when_nothing_was_agreed_to(person: Path) -> None:
    assert connect("claude-code", "--mine").exit_code == 1
    told = CliRunner().invoke(app, ["status", "--json"], catch_exceptions=False)
    assert json.loads(told.stdout)["drawers"] == 0
    done = connect("claude-code", "--mine", "--yes", "--json")
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["mined"]["drawers_new"] == 3
    assert "about 3 drawers, 1 minute, whether mined already or not" in done.stderr
    again = connect("claude-code", "--mine", "--json")
    assert json.loads(again.stdout)["mined"]["drawers_new"] == 0
    assert "about 0 drawers, 1 minute, without what is filed" in again.stderr


def test_who_is_named_has_a_palace_before_the_name_is_written_down(
    person: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = f"user-{uuid.uuid4()}"
    monkeypatch.setenv("PALACE_USER", f"user-{uuid.uuid4()}")
    for named in ([], ["--user", typed]):
        refused = connect("cursor", "--yes", *named)
        assert (refused.exit_code, refused.stdout, "--new-user" in refused.stderr) == (2, "", True)
        assert not (person / ".cursor").exists()
        assert connect("cursor", "--yes", "--new-user", *named).exit_code == 0
        assert connect("cursor", "--undo", "--yes").exit_code == 0
        assert CliRunner().invoke(app, ["status", *named]).exit_code == 0
    for answer, code in {"n": 2, "y": 0}.items():
        monkeypatch.setattr("palace_cli.commands.connect._is_there", lambda _: True)
        asked = CliRunner().invoke(app, ["connect", "cursor", "--user", f"{typed}-2"], input=f"{answer}\ny\n")
        assert (asked.exit_code, "no such user" in asked.stderr) == (code, True)
