"""Agents that take a server and no hooks: where their sessions lie, and which file is theirs."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

from palace_cli.app import app
from palace_cli.connect.clients import find_client
from palace_cli.connect.files import Records
from palace_cli.connect.sessions import find_sessions
from tests.connect.conftest import connect, everything, undo

AGENTS = Path(__file__).parents[1] / "readers" / "agents"
LINUX, MACOS, WINDOWS = ".config/Code", "Library/Application Support/Code - Insiders", "AppData/Roaming/VSCodium"
KEPT = {
    "cline": ("cline/globalStorage", f"{LINUX}/User/globalStorage", 3),
    "roo": ("roo/globalStorage", f"{MACOS}/User/globalStorage", 4),
    "vscode": ("copilot-chat/Code/User", f"{WINDOWS}/User", 3),
    "kimi": ("kimi/.kimi", ".kimi", 3),
    "qwen": ("qwen/.qwen", ".qwen", 3),
    "openclaw": ("openclaw/.openclaw", ".openclaw", 4),
    "pi": ("pi/.pi", ".pi", 1),
    "amp": ("amp/.local", ".local", 3),
    "goose": ("goose/.local", ".local", 4),
    "hermes": ("hermes/.hermes", ".hermes", 4),
}


@pytest.mark.parametrize("name", KEPT)
def test_what_each_agent_keeps_is_found_counted_and_estimated(name: str, home: Path) -> None:
    assert find_sessions(name) is None
    kept, folder, number = KEPT[name]
    shutil.copytree(AGENTS / kept, home / folder)
    for rows in home.rglob("*.sql"):
        with closing(sqlite3.connect(rows.with_suffix(".db"))) as database:
            database.executescript(rows.read_text(encoding="utf-8"))
    found = find_sessions(name)
    assert found is not None
    assert (found.sessions, bool(found.drawers)) == (number, True)
    assert all(Path(each).is_relative_to(home / folder) for each in found.folders)


def test_an_extension_s_file_is_that_of_the_editor_it_is_in(records: Records, home: Path) -> None:
    for editor in (LINUX, MACOS, WINDOWS):
        settings = home / editor / "User/globalStorage/rooveterinaryinc.roo-cline/settings"
        settings.mkdir(parents=True)
        connect(find_client("roo"), records)
        written = json.loads((settings / "mcp_settings.json").read_text())
        assert list(written["mcpServers"]) == ["palace"]
        undo(find_client("roo"), records)
        assert everything(home) == {}
        shutil.rmtree(home / editor)


def test_each_client_has_the_entry_that_its_documentation_shows(records: Records, home: Path) -> None:
    shown = {
        "zed": (".config/zed/settings.json", ("context_servers",)),
        "amp": (".config/amp/settings.json", ("amp.mcpServers",)),
        "openclaw": (".openclaw/openclaw.json", ("mcp", "servers")),
        "continue": (".continue/mcpServers/palace.json", ("mcpServers",)),
        "cline": (".cline/data/settings/cline_mcp_settings.json", ("mcpServers",)),
        "qwen": (".qwen/settings.json", ("mcpServers",)),
    }
    for name, (file, path) in shown.items():
        connect(find_client(name), records)
        servers = json.loads((home / file).read_text())
        for each in path:
            servers = servers[each]
        assert servers["palace"]["args"] == ["mcp"]
    connect(find_client("kilo"), records)
    entry = json.loads((home / ".config/kilo/kilo.jsonc").read_text())["mcp"]["palace"]
    assert (entry["type"], entry["command"][1:], entry["enabled"]) == ("local", ["mcp"], True)


def test_yaml_is_not_edited_but_shown_and_a_client_without_projects_says_so(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, above in (("goose", "extensions"), ("hermes", "mcp_servers")):
        told = CliRunner().invoke(app, ["connect", name, "--yes"], catch_exceptions=False)
        assert told.exit_code == 2
        assert f"below `{above}:` in ~/." in told.stderr
    monkeypatch.chdir(tmp_path)
    told = CliRunner().invoke(app, ["connect", "kimi", "--project", "--yes"], catch_exceptions=False)
    assert (told.exit_code, "Kimi CLI has no configuration for projects" in told.stderr) == (2, True)
    assert everything(home) == {}
