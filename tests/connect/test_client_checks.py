"""`palace doctor` says whether what clients are told to run is there."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from palace.models import Verdict
from palace_cli.connect.checks import check_connections
from palace_cli.connect.clients import find_client
from palace_cli.connect.files import Records
from palace_cli.connect.program import Program
from tests.connect.conftest import connect

CLAUDE = find_client("claude-code")


def _installed(folder: Path) -> Program:
    folder.mkdir()
    file = folder / "palace"
    file.write_text("#!/bin/sh\n")
    file.chmod(0o755)
    return Program(str(file))


def test_those_that_are_connected_are_named(home: Path, records: Records, tmp_path: Path) -> None:
    (found,) = check_connections()
    assert (found.verdict, found.finding) == (Verdict.OK, "none is connected")
    program = _installed(tmp_path / "two words")
    for name in ("claude-code", "codex", "vscode"):
        connect(find_client(name), records, program=program)
    (found,) = check_connections()
    assert (found.verdict, found.finding) == (Verdict.OK, "connected: claude-code, codex, vscode")


def test_an_executable_that_is_gone_is_a_problem(home: Path, records: Records, tmp_path: Path) -> None:
    program = _installed(tmp_path / "bin")
    connect(CLAUDE, records, program=program)
    Path(program.command).chmod(0o644)
    (found,) = check_connections()
    assert (found.verdict, found.remedy) == (Verdict.PROBLEM, "palace connect claude-code")
    assert program.command in found.finding
    Path(program.command).unlink()
    assert [each.verdict for each in check_connections()] == [Verdict.PROBLEM]


def test_a_server_whose_library_is_missing_is_a_problem(
    home: Path, records: Records, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("palace_cli.connect.checks.find_spec", lambda name: None)
    connect(find_client("gemini"), records, program=_installed(tmp_path / "other"))
    assert [each.verdict for each in check_connections()] == [Verdict.OK]
    connect(find_client("cursor"), records, program=Program(str(Path(sys.executable).with_name("palace"))))
    (found,) = check_connections()
    assert (found.verdict, found.remedy) == (Verdict.PROBLEM, "pip install 'memory-palace-pg[mcp]'")
    assert found.finding == "Cursor cannot start the server: the protocol's library is not installed"


def test_a_hook_that_is_missing_and_a_configuration_that_cannot_be_read_are_named(
    home: Path, records: Records, tmp_path: Path
) -> None:
    connect(CLAUDE, records, program=_installed(tmp_path / "bin"))
    (home / ".claude" / "settings.json").write_text("{}")
    (found,) = check_connections()
    assert found.verdict is Verdict.WARNING
    assert "lacks SessionStart, UserPromptSubmit" in found.finding
    (home / ".cursor").mkdir()
    (home / ".cursor" / "hooks.json").write_text("{")
    broken = next(each for each in check_connections() if str(home / ".cursor" / "hooks.json") in each.finding)
    assert broken.verdict is Verdict.WARNING
