"""The command lines of hooks, as a shell runs them: with the program and without, whatever its path is called."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from palace_cli.connect.program import SHARED, Program, hook_command, is_hook, is_server

FOLDERS = ("plain", "two words", "it's", 'a "name"', "$HOME", "a;b|c&d", "`id`", "ümlaut", "-dash", "(x)*?[y]", "a\\b")


def _install(folder: Path, *, ends_with: int = 0) -> Path:
    folder.mkdir(parents=True)
    program = folder / "palace"
    program.write_text(f'#!/bin/sh\nprintf \'%s|%s\\n\' "$PALACE_HOME" "$*"\nexit {ends_with}\n')
    program.chmod(0o755)
    return program


def _run(line: str, path: str = "/usr/bin:/bin") -> subprocess.CompletedProcess[str]:
    return subprocess.run(["/bin/sh", "-c", line], capture_output=True, text=True, env={"PATH": path}, check=False)


@pytest.mark.parametrize("name", FOLDERS)
def test_a_program_is_run_wherever_it_lies(tmp_path: Path, name: str) -> None:
    program = _install(tmp_path / name)
    line = Program(str(program), {"PALACE_HOME": f"/srv/{name}"}).hook("Stop", "codex")
    done = _run(line)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"/srv/{name}|hook Stop --harness codex\n", "")
    assert is_hook(line)
    assert hook_command(line) == str(program)


def test_a_program_that_fails_is_not_noticed(tmp_path: Path) -> None:
    program = _install(tmp_path / "bin", ends_with=2)
    assert _run(Program(str(program)).hook("UserPromptSubmit", "claude-code")).returncode == 0
    assert _run(SHARED.hook("UserPromptSubmit", "claude-code"), f"{program.parent}:/bin").returncode == 0


def test_a_program_that_is_gone_breaks_nothing(tmp_path: Path) -> None:
    done = _run(Program(str(tmp_path / "gone" / "palace")).hook("UserPromptSubmit", "claude-code"))
    assert (done.returncode, done.stdout) == (0, "")
    assert len(done.stderr.splitlines()) <= 1


def test_what_is_shared_is_silent_where_nobody_has_the_program(tmp_path: Path) -> None:
    done = _run(SHARED.hook("BeforeAgent", "gemini"), str(tmp_path))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_what_is_shared_finds_the_program_by_its_name(tmp_path: Path) -> None:
    program = _install(tmp_path / "bin")
    done = _run(SHARED.hook("BeforeAgent", "gemini"), f"{program.parent}:/usr/bin:/bin")
    assert (done.returncode, done.stdout, done.stderr) == (0, "|hook BeforeAgent --harness gemini\n", "")


@pytest.mark.parametrize(
    "line",
    [
        "",
        "palace mcp",
        "my-palace hook Stop --harness codex || true",
        "echo palace hook Stop --harness codex; rm -r x",
        "palace hook",
        None,
        7,
    ],
)
def test_what_others_wrote_is_not_taken_for_ours(line: object) -> None:
    assert not is_hook(line)


@pytest.mark.parametrize(
    ("entry", "is_ours"),
    [
        ({"command": "/opt/x/palace", "args": ["mcp"]}, True),
        ({"command": "palace", "args": ["mcp", "--profile", "full"]}, True),
        ({"type": "local", "command": ["/opt/x/palace", "mcp"]}, True),
        ({"command": "npx", "args": ["palace"]}, False),
        ({"command": "/opt/x/palace"}, False),
        ({"command": "palace", "args": [1]}, False),
        ({"url": "http://localhost"}, False),
        ("palace mcp", False),
        (None, False),
    ],
)
def test_a_server_is_ours_if_it_runs_this_program(entry: object, is_ours: bool) -> None:
    assert is_server(entry) is is_ours
