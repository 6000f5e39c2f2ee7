"""Long output is paged at a terminal and nowhere else; a quiet command tells its result, and what is wrong."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
from pathlib import Path
from threading import Thread

import pytest

from tests.cli.conftest import Run

PALACE = Path(sys.executable).parent / "palace"


def at_a_terminal(*arguments: str, **environment: str) -> tuple[int, str]:
    """Run palace at a terminal of 24 lines; its exit code, and what the terminal was sent."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    sent: list[bytes] = []

    def read() -> None:
        while True:
            try:
                data = os.read(master, 65536)
            except OSError:
                return
            sent.append(data)

    reader = Thread(target=read, daemon=True)
    reader.start()
    environment = os.environ | {"TERM": "xterm"} | environment
    done = subprocess.run(
        [str(PALACE), *arguments], stdin=slave, stdout=slave, stderr=slave, env=environment, check=False
    )
    os.close(slave)
    reader.join(10)
    os.close(master)
    return done.returncode, b"".join(sent).decode()


@pytest.fixture
def to_file(tmp_path: Path) -> tuple[str, Path]:
    """A pager that writes what it gets to a file, and that file."""
    return f"dd status=none of={tmp_path}/paged", tmp_path / "paged"


@pytest.mark.nightly
@pytest.mark.process
def test_what_is_longer_than_the_screen_goes_to_the_pager_and_what_fits_is_written(
    run: Run, to_file: tuple[str, Path]
) -> None:
    code, sent = at_a_terminal("settings", PALACE_PAGER=to_file[0], PAGER="false")
    assert (code, sent) == (0, "")
    assert "top_k" in to_file[1].read_text()
    to_file[1].unlink()
    run("note", "The mast is down.", "--wing", "Efoil")
    code, sent = at_a_terminal("ls", PAGER=to_file[0])
    assert (code, "Efoil" in sent, to_file[1].exists()) == (0, True, False)


@pytest.mark.process
@pytest.mark.nightly
def test_nothing_is_paged_where_nobody_wants_it_or_nothing_can(run: Run, to_file: tuple[str, Path]) -> None:
    for environment in ({}, {"TERM": "dumb"}, {"PALACE_PAGER": ""}, {"PALACE_PAGER": "no-such-pager"}):
        before = () if environment else ("--no-pager",)
        code, sent = at_a_terminal(*before, "settings", **{"PAGER": to_file[0]} | environment)
        assert (code, "top_k" in sent, to_file[1].exists()) == (0, True, False), environment


def test_a_quiet_command_tells_its_result_and_what_is_wrong_and_nothing_is_paged_in_a_pipe(
    run: Run, to_file: tuple[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PALACE_PAGER", to_file[0])
    assert "top_k" in run("settings").stdout
    assert not to_file[1].exists()
    quiet = run("--quiet", "ls")
    assert (quiet.exit_code, quiet.stdout, quiet.stderr) == (0, "", "")
    assert "the palace is empty" in run("ls").stderr
    for option in ("-q", "--quiet", "--no-pager"):
        behind = run("projects", "list", option)
        assert behind.stderr.startswith(f"palace: {option} stands before the command: palace {option} projects list")
    refused = run("-q", "ls", "Nowhere")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert refused.stderr.startswith("palace: there is no wing 'Nowhere'")
