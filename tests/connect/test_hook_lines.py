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


@pytest.mark.process
def test_a_program_is_run_wherever_it_lies_and_one_that_fails_or_is_gone_is_not_noticed(tmp_path: Path) -> None:
    for name in FOLDERS:
        program = _install(tmp_path / name)
        line = Program(str(program), {"PALACE_HOME": f"/srv/{name}"}).hook("Stop", "codex")
        done = _run(line)
        expected = (0, f"/srv/{name}|hook Stop --harness codex\n", "")
        assert (done.returncode, done.stdout, done.stderr) == expected, name
        assert is_hook(line)
        assert hook_command(line) == str(program)
    failing = _install(tmp_path / "bin", ends_with=2)
    assert _run(Program(str(failing)).hook("UserPromptSubmit", "claude-code")).returncode == 0
    done = _run(Program(str(tmp_path / "gone" / "palace")).hook("UserPromptSubmit", "claude-code"))
    assert (done.returncode, done.stdout) == (0, "")
    assert len(done.stderr.splitlines()) <= 1


@pytest.mark.process
def test_what_is_shared_finds_the_program_by_its_name_and_is_silent_where_nobody_has_it(tmp_path: Path) -> None:
    found = _install(tmp_path / "bin", ends_with=2).parent
    line = SHARED.hook("BeforeAgent", "gemini")
    for path, out in ((f"{found}:/usr/bin:/bin", "|hook BeforeAgent --harness gemini\n"), (str(tmp_path), "")):
        done = _run(line, path)
        assert (done.returncode, done.stdout, done.stderr) == (0, out, "")


def test_what_others_wrote_is_not_taken_for_ours() -> None:
    lines = ["", "palace mcp", "my-palace hook Stop --harness codex || true", "palace hook", None, 7]
    assert [line for line in (*lines, "echo palace hook Stop --harness codex; rm -r x") if is_hook(line)] == []
    servers: list[tuple[object, bool]] = [
        ({"command": "/opt/x/palace", "args": ["mcp"]}, True),
        ({"command": "palace", "args": ["mcp", "--profile", "full"]}, True),
        ({"type": "local", "command": ["/opt/x/palace", "mcp"]}, True),
        ({"command": "npx", "args": ["palace"]}, False),
        ({"command": "/opt/x/palace"}, False),
        ({"command": "palace", "args": [1]}, False),
        ({"url": "http://localhost"}, False),
        ("palace mcp", False),
        (None, False),
    ]
    assert [entry for entry, is_ours in servers if is_server(entry) is not is_ours] == []
