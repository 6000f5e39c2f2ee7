"""The commands, from one home to another."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from palace import Administration, Settings
from palace_cli.app import app

Run = Callable[..., Any]


@pytest.fixture
def run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    """Run a command in the home of a name; homes lie on a path with a space and an umlaut."""
    used: set[Path] = set()

    def invoke(home: str, *arguments: str) -> Any:
        used.add(folder / "mein Palast ä" / home)
        monkeypatch.setenv("PALACE_HOME", str(folder / "mein Palast ä" / home))
        monkeypatch.setenv("LOGNAME", "mara")
        return CliRunner().invoke(app, arguments, catch_exceptions=False)

    yield invoke
    for home in used:
        Administration(Settings(home=home)).stop()


@pytest.mark.nightly
@pytest.mark.slow
def test_a_palace_moves_from_one_home_to_another(run: Run, folder: Path) -> None:
    file = str(folder / "Sicherung vom 1. Mai.backup")
    pointer = run("old", "note", "The spare battery is with Derek").stdout
    run("old", "worker", "--once")
    run("old", "note", "Ben's own", "--user", "ben", "--new-user")
    found = run("old", "recall", "battery", "--json").stdout
    written = run("old", "db", "backup", file)
    assert (written.exit_code, written.stderr) == (0, "")
    assert written.stdout.startswith(f"backup  {file}\n")

    again = run("old", "db", "backup", file)
    assert (again.exit_code, again.stdout, again.stderr.count("\n")) == (2, "", 1)
    assert run("old", "db", "backup", file, "--force", "--json").exit_code == 0

    restored = json.loads(run("new", "db", "restore", file, "--json").stdout)
    assert (restored["users"], restored["drawers"]) == (2, 2)
    assert hits(run("new", "recall", "battery", "--json").stdout) == hits(found)
    assert run("new", "show", pointer.strip()).stdout == run("old", "show", pointer.strip()).stdout
    assert run("new", "doctor").exit_code == 0

    refused = run("new", "db", "restore", file)
    assert (refused.exit_code, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)
    assert refused.stderr.startswith("palace: the palace holds 2 drawers: ")


def hits(recalled: str) -> Any:
    return json.loads(recalled)["hits"]


def test_a_file_that_is_no_backup_is_one_line_and_starts_no_server(run: Run, folder: Path) -> None:
    (folder / "notes.txt").write_text("not a backup")
    result = run("new", "db", "restore", str(folder / "notes.txt"))
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (1, "", 1)
    assert result.stderr.startswith(f"palace: {folder / 'notes.txt'}: is not a backup of Palace")
    assert not (folder / "mein Palast ä").exists()
