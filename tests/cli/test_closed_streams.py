"""Standard streams that are closed, full or left by their reader: one line where it can be said, no traceback."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Run, mine

pytestmark = pytest.mark.process
Shell = Callable[[str], tuple[int, str, str]]
PALACE = f'{sys.executable} -c "from palace_cli.entry import main; main()"'
SAID = [{"role": "user", "content": f"Battery {number} is charged. " * 40} for number in range(60)]


@pytest.fixture
def shell(run: Run) -> Shell:
    """Run lines of a shell, in which ``palace`` works on a palace that holds something."""
    run("note", "The battery is charged.")

    def execute(line: str) -> tuple[int, str, str]:
        script = f'palace() {{ {PALACE} "$@"; }}; {line}'
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False, timeout=120)
        return done.returncode, done.stdout, done.stderr

    return execute


def not_told(shell: Shell, stream: str, commands: tuple[str, ...], reason: str) -> list[object]:
    """List the commands that do not tell in one line why a stream cannot be written or read."""
    wrong: list[object] = []
    for command in commands:
        code, _, said = shell(f"palace {command} {stream}")
        if code not in (1, 2) or said.count("\n") != 1 or reason not in said:
            wrong.append((command, code, said))
    return wrong


@pytest.mark.nightly
def test_every_kind_of_output_that_cannot_be_written_is_told_in_one_line(
    shell: Shell, run: Run, tmp_path: Path
) -> None:
    mine(run, tmp_path / "talk.json", SAID)
    assert shell("palace show W-999/R-01/D-001 2>&-") == (2, "", "")
    commands = ("--help", "ls --json", "export -")
    assert not_told(shell, ">&-", commands, "cannot be written: Bad file descriptor") == []
    assert not_told(shell, ">/dev/full", commands, "cannot be written: No space left on device") == []
    for command in ("ls", "export -"):
        code, _, said = shell(f"palace {command} | true; exit ${{PIPESTATUS[0]}}")
        assert (code in (0, 1), said.count("\n") <= 1, "Traceback" in said) == (True, True, False), command
