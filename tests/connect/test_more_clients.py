"""Agents with a server alone, or few hooks: where their sessions lie, and which file is theirs."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

from palace.errors import BadRequest
from palace_cli.app import app
from palace_cli.connect.clients import find_client
from palace_cli.connect.files import Records
from palace_cli.connect.program import Program
from palace_cli.connect.sessions import find_sessions
from palace_cli.connect.states import state_of
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
    "zed": ("zed/.local", ".local", 4),
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


def test_opencode_gets_a_plug_in_that_is_removed_again_and_never_written_over_another_s(
    records: Records, home: Path
) -> None:
    client, file = find_client("opencode"), home / ".config/opencode/plugins/palace.js"
    connect(client, records)
    written = everything(home)
    assert b" hook PostToolUse --harness opencode || true" in file.read_bytes()
    connect(client, records)
    assert everything(home) == written
    assert state_of(client).hooks == ("PostToolUse",)
    shutil.rmtree(records.folder)
    undo(client, records)
    assert not file.exists()
    file.write_text("export const Mine = async () => ({})\n")
    with pytest.raises(BadRequest, match="not written by palace connect"):
        connect(client, records)
    undo(client, records)
    assert file.exists()


@pytest.mark.process
@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_opencodes_plug_in_adds_what_the_hook_says_to_what_a_tool_printed(records: Records, home: Path) -> None:
    program, plug_in = home / "palace", home / ".config/opencode/plugins/palace.mjs"
    program.write_text('#!/bin/sh\ncat >"$0.got"\n\necho \'{"hookSpecificOutput": {"additionalContext": "bears"}}\'\n')
    program.chmod(0o700)
    connect(find_client("opencode"), records, program=Program(str(program)))
    plug_in.write_bytes(plug_in.with_suffix(".js").read_bytes())
    uses = [("bash", "s-1"), ("read", "s-1"), ("bash", "s-2")]
    script = f"""
        const hooks = await (await import({json.dumps(str(plug_in))})).Palace({{ directory: {json.dumps(str(home))} }})
        const info = {{ id: "s-2", parentID: "s-1" }}
        await hooks.event({{ event: {{ type: "session.created", properties: {{ info }} }} }})
        for (const [tool, sessionID] of {json.dumps(uses)}) {{
            const result = {{ output: "printed", metadata: {{ exit: 2 }} }}
            await hooks["tool.execute.after"]({{ tool, sessionID, args: {{ command: "make" }} }}, result)
            console.log(JSON.stringify(result.output))
        }}"""

    def act() -> list[str]:
        words = ["node", "--input-type=module", "-e", script]
        done = subprocess.run(words, capture_output=True, check=True, timeout=60)
        return [json.loads(line) for line in done.stdout.splitlines()]

    assert act() == ["printed\n\nbears", "printed", "printed"]
    sent = json.loads((home / "palace.got").read_text())
    assert (sent["session_id"], sent["tool_name"], sent["tool_input"]) == ("s-1", "bash", {"command": "make"})
    assert sent["tool_response"] == {"exit_code": 2, "output": "printed"}
    program.unlink()
    assert act() == ["printed"] * 3
