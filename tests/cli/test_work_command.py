"""``palace work``: the history of a file, a command or an error, and what a folder was about."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Run
from tests.work.sessions import Session


def test_the_command_line_shows_it_in_order(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "api"
    (folder / ".git").mkdir(parents=True)
    session = Session("s-1", str(folder)).asks("Never log passwords in src/auth.py, always hash them.")
    session.runs("make check", "KeyError: 'salt'", 2).edits("src/auth.py").runs("make check", "3 passed")
    run("mine", str(session.write(tmp_path)))
    shown = run("work", "--command", "make check").stdout
    assert [word for word in shown.split() if word in ("failure", "fix")] == ["failure", "fix"]
    found = json.loads(run("work", "--file", "src/auth.py", "--json").stdout)
    assert [entry["kind"] for entry in found["entries"]] == ["decision", "edit"]
    here = run("work", "here", str(folder)).stdout
    assert "Never log passwords in src/auth.py" in here
    assert "nothing found; try a part of it" in run("work", "--error", "IndexError: 'x'").stderr
    assert run("work").exit_code == 2
