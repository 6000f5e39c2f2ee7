"""`palace connect` as a person and a script use it."""

from __future__ import annotations

import json
import os
import pty
import select
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from palace_cli.app import app
from palace_cli.connect.clients import CLIENTS
from palace_cli.connect.sessions import find_sessions
from palace_cli.connect.states import estimate
from tests.readers import opencodes

WHOLE = Path(__file__).parents[1] / "readers" / "whole"
PROGRAM = Path(sys.executable).with_name("palace")
KEPT = {
    "gemini": ("gemini/tmp", 1, 13),
    "cursor": ("cursor/projects", 1, 12),
    "codex": ("codex/sessions", 3, 15),
    "copilot-cli": ("copilot/session-state", 1, 10),
}
"""Where what each client keeps lies, how many sessions that are, and of how many drawers."""


@pytest.fixture
def call(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Run the command in a folder that is no project, with no client on PATH."""
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    monkeypatch.setenv("PATH", "/bin")

    def invoke(*words: str) -> Any:
        return CliRunner().invoke(app, ["connect", *words], catch_exceptions=False)

    return invoke


def test_where_nobody_can_be_asked_it_shows_and_does_nothing(call: Callable[..., Any], home: Path) -> None:
    done = call("cursor")
    assert done.exit_code == 1
    assert "+++ " in done.stdout
    assert f"{PROGRAM} hook beforeSubmitPrompt --harness cursor || true" in done.stdout
    assert "--yes" in done.stderr
    assert list(home.iterdir()) == []


def test_opencodes_plug_in_is_shown_by_its_path_alone_and_only_while_it_is_there(
    call: Callable[..., Any], home: Path
) -> None:
    path = str(home / ".config/opencode/plugins/palace.js")
    for words, state in (([], "new"), (["--undo"], "removed")):
        shown = " ".join(call("opencode", *words, "--yes").stdout.split())
        assert "export const" not in shown
        assert f"{path}: {state}" in shown
    again = call("opencode", "--undo", "--yes")
    assert (again.exit_code, "palace.js" in again.stdout) == (0, False)


def test_it_is_written_when_told_to_and_again_it_is_nothing(call: Callable[..., Any], home: Path) -> None:
    written = call("cursor", "--yes")
    assert written.exit_code == 0
    hooks = json.loads((home / ".cursor" / "hooks.json").read_text())
    assert hooks["version"] == 1
    around = ["preToolUse", "postToolUse", "postToolUseFailure"]
    assert list(hooks["hooks"]) == ["sessionStart", "beforeSubmitPrompt", "stop", "preCompact", "sessionEnd", *around]
    assert [hooks["hooks"][each][0]["matcher"] for each in around[1:]] == ["Shell", "Shell"]
    told = " ".join(written.stderr.split())
    assert "palace doctor says whether it works" in told
    assert "palace connect cursor --undo takes it out" in told
    again = call("cursor")
    assert again.exit_code == 0
    assert again.stdout.count("unchanged") == 2
    assert call("cursor", "--undo", "--yes").exit_code == 0
    assert list(home.iterdir()) == []
    assert call("cursor", "--undo").exit_code == 0


def test_which_palace_is_meant_is_passed_on(
    call: Callable[..., Any], home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("palace_cli.commands.connect._require_user", lambda *_, **__: None)
    monkeypatch.setenv("PALACE_USER", "mara's")
    call("claude-code", "--yes")
    server = json.loads((home / ".claude.json").read_text())["mcpServers"]["palace"]
    assert server["env"] == {"PALACE_HOME": str(tmp_path / "palace"), "PALACE_USER": "mara's"}
    settings = json.loads((home / ".claude" / "settings.json").read_text())
    line = settings["hooks"]["Stop"][0]["hooks"][0]["command"]
    assert line.startswith(f"PALACE_HOME={tmp_path / 'palace'} PALACE_USER='mara'\"'\"'s' {PROGRAM} hook Stop ")
    call("vscode", "--yes", "--user", "tom")
    servers = json.loads((home / ".config" / "Code" / "User" / "mcp.json").read_text())["servers"]
    assert servers["palace"]["env"]["PALACE_USER"] == "tom"


def test_a_key_that_stands_beside_is_not_shown_nor_does_a_name_act_on_a_terminal(
    call: Callable[..., Any], home: Path
) -> None:
    key = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    (home / ".cursor").mkdir()
    file = home / ".cursor" / "mcp.json"
    file.write_text(
        '{"mcpServers": {"git": {"command": "g\\u001b", "env": {\n  "GITHUB_TOKEN": "' + key + '" // \x1b[2J\n}}}}'
    )
    assert not {"\x1b", key} & {part for part in ("\x1b", key) if part in call("cursor").output}
    assert key not in call("cursor", "--yes", "--json").output
    assert key in file.read_text()


def test_a_password_is_not_written_into_a_configuration(
    call: Callable[..., Any], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PALACE_DATABASE_URL", "postgresql://palace:hunter2@db.example/palace")
    done = call("vscode", "--yes")
    assert done.exit_code == 2
    assert "holds a password" in done.stderr
    assert "hunter2" not in done.output
    assert list(home.iterdir()) == []


def test_the_list_says_what_is_there_and_what_is_connected(call: Callable[..., Any], home: Path, session: Path) -> None:
    (home / ".codex").mkdir()
    call("claude-code", "--yes")
    told = call()
    lines = told.stdout.splitlines()
    assert lines[0].endswith("mining all of it")
    assert lines[1].split()[:4] == ["claude-code", "server,", "8", "hooks"]
    assert "about 3 drawers, 1 minute" in lines[1]
    assert lines[2].split() == ["codex", "no"]
    assert lines[3] == "not found here: " + ", ".join(each.name for each in CLIENTS[2:])


def test_a_project_s_files_are_written_from_anywhere_in_it(
    call: Callable[..., Any], home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "boat\n[bold]x"
    (root / ".git").mkdir(parents=True)
    (root / "hull").mkdir()
    monkeypatch.chdir(root / "hull")
    done = call("gemini", "--project", "--yes")
    assert done.exit_code == 0
    assert "[bold]x" in done.stdout
    hooks = json.loads((root / ".gemini" / "settings.json").read_text())["hooks"]
    assert hooks["BeforeAgent"][0]["hooks"][0]["timeout"] == 5000
    assert list(home.iterdir()) == []
    assert "gemini (project)" in call().stdout


def test_a_person_is_told_what_is_left_to_do(
    call: Callable[..., Any], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in (".codex", ".claude"):
        (home / folder).mkdir()
    (home / ".codex" / "config.toml").write_text("[features]\nhooks = false\n")
    (home / ".claude" / "settings.json").write_text('{"enabledPlugins": {"palace@palace": true}}')
    told = call("codex", "--yes").stdout
    assert "type /hooks" in told
    assert "features.hooks says so" in told
    assert "palace worker" not in told
    assert "plug-in" in call("claude-code", "--yes").stdout
    # Where no worker starts by itself, that is told.
    for name, value in {"PALACE_DATABASE_URL": "postgresql://mara@db/palace", "PALACE_WORKER_STARTS": "false"}.items():
        with monkeypatch.context() as patched:
            patched.setenv(name, value)
            assert "palace worker --install" in " ".join(call("codex", "--yes").stdout.split())
            assert "palace worker" not in call("vscode", "--yes").stdout
    monkeypatch.setattr("palace_cli.connect.checks.find_spec", lambda name: None)
    assert "the server cannot start" in " ".join(call("vscode", "--yes").stdout.split())


def test_what_the_server_looks_at_is_told_and_confined_when_that_is_said(call: Callable[..., Any], home: Path) -> None:
    told = " ".join(call("gemini", "--yes").stdout.split())
    assert "the server's tools look at everything of yours" in told
    assert "palace connect gemini --wing NAME" in told
    shown = call("gemini", "--wing", "Efoil rebuild")
    assert shown.exit_code == 1
    put_in = [line for line in shown.stdout.splitlines() if line.startswith("+ ")]
    assert '"--wing"' in "".join(put_in)
    assert '"Efoil rebuild"' in "".join(put_in)
    assert "everything of yours" not in call("gemini", "--yes", "--wing", "Efoil rebuild").stdout
    server = json.loads((home / ".gemini" / "settings.json").read_text())["mcpServers"]["palace"]
    assert server["args"] == ["mcp", "--wing", "Efoil rebuild"]
    assert call("gemini", "--yes").stdout.count("unchanged") == 1
    assert call("gemini", "--undo", "--yes").exit_code == 0
    assert list(home.iterdir()) == []


def test_a_wrong_call_is_refused_in_one_line(call: Callable[..., Any], home: Path) -> None:
    lines = ["emacs", "--undo", "--yes", "--mine", "--project", "codex --undo --mine", "a b", "--wing Boat"]
    lines += ["codex --undo --wing Boat", "codex --project --wing Boat", "codex --yes --wing a\x1bb"]
    for words in (*(line.split(" ") for line in lines), ["codex", "--yes", "--wing", " "]):
        done = call(*words)
        assert (done.exit_code, len(done.stderr.splitlines()), list(home.iterdir())) == (2, 1, []), words
    assert "there is no client 'emacs' to connect: give one of claude-code, codex," in call("emacs").stderr


def test_an_invalid_configuration_is_one_line_and_the_others_are_listed(call: Callable[..., Any], home: Path) -> None:
    (home / ".gemini").mkdir()
    (home / ".gemini" / "settings.json").write_text('{\n  "a": 1\n  "b": 2\n}')
    done = call("gemini", "--yes")
    assert done.exit_code == 2
    assert done.stderr == (f"palace: {home}/.gemini/settings.json: line 3: a comma is expected; nothing was changed\n")
    assert "line 3: a comma is expected" in call().stdout


def _at_terminal(words: list[str], answers: str, environment: dict[str, str], folder: Path) -> tuple[int, str]:
    """Run the program at a terminal and answer what it asks."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [str(PROGRAM), "connect", *words], stdin=theirs, stdout=theirs, stderr=theirs, env=environment, cwd=folder
    ) as process:
        os.close(theirs)
        said = b""
        while select.select([ours], [], [], 60)[0]:
            try:
                part = os.read(ours, 65536)
            except OSError:
                break
            if not part:
                break
            said += part
            if said.rstrip().endswith(b"[y/N]") and answers:
                os.write(ours, f"{answers[0]}\n".encode())
                answers = answers[1:]
                said += b" "
                said += b"|"
        os.close(ours)
    return process.returncode, said.decode()


