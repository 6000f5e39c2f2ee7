"""Standard streams that are closed, full or left by their reader: one line where it can be said, no traceback."""

from __future__ import annotations

import json
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
Shell = Callable[[str], tuple[int, str, str]]

PALACE = f'{sys.executable} -c "from palace_cli.entry import main; main()"'
SAID = [{"role": "user", "content": f"Battery {number} is charged. " * 40} for number in range(60)]


@pytest.fixture
def shell(run: Run, tmp_path: Path) -> Shell:
    """Run lines of a shell, in which ``palace`` works on a palace that holds something."""
    talk = tmp_path / "talk.json"
    talk.write_text(json.dumps(SAID), encoding="utf-8")
    assert run("mine", str(talk)).exit_code == 0

    def execute(line: str) -> tuple[int, str, str]:
        script = f'palace() {{ {PALACE} "$@"; }}; {line}'
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False, timeout=120)
        return done.returncode, done.stdout, done.stderr

    return execute


@pytest.mark.parametrize("command", ["--version", "--help", "ls", "ls --json", "recall battery", "export -"])
def test_standard_output_that_is_closed_is_told_in_one_line(shell: Shell, command: str) -> None:
    code, _, said = shell(f"palace {command} >&-")
    assert (code in (1, 2), said.count("\n")) == (True, 1)
    assert "cannot be written: Bad file descriptor" in said


@pytest.mark.parametrize("command", ["--version", "--help", "ls", "ls --json", "recall battery", "export -"])
def test_standard_output_that_is_full_is_told_in_one_line(shell: Shell, command: str) -> None:
    code, _, said = shell(f"palace {command} >/dev/full")
    assert (code in (1, 2), said.count("\n")) == (True, 1)
    assert "cannot be written: No space left on device" in said


@pytest.mark.parametrize("command", ["ls", "export -", "show W-001/R-01/D-001", "--help"])
def test_a_reader_that_leaves_ends_the_command_quietly(shell: Shell, command: str) -> None:
    code, _, said = shell(f"palace {command} | true; exit ${{PIPESTATUS[0]}}")
    assert code in (0, 1)
    assert "Traceback" not in said
    assert said.count("\n") <= 1


@pytest.mark.parametrize("command", ["note -", "mine -", "import -"])
def test_standard_input_that_is_closed_holds_nothing(shell: Shell, command: str) -> None:
    code, _, said = shell(f"palace {command} <&-")
    assert code in (0, 1, 2)
    assert "Traceback" not in said
    assert said.count("\n") == 1


@pytest.mark.parametrize("stream", ["2>&-", "2>/dev/full", ">&- 2>&-", "<&- >&- 2>&-"])
def test_without_standard_error_the_exit_code_says_it(shell: Shell, stream: str) -> None:
    assert shell(f"palace show W-999/R-01/D-001 {stream}") == (2, "", "")


def test_output_is_whole_without_standard_error_and_input(shell: Shell) -> None:
    assert shell("palace ls 2>&- <&-") == shell("palace ls")


@pytest.fixture
def full_disk() -> Iterator[Path]:
    """A file system of 16 kB; only the system's administrator can mount one."""
    path = Path("/tmp") / f"palace-disk-{uuid.uuid4().hex[:8]}"
    path.mkdir(mode=0o711)
    options = ["mount", "-t", "tmpfs", "-o", "size=16k,mode=0711", "tmpfs", str(path)]
    mounted = subprocess.run(options, check=False, capture_output=True)
    if mounted.returncode:
        path.rmdir()
        pytest.skip("mounting a small file system takes an administrator")
    yield path
    subprocess.run(["umount", "-l", path], check=True)
    path.rmdir()


@pytest.mark.parametrize("command", ["export", "db backup"])
def test_a_file_for_which_there_is_no_space_is_not_left_behind(shell: Shell, full_disk: Path, command: str) -> None:
    code, _, said = shell(f"palace {command} {full_disk}/palace.file")
    assert (code != 0, said.count("\n")) == (True, 1)
    assert "No space left on device" in said
    assert list(full_disk.iterdir()) == []
