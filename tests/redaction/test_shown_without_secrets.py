"""The command line tells what was taken out, where, and never what it was."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from palace import Settings
from palace_cli.app import app
from tests.held import lead_to
from tests.redaction.planted import KEPT, SECRET, TOLD, write


@pytest.fixture
def run(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    """Give what runs a command as a user of the test's own."""
    lead_to(settings, monkeypatch, PALACE_HOME=str(tmp_path / "home"), LOGNAME=f"user-{os.urandom(8).hex()}")

    def command(*arguments: str) -> str:
        result = CliRunner().invoke(app, list(arguments))
        assert result.exit_code == 0, result.output
        return result.output

    return command


def test_a_mine_tells_how_many_of_which_kind_and_where(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    shown = run("mine", str(write(tmp_path)))
    assert "1 password" in shown
    assert "talk.json, message 1" in " ".join(shown.split())
    assert SECRET not in shown
    assert "taken out: 1 password" in run("show", "W-001/R-01/D-001")
    assert json.loads(run("show", "W-001/R-01/D-001", "--json"))["drawer"]["redacted"] == [["password", 1]]


def test_what_was_kept_is_scrubbed(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    assert "1 password" not in run("mine", "--keep-secrets", str(write(tmp_path)))
    assert TOLD in run("show", "W-001/R-01/D-001")
    assert "nothing was changed" in run("scrub", "--dry-run")
    assert "1 password" in run("scrub")
    assert KEPT in run("show", "W-001/R-01/D-001")
    assert "none" in run("scrub")


def test_a_note_tells_what_was_taken_out(run) -> None:  # type: ignore[no-untyped-def]
    shown = run("note", TOLD)
    assert "taken out of the note: 1 password" in shown
    assert "taken out" not in run("note", "--keep-secrets", "my PIN is 4711")


def test_rules_come_from_the_environment(run, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setenv("PALACE_SECRETS_OFF", '["password"]')
    run("note", TOLD)
    assert TOLD in run("show", "W-001/R-01/D-001")
    monkeypatch.setenv("PALACE_SECRETS_PATTERNS", '{"badge": "TIDE-\\\\d{6}"}')
    assert "1 badge" in run("note", "my badge says TIDE-123456")
    monkeypatch.setenv("PALACE_SECRETS_PATTERNS", '{"badge": "(x"}')
    failed = CliRunner().invoke(app, ["note", "x"])
    assert failed.exit_code != 0
    assert "the pattern 'badge' cannot be used" in failed.output
