"""What connecting does to the files of each client, and what taking back leaves."""

from __future__ import annotations

import json
import stat
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from palace.errors import BadRequest
from palace_cli.connect import contents
from palace_cli.connect.clients import CLIENTS, Client, find_client, project_root
from palace_cli.connect.files import Records
from palace_cli.connect.jsonc import value_at
from palace_cli.connect.program import SHARED, server_words
from palace_cli.connect.states import state_of
from tests.connect.conftest import PROGRAM, connect, everything, fill, settings_of, undo

CLAUDE = find_client("claude-code")


def test_a_connected_client_has_server_and_hooks(records: Records) -> None:
    for client in CLIENTS:
        connect(client, records)
        state = state_of(client)
        assert (state.server, state.lacking, state.program) == (True, (), PROGRAM.command)
        assert state.hooks == tuple(client.events)


def test_what_is_taken_back_was_never_there_and_what_others_have_there_keeps_every_byte(
    records: Records, home: Path
) -> None:
    for client in CLIENTS:
        connect(client, records)
        undo(client, records)
        assert everything(home) == {}, client.name
        assert list(home.iterdir()) == []
    for client in CLIENTS:
        fill(client)
        before, texts = everything(home), [path.read_text() for path in settings_of(client)]
        connect(client, records)
        for path, former in zip(settings_of(client), texts, strict=True):
            left = iter(path.read_text())
            assert all(sign in left for sign in former), client.name
        # Once more: nothing changes.
        after, times = everything(home), [path.stat().st_mtime_ns for path in settings_of(client)]
        connect(client, records)
        assert everything(home) == after
        assert [path.stat().st_mtime_ns for path in settings_of(client)] == times
        undo(client, records)
        assert everything(home) == before


def _set(path: Path, change: Any) -> None:
    said = json.loads(path.read_text())
    change(said)
    path.write_text(json.dumps(said, indent=2))


def test_only_ours_is_taken_out_of_what_was_changed_since(records: Records, home: Path) -> None:
    connect(CLAUDE, records)
    settings, servers = home / ".claude" / "settings.json", home / ".claude.json"

    def grow(said: Any) -> None:
        said["hooks"]["Stop"][0]["hooks"].append({"type": "command", "command": "say done"})
        said["hooks"]["Notification"] = [{"hooks": [{"type": "command", "command": "ring"}]}]
        said["theme"] = "dark"

    _set(settings, grow)
    _set(servers, lambda said: said["mcpServers"].update(docs={"command": "docs"}))
    undo(CLAUDE, records)
    assert json.loads(settings.read_text()) == {
        "hooks": {
            "Stop": [{"hooks": [{"type": "command", "command": "say done"}]}],
            "Notification": [{"hooks": [{"type": "command", "command": "ring"}]}],
        },
        "theme": "dark",
    }
    assert json.loads(servers.read_text()) == {"mcpServers": {"docs": {"command": "docs"}}}


def test_ours_is_found_without_anything_being_remembered(records: Records, home: Path) -> None:
    for client in CLIENTS:
        fill(client)
        before = [_said(path) for path in settings_of(client)]
        connect(client, records)
        for file in records.folder.iterdir():
            file.unlink()
        undo(client, records)
        assert [_said(path) for path in settings_of(client)] == before


def _said(path: Path) -> Any:
    return tomllib.loads(path.read_text()) if path.suffix == ".toml" else json.loads(path.read_text())


def test_what_is_remembered_is_for_nobody_else_and_none_where_it_is_damaged(records: Records) -> None:
    fill(CLAUDE)
    before = [_said(path) for path in settings_of(CLAUDE)]
    connect(CLAUDE, records)
    assert stat.S_IMODE(records.folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in records.folder.iterdir()} == {0o600}
    undo(CLAUDE, records)
    assert list(records.folder.iterdir()) == []
    connect(CLAUDE, records)
    for file in records.folder.iterdir():
        file.write_text('{"file": 1')
    undo(CLAUDE, records)
    assert [_said(path) for path in settings_of(CLAUDE)] == before


