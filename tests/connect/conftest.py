"""A person's home in which clients keep their configurations, and nothing of whoever runs the tests."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from palace_cli.connect.clients import Client
from palace_cli.connect.files import Records
from palace_cli.connect.plan import Plan
from palace_cli.connect.program import Program

PROGRAM = Program("/opt/my palace/bin/palace")
HOOKED = {
    "hooks": {
        "Stop": [{"hooks": [{"type": "command", "command": "say done"}]}],
        "PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "check"}]}],
    },
    "model": "opus",
}
SESSION = Path(__file__).parents[1] / "readers" / "corpus" / "exports" / "claude-code-session.jsonl"
_TAKEN_OUT = ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")
_OURS = ("PALACE_DATABASE_URL", "PALACE_DATABASE_OWNER_URL", "PALACE_DATABASE_SCHEMA", "PALACE_USER")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home, in which nothing is set."""
    folder = tmp_path / "home"
    folder.mkdir()
    for name in (*_TAKEN_OUT, *_OURS):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("PALACE_HOME", str(tmp_path / "palace"))
    return folder


@pytest.fixture
def session(home: Path) -> Path:
    """A session that Claude Code has kept."""
    kept = home / ".claude" / "projects" / "efoil" / "session.jsonl"
    kept.parent.mkdir(parents=True)
    kept.write_bytes(SESSION.read_bytes())
    return kept


@pytest.fixture
def records(tmp_path: Path, home: Path) -> Records:
    """What is remembered of configurations in that home."""
    return Records(tmp_path / "palace")


def connect(client: Client, records: Records, root: Path | None = None, program: Program = PROGRAM) -> None:
    """Connect a client."""
    plan = Plan(client, root, records)
    plan.carry_out(plan.connecting(program))


def undo(client: Client, records: Records, root: Path | None = None) -> None:
    """Take back what connecting it put in."""
    plan = Plan(client, root, records)
    plan.carry_out(plan.undoing())


def everything(folder: Path) -> dict[str, bytes]:
    """Read all files below a folder."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def settings_of(client: Client) -> list[Path]:
    """List the files of a client that hold others' settings beside Palace's."""
    return [path for path in client.files() if path.suffix != ".js"]


def fill(client: Client) -> None:
    """Give a client the configuration of somebody who has used it for long."""
    for path in settings_of(client):
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".toml":
            path.write_text('# mine\nmodel = "gpt-5"\n\n[mcp_servers.docs]\ncommand = "docs" # that one\n')
        elif client.layout == "flat" and path.name == "hooks.json":
            path.write_text('{\n  "version": 1,\n  "hooks": {\n    "stop": [{"command": "say done"}]\n  }\n}\n')
        else:
            other = {client.server_path[0]: {"docs": {"command": "docs", "env": {"TOKEN": "s3cret"}}}}
            path.write_text(json.dumps({**HOOKED, **other}, indent=4) + "\n")
