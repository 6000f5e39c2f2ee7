"""A person's home in which clients keep their configurations, and nothing of whoever runs the tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from palace_cli.connect.clients import CLIENTS, Client
from palace_cli.connect.files.record import Records
from palace_cli.connect.planning import Plan
from palace_cli.connect.program import Program

PROGRAM = Program("/opt/my palace/bin/palace")
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
def records(tmp_path: Path, home: Path) -> Records:
    """What is remembered of configurations in that home."""
    return Records(tmp_path / "palace")


@pytest.fixture(params=CLIENTS, ids=lambda client: client.name)
def client(request: pytest.FixtureRequest) -> Client:
    """Each client in turn."""
    found: Client = request.param
    return found


def connect(client: Client, records: Records, root: Path | None = None, program: Program = PROGRAM) -> None:
    """Connect a client."""
    plan = Plan(client, root, records)
    plan.carry_out(plan.connecting(program))


def undo(client: Client, records: Records, root: Path | None = None) -> None:
    """Take back what connecting it put in."""
    plan = Plan(client, root, records)
    plan.carry_out(plan.undoing())
