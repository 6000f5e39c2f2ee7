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
from palace_cli.connect.sessions import find_sessions
from palace_cli.connect.view import estimate
from tests.codec.test_records_as_json import check
from tests.readers import opencodes

WHOLE = Path(__file__).parents[1] / "readers" / "whole"
SESSION = Path(__file__).parents[1] / "readers" / "corpus" / "exports" / "claude-code-session.jsonl"
PROGRAM = Path(sys.executable).with_name("palace")


@pytest.fixture
def call(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Run the command in a folder that is no project, with no client on PATH."""
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    monkeypatch.setenv("PATH", "/bin")

    def invoke(*words: str) -> Any:
        return CliRunner().invoke(app, ["connect", *words], catch_exceptions=False)

    return invoke


@pytest.fixture
def session(home: Path) -> Path:
    """A session that Claude Code has kept."""
    kept = home / ".claude" / "projects" / "efoil" / "session.jsonl"
    kept.parent.mkdir(parents=True)
    kept.write_bytes(SESSION.read_bytes())
    return kept


def test_where_nobody_can_be_asked_it_shows_and_does_nothing(call: Callable[..., Any], home: Path) -> None:
    done = call("cursor")
    assert done.exit_code == 1
    assert "+++ " in done.stdout
    assert f"{PROGRAM} hook beforeSubmitPrompt --harness cursor || true" in done.stdout
    assert "--yes" in done.stderr
    assert list(home.iterdir()) == []


def test_it_is_written_when_told_to_and_again_it_is_nothing(call: Callable[..., Any], home: Path) -> None:
    assert call("cursor", "--yes").exit_code == 0
    hooks = json.loads((home / ".cursor" / "hooks.json").read_text())
    assert hooks["version"] == 1
    assert list(hooks["hooks"]) == ["sessionStart", "beforeSubmitPrompt", "stop", "preCompact", "sessionEnd"]
    again = call("cursor")
    assert again.exit_code == 0
    assert again.stdout.count("unchanged") == 2
    assert call("cursor", "--undo", "--yes").exit_code == 0
    assert list(home.iterdir()) == []
    assert call("cursor", "--undo").exit_code == 0


@pytest.mark.parametrize(("name", "has_hooks"), [("cursor", True), ("vscode", False)])
def test_who_connected_is_told_how_to_see_that_it_works_and_how_to_undo_it(
    call: Callable[..., Any], home: Path, name: str, has_hooks: bool
) -> None:
    told = " ".join(call(name, "--yes").stderr.split())
    assert "palace doctor says whether it works" in told
    assert f"palace connect {name} --undo takes it out" in told
    assert ("palace hook why" in told) is has_hooks
    assert "palace doctor" not in call(name, "--yes").stderr
    assert "palace doctor" not in call(name, "--undo", "--yes").stderr


def test_a_client_that_is_not_known_is_answered_with_those_that_are(call: Callable[..., Any], home: Path) -> None:
    done = call("claude-cod")
    assert done.exit_code == 2
    assert done.stderr.startswith("palace: there is no client 'claude-cod' to connect: give one of claude-code, codex,")


def test_which_palace_is_meant_is_passed_on(
    call: Callable[..., Any], home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PALACE_USER", "mara's")
    call("claude-code", "--yes")
    server = json.loads((home / ".claude.json").read_text())["mcpServers"]["palace"]
    assert server["env"] == {"PALACE_HOME": str(tmp_path / "palace"), "PALACE_USER": "mara's"}
    settings = json.loads((home / ".claude" / "settings.json").read_text())
    line = settings["hooks"]["Stop"][0]["hooks"][0]["command"]
    assert line.startswith(f"PALACE_HOME={tmp_path / 'palace'} PALACE_USER='mara'\"'\"'s' {PROGRAM} hook Stop ")


def test_a_user_that_is_named_is_the_one_whose_palace_is_meant(call: Callable[..., Any], home: Path) -> None:
    call("vscode", "--yes", "--user", "mara")
    servers = json.loads((home / ".config" / "Code" / "User" / "mcp.json").read_text())["servers"]
    assert servers["palace"]["env"]["PALACE_USER"] == "mara"


def test_a_key_that_stands_beside_is_not_shown(call: Callable[..., Any], home: Path) -> None:
    key = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    (home / ".cursor").mkdir()
    file = home / ".cursor" / "mcp.json"
    file.write_text('{"mcpServers": {"git": {"command": "g", "env": {\n  "GITHUB_TOKEN": "' + key + '"\n}}}}')
    assert key not in call("cursor").output
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


def test_it_answers_as_the_schema_says(call: Callable[..., Any], session: Path) -> None:
    check(json.loads(call("--json").stdout), "ClientState")
    shown = call("claude-code", "--json")
    assert shown.exit_code == 1
    assert shown.stderr == "nothing was written; --yes writes it without asking\n"
    check(json.loads(shown.stdout), "Connection")
    done = json.loads(call("claude-code", "--json", "--yes").stdout)
    check(done, "Connection")
    assert (done["done"], [each["state"] for each in done["files"]]) == (True, ["new", "new"])
    assert done["sessions"]["sessions"] == 1
    assert done["mined"] is None
    check(json.loads(call("claude-code", "--undo", "--yes", "--json").stdout), "Connection")


def test_the_list_says_what_is_there_and_what_is_connected(call: Callable[..., Any], home: Path, session: Path) -> None:
    (home / ".codex").mkdir()
    call("claude-code", "--yes")
    told = call()
    lines = told.stdout.splitlines()
    assert lines[0].endswith("mining all of it")
    assert lines[1].split()[:4] == ["claude-code", "server,", "5", "hooks"]
    assert "about 2 drawers, 1 minute" in lines[1]
    assert lines[2].split() == ["codex", "no"]
    assert lines[3] == "not found here: gemini, cursor, opencode, vscode"


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


def test_a_person_is_told_what_is_left_to_do(call: Callable[..., Any], home: Path) -> None:
    (home / ".codex").mkdir()
    (home / ".codex" / "config.toml").write_text("[features]\nhooks = false\n")
    told = call("codex", "--yes").stdout
    assert "type /hooks" in told
    assert "features.hooks says so" in told
    assert "palace worker" not in told


@pytest.mark.parametrize(
    ("name", "value"), [("PALACE_DATABASE_URL", "postgresql://mara@db/palace"), ("PALACE_WORKER_STARTS", "false")]
)
def test_where_no_worker_starts_by_itself_that_is_told(
    call: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    assert "palace worker --install" in " ".join(call("codex", "--yes").stdout.split())
    assert "palace worker" not in call("vscode", "--yes").stdout


def test_a_server_that_cannot_start_is_told(call: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("palace_cli.connect.notices.find_spec", lambda name: None)
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


def test_a_plug_in_beside_it_is_named(call: Callable[..., Any], home: Path) -> None:
    (home / ".claude").mkdir()
    (home / ".claude" / "settings.json").write_text('{"enabledPlugins": {"palace@palace": true}}')
    assert "plug-in" in call("claude-code", "--yes").stdout


@pytest.mark.parametrize(
    "words",
    [
        *(("emacs",), ("--undo",), ("--yes",), ("--mine",), ("--project",), ("codex", "--undo", "--mine"), ("a", "b")),
        *(("--wing", "Boat"), ("codex", "--undo", "--wing", "Boat"), ("codex", "--project", "--wing", "Boat")),
        *(("codex", "--yes", "--wing", " "), ("codex", "--yes", "--wing", "a\x1bb")),
    ],
    ids=" ".join,
)
def test_a_wrong_call_is_refused_in_one_line(call: Callable[..., Any], home: Path, words: tuple[str, ...]) -> None:
    done = call(*words)
    assert done.exit_code == 2
    assert len(done.stderr.splitlines()) == 1
    assert list(home.iterdir()) == []


def test_an_invalid_configuration_is_one_line_and_the_others_are_listed(call: Callable[..., Any], home: Path) -> None:
    (home / ".gemini").mkdir()
    (home / ".gemini" / "settings.json").write_text('{\n  "a": 1\n  "b": 2\n}')
    done = call("gemini", "--yes")
    assert done.exit_code == 2
    assert done.stderr == (f"palace: {home}/.gemini/settings.json: line 3: a comma is expected; nothing was changed\n")
    assert "line 3: a comma is expected" in call().stdout


def test_names_of_others_do_not_act_on_a_terminal(call: Callable[..., Any], home: Path) -> None:
    (home / ".cursor").mkdir()
    (home / ".cursor" / "mcp.json").write_text('{\n  "a\\u001b": 1, // \x1b[2J\n  "b": 2\n}\n')
    assert "\x1b" not in call("cursor").output


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


@pytest.mark.parametrize(("answers", "is_written"), [("n", False), ("yn", True)])
def test_at_a_terminal_it_asks_before_it_writes_and_before_it_mines(
    call: Callable[..., Any], home: Path, session: Path, tmp_path: Path, answers: str, is_written: bool
) -> None:
    environment = {**os.environ, "TERM": "dumb", "PAGER": "cat"}
    code, said = _at_terminal(["claude-code"], answers, environment, tmp_path)
    assert code == (0 if is_written else 1), said
    assert "Connect Claude Code so?" in said
    assert (home / ".claude.json").exists() is is_written
    assert ("Mine them now?" in said) is is_written
    assert not (tmp_path / "palace" / "postgres").exists()


def test_sessions_are_estimated_from_some_of_them(home: Path, session: Path) -> None:
    for n in range(40):
        session.with_name(f"{n}.jsonl").write_bytes(SESSION.read_bytes())
    session.with_name("broken.jsonl").write_text('{"type": "us')
    (session.parent / "not-one.txt").write_text("x" * 1000)
    found = find_sessions("claude-code")
    assert found is not None
    assert (found.sessions, found.sampled) == (42, 11)
    assert found.drawers is not None
    assert 70 <= found.drawers <= 90
    assert found.folders == (str(home / ".claude" / "projects"),)


def test_sessions_that_no_reader_knows_are_counted_and_not_estimated(home: Path) -> None:
    kept = home / ".cursor" / "projects" / "x" / "agent-transcripts" / "1"
    kept.mkdir(parents=True)
    (kept / "1.jsonl").write_text('{"no": "reader knows this"}\n')
    (home / ".cursor" / "projects" / "x" / "mcp.json").write_text("{}")
    found = find_sessions("cursor")
    assert found is not None
    assert (found.sessions, found.drawers) == (1, None)
    assert found.folders == (str(kept.parent),)
    assert estimate(found) == "no message could be read in those that were looked at"


@pytest.mark.parametrize(
    ("client", "folder", "below", "sessions", "drawers"),
    [
        ("gemini", "gemini/tmp", ".gemini/tmp", 1, 11),
        ("cursor", "cursor/projects", ".cursor/projects", 1, 10),
        ("codex", "codex/sessions", ".codex/sessions", 3, 13),
        ("copilot-cli", "copilot/session-state", ".copilot/session-state", 1, 9),
    ],
)
def test_what_each_client_keeps_is_counted_and_estimated(
    home: Path, client: str, folder: str, below: str, sessions: int, drawers: int
) -> None:
    shutil.copytree(WHOLE / folder, home / below)
    found = find_sessions(client)
    assert found is not None
    assert (found.sessions, found.drawers) == (sessions, drawers)
    assert "about" in estimate(found)


def test_sessions_of_what_cannot_be_connected_are_named(call: Callable[..., Any], home: Path) -> None:
    shutil.copytree(WHOLE / "copilot" / "session-state", home / ".copilot" / "session-state")
    told = " ".join(call().stderr.split())
    assert "GitHub Copilot CLI: 1 session of" in told
    assert f"palace mine {home}/.copilot/session-state mines them" in told


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
    assert (found.sessions, found.drawers, found.sampled) == (30, 60, 12)
    assert found.folders == (str(home / ".local" / "share" / "opencode"),)
    assert found.oldest_at is not None
    assert found.oldest_at.year == 2026
    keep_in_opencode(tmp_path / "data" / "opencode")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    moved = find_sessions("opencode")
    assert moved is not None
    # Elsewhere nobody knows what lies beside it.
    assert moved.folders == (str(tmp_path / "data" / "opencode" / "opencode.db"),)


def test_of_sessions_that_are_all_long_one_is_read(home: Path, session: Path) -> None:
    session.write_bytes(SESSION.read_bytes() * (1 + (3 << 20) // SESSION.stat().st_size))
    found = find_sessions("claude-code")
    assert found is not None
    assert found.drawers


@pytest.mark.parametrize("client", ["claude-code", "codex", "gemini", "cursor", "opencode", "vscode"])
def test_where_nothing_was_kept_there_are_no_sessions(home: Path, client: str) -> None:
    assert find_sessions(client) is None