@pytest.mark.process
def test_at_a_terminal_it_asks_before_it_writes_and_before_it_mines(
    call: Callable[..., Any], home: Path, session: Path, tmp_path: Path
) -> None:
    environment = {**os.environ, "TERM": "dumb", "PAGER": "cat"}
    for answers, is_written in (("n", False), ("yn", True)):
        code, said = _at_terminal(["claude-code"], answers, environment, tmp_path)
        assert code == (0 if is_written else 1), said
        assert "Connect Claude Code so?" in said
        assert (home / ".claude.json").exists() is is_written
        assert ("Mine them now?" in said) is is_written
        assert not (tmp_path / "palace" / "postgres").exists()


def test_what_each_client_keeps_is_counted_and_estimated(home: Path) -> None:
    assert [client for client in (*KEPT, "claude-code", "opencode", "vscode") if find_sessions(client)] == []
    for client, (folder, sessions, drawers) in KEPT.items():
        shutil.copytree(
            WHOLE / folder, home / f".{'copilot' if client == 'copilot-cli' else client}" / folder.split("/")[1]
        )
        found = find_sessions(client)
        assert found is not None
        assert (found.sessions, found.drawers) == (sessions, drawers), client
        assert "about" in estimate(found)


def keep_in_opencode(folder: Path) -> None:
    """Have opencode keep 30 sessions of two messages."""
    folder.mkdir(parents=True)
    with closing(opencodes.make(folder / "opencode.db")) as database:
        for n in range(30):
            opencodes.begin(database, f"ses_{n}")
            opencodes.say(database, f"ses_{n}", 1, "user", "Which fuse does the battery need?")
            opencodes.say(database, f"ses_{n}", 2, "assistant", "One of 80 amperes.")
    (folder / "auth.json").write_text('{"anthropic": {"type": "api", "key": "secret"}}')


def test_the_sessions_in_opencodes_database_are_counted_one_by_one(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_in_opencode(home / ".local" / "share" / "opencode")
    found = find_sessions("opencode")
    assert found is not None
    assert (found.sessions, found.drawers) == (30, 60)
    assert found.folders == (str(home / ".local" / "share" / "opencode"),)
    assert found.oldest_at is not None
    assert found.oldest_at.year == 2026
    keep_in_opencode(tmp_path / "data" / "opencode")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    moved = find_sessions("opencode")
    assert moved is not None
    # Elsewhere nobody knows what lies beside it.
    assert moved.folders == (str(tmp_path / "data" / "opencode" / "opencode.db"),)