def test_a_project_has_nothing_of_the_person_s_computer(
    records: Records, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for client in [each for each in CLIENTS if each.of_project]:
        monkeypatch.setenv("PALACE_USER", "mara")
        root = tmp_path / client.name
        root.mkdir()
        connect(client, records, root, SHARED)
        text = "".join(path.read_text() for path in root.rglob("*") if path.is_file())
        assert "palace" in text
        assert not any(private in text for private in (str(tmp_path), "mara", "PALACE_"))
        assert state_of(client, root).server
        undo(client, records, root)
        assert list(root.iterdir()) == []


def test_a_project_leads_nobody_out_of_it(records: Records, home: Path, tmp_path: Path) -> None:
    for is_folder in (True, False):
        root, outside = (tmp_path / f"{name}-{is_folder}" for name in ("project", "outside"))
        root.mkdir()
        outside.mkdir()
        (outside / "settings.json").write_text("{}")
        if is_folder:
            (root / ".claude").symlink_to(outside)
        else:
            (root / ".claude").mkdir()
            (root / ".claude" / "settings.json").symlink_to(outside / "settings.json")
        with pytest.raises(BadRequest, match="leads out of the project"):
            connect(CLAUDE, records, root, SHARED)
        assert everything(outside) == {"settings.json": b"{}"}
        assert not (root / ".mcp.json").exists()


def test_a_project_is_the_nearest_repository_and_never_the_home(home: Path) -> None:
    deep = home / "code" / "boat" / "hull"
    deep.mkdir(parents=True)
    assert project_root(deep) == deep
    (home / ".git").mkdir()
    assert project_root(deep) == deep
    (home / "code" / "boat" / ".git").write_text("gitdir: elsewhere")
    assert project_root(deep) == home / "code" / "boat"
    with pytest.raises(BadRequest, match="home"):
        project_root(home)


def test_a_client_s_own_variable_says_where_its_files_are(
    records: Records, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(variable, str(tmp_path / variable))
    for client in CLIENTS:
        if client.variable in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME"):
            connect(client, records)
    assert everything(home) == {}
    assert sorted(everything(tmp_path / "CLAUDE_CONFIG_DIR")) == [".claude.json", "settings.json"]
    assert sorted(everything(tmp_path / "CODEX_HOME")) == ["config.toml", "hooks.json"]
    assert sorted(everything(tmp_path / "XDG_CONFIG_HOME")) == [
        "Code/User/mcp.json",
        "amp/settings.json",
        "kilo/kilo.jsonc",
        "opencode/opencode.json",
        "opencode/plugins/palace.js",
        "zed/settings.json",
    ]


def _words(client: Client) -> list[str]:
    """Read how a client is to start the server."""
    file = settings_of(client)[0]
    read = tomllib.loads if file.suffix == ".toml" else json.loads
    data = read(file.read_text())
    return server_words(value_at(data, contents.server_path(client, data)))


def test_a_server_is_confined_to_a_wing_and_stays_so(records: Records) -> None:
    for client in CLIENTS:
        fill(client)
        before = everything(client.folder())
        connect(client, records)
        assert _words(client) == [PROGRAM.command, "mcp"]
        for _ in range(2):
            connect(client, records, program=replace(PROGRAM, wing='Mara\'s "boat"'))
            assert _words(client) == [PROGRAM.command, "mcp", "--wing", 'Mara\'s "boat"']
        written = everything(client.folder())
        connect(client, records)
        assert everything(client.folder()) == written
        connect(client, records, program=replace(PROGRAM, wing="Garden"))
        assert _words(client) == [PROGRAM.command, "mcp", "--wing", "Garden"]
        undo(client, records)
        assert everything(client.folder()) == before
