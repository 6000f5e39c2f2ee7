"""What connecting does to the files of each client, and what taking back leaves."""

from __future__ import annotations

import json
import os
import stat
import tomllib
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from palace.errors import BadRequest
from palace_cli.connect.clients import CLIENTS, Client, find_client, project_root
from palace_cli.connect.files.record import Records
from palace_cli.connect.files.writing import Changed
from palace_cli.connect.planning import Plan, roles_of
from palace_cli.connect.program import SHARED, Program
from palace_cli.connect.standing import state_of
from tests.connect.conftest import PROGRAM, connect, undo

CLAUDE, CURSOR = find_client("claude-code"), find_client("cursor")
HOOKED = {
    "hooks": {
        "Stop": [{"hooks": [{"type": "command", "command": "say done"}]}],
        "PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "check"}]}],
    },
    "model": "opus",
}


def everything(folder: Path) -> dict[str, bytes]:
    """Read all files below a folder."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def settings_of(client: Client) -> list[Path]:
    """List the files of a client."""
    return list(roles_of(client.of_user()))


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


def test_a_connected_client_has_server_and_hooks(client: Client, records: Records) -> None:
    connect(client, records)
    state = state_of(client)
    assert (state.server, state.lacking, state.program) == (True, (), PROGRAM.command)
    assert state.hooks == tuple(event.name for event in client.events)


def test_what_is_taken_back_was_never_there(client: Client, records: Records, home: Path) -> None:
    connect(client, records)
    undo(client, records)
    assert everything(home) == {}
    assert list(home.iterdir()) == []


def test_what_is_taken_back_leaves_every_byte_as_it_was(client: Client, records: Records, home: Path) -> None:
    fill(client)
    before = everything(home)
    connect(client, records)
    assert everything(home) != before
    undo(client, records)
    assert everything(home) == before


def test_what_others_have_in_the_files_stays_when_a_client_is_connected(client: Client, records: Records) -> None:
    fill(client)
    before = [path.read_text() for path in settings_of(client)]
    connect(client, records)
    for path, former in zip(settings_of(client), before, strict=True):
        left = iter(path.read_text())
        assert all(sign in left for sign in former)


def test_connecting_again_changes_nothing(client: Client, records: Records, home: Path) -> None:
    fill(client)
    connect(client, records)
    before, times = everything(home), [path.stat().st_mtime_ns for path in settings_of(client)]
    connect(client, records)
    assert everything(home) == before
    assert [path.stat().st_mtime_ns for path in settings_of(client)] == times


def test_a_palace_that_moved_takes_the_place_of_the_former(client: Client, records: Records, home: Path) -> None:
    fill(client)
    before = everything(home)
    connect(client, records)
    connect(client, records, program=Program("/usr/bin/palace", {"PALACE_HOME": "/srv/palace"}))
    text = "".join(path.read_text() for path in settings_of(client))
    assert "/opt/my palace" not in text
    assert state_of(client).program == "/usr/bin/palace"
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


def test_what_a_person_had_empty_stays_empty(records: Records, home: Path) -> None:
    settings = home / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text('{"hooks": {"Stop": []}}')
    connect(CLAUDE, records)
    _set(settings, lambda said: said.update(theme="dark"))
    undo(CLAUDE, records)
    assert json.loads(settings.read_text()) == {"hooks": {"Stop": []}, "theme": "dark"}


def test_ours_is_found_without_anything_being_remembered(client: Client, records: Records, home: Path) -> None:
    fill(client)
    before = [_said(path) for path in settings_of(client)]
    connect(client, records)
    for file in records.folder.iterdir():
        file.unlink()
    undo(client, records)
    assert [_said(path) for path in settings_of(client)] == before


def _said(path: Path) -> Any:
    return tomllib.loads(path.read_text()) if path.suffix == ".toml" else json.loads(path.read_text())


def test_what_is_remembered_is_for_nobody_else(records: Records) -> None:
    fill(CLAUDE)
    connect(CLAUDE, records)
    kept = list(records.folder.iterdir())
    assert stat.S_IMODE(records.folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in kept} == {0o600}
    undo(CLAUDE, records)
    assert list(records.folder.iterdir()) == []


def test_a_record_that_is_damaged_is_none(records: Records, home: Path) -> None:
    fill(CLAUDE)
    before = [_said(path) for path in settings_of(CLAUDE)]
    connect(CLAUDE, records)
    for file in records.folder.iterdir():
        file.write_text('{"file": 1')
    undo(CLAUDE, records)
    assert [_said(path) for path in settings_of(CLAUDE)] == before


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o640])
def test_a_file_keeps_its_mode(records: Records, home: Path, mode: int) -> None:
    fill(CURSOR)
    file = home / ".cursor" / "mcp.json"
    file.chmod(mode)
    connect(CURSOR, records)
    assert stat.S_IMODE(file.stat().st_mode) == mode


def test_a_new_file_of_the_user_is_for_nobody_else(records: Records, home: Path) -> None:
    connect(CURSOR, records)
    assert stat.S_IMODE((home / ".cursor" / "mcp.json").stat().st_mode) == 0o600


def test_a_link_stays_one_and_what_it_leads_to_is_written(records: Records, home: Path, tmp_path: Path) -> None:
    dotfiles = tmp_path / "dotfiles"
    dotfiles.mkdir()
    (dotfiles / "settings.json").write_text('{"theme": "dark"}')
    (home / ".claude").mkdir()
    (home / ".claude" / "settings.json").symlink_to(dotfiles / "settings.json")
    connect(CLAUDE, records)
    assert (home / ".claude" / "settings.json").is_symlink()
    assert "hooks" in json.loads((dotfiles / "settings.json").read_text())
    undo(CLAUDE, records)
    assert (dotfiles / "settings.json").read_text() == '{"theme": "dark"}'
    assert (home / ".claude" / "settings.json").is_symlink()


def test_a_folder_that_is_a_link_is_followed(records: Records, home: Path, tmp_path: Path) -> None:
    (tmp_path / "dotcursor").mkdir()
    (home / ".cursor").symlink_to(tmp_path / "dotcursor")
    connect(CURSOR, records)
    assert (tmp_path / "dotcursor" / "hooks.json").is_file()
    undo(CURSOR, records)
    assert list((tmp_path / "dotcursor").iterdir()) == []


def _make_circle(path: Path) -> None:
    path.symlink_to(path)


def _make_hard_link(path: Path) -> None:
    path.write_text("{}")
    os.link(path, path.with_name("other.json"))


def _make_read_only(path: Path) -> None:
    path.write_text("{}")
    path.chmod(0o400)
    if os.geteuid() == 0:
        pytest.skip("root may write everything")


BROKEN: dict[str, Any] = {
    "no JSON": lambda path: path.write_text('{"hooks": '),
    "no text": lambda path: path.write_bytes(b'{"a": "\xff"}'),
    "UTF-16": lambda path: path.write_bytes('{"a": 1}'.encode("utf-16")),
    "a folder": lambda path: path.mkdir(),
    "a pipe": os.mkfifo,
    "a circle": _make_circle,
    "a hard link": _make_hard_link,
    "read-only": _make_read_only,
    "an array": lambda path: path.write_text("[]"),
    "hooks that are none": lambda path: path.write_text('{"hooks": []}'),
    "an event that is none": lambda path: path.write_text('{"hooks": {"Stop": {}}}'),
    "too large": lambda path: path.write_text(" " * (33 << 20)),
    "a server of another's": lambda path: None,
}


@pytest.mark.parametrize("make", BROKEN.values(), ids=BROKEN)
def test_what_cannot_be_changed_is_said_in_one_line_and_nothing_is(records: Records, home: Path, make: Any) -> None:
    settings = home / ".claude" / "settings.json"
    settings.parent.mkdir()
    make(settings)
    if not os.path.lexists(settings):
        (home / ".claude.json").write_text('{"mcpServers": {"palace": {"command": "npx", "args": ["palace"]}}}')
    before = {path.name: path.stat(follow_symlinks=False).st_mtime_ns for path in home.rglob("*")}
    with pytest.raises(BadRequest) as refused:
        connect(CLAUDE, records)
    assert "\n" not in str(refused.value)
    assert str(home / ".claude") in str(refused.value)
    assert "nothing was changed" in str(refused.value)
    assert {path.name: path.stat(follow_symlinks=False).st_mtime_ns for path in home.rglob("*")} == before


def test_the_first_file_is_put_back_when_the_second_cannot_be_written(
    records: Records, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(CLAUDE)
    before = everything(home)
    plan = Plan(CLAUDE, None, records)
    steps = plan.connecting(PROGRAM)
    # Claude Code writes its settings in between.
    (home / ".claude" / "settings.json").write_text('{"theme": "dark"}')
    with pytest.raises(Changed):
        plan.carry_out(steps)
    assert everything(home) == {**before, ".claude/settings.json": b'{"theme": "dark"}'}


def _connect_once(given: tuple[str, str]) -> bool:
    os.environ["HOME"], palace = given
    client = find_client("claude-code")
    for _ in range(50):
        plan = Plan(client, None, Records(Path(palace)))
        try:
            plan.carry_out(plan.connecting(Program("/usr/bin/palace")))
        except Changed:
            continue
        return True
    return False


def test_two_at_once_write_it_once(home: Path, tmp_path: Path) -> None:
    fill(CLAUDE)
    with ProcessPoolExecutor(4) as pool:
        done = list(pool.map(_connect_once, [(str(home), str(tmp_path / "palace"))] * 12))
    assert all(done)
    said = json.loads((home / ".claude" / "settings.json").read_text())
    assert [len(each["hooks"]) for each in said["hooks"]["SessionStart"]] == [1]
    assert not list(home.rglob("*.partial"))


def test_a_project_has_nothing_of_the_person_s_computer(
    client: Client, records: Records, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PALACE_USER", "mara")
    root = tmp_path / "project"
    root.mkdir()
    connect(client, records, root, SHARED)
    text = "".join(path.read_text() for path in root.rglob("*") if path.is_file())
    assert "palace" in text
    assert not any(private in text for private in (str(tmp_path), "mara", "PALACE_"))
    assert state_of(client, root).server
    undo(client, records, root)
    assert list(root.iterdir()) == []


@pytest.mark.parametrize("is_folder", [True, False])
def test_a_project_leads_nobody_out_of_it(records: Records, home: Path, tmp_path: Path, is_folder: bool) -> None:
    root, outside = tmp_path / "project", tmp_path / "outside"
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
        if client.name not in ("gemini", "cursor"):
            connect(client, records)
    assert everything(home) == {}
    assert sorted(everything(tmp_path / "CLAUDE_CONFIG_DIR")) == [".claude.json", "settings.json"]
    assert sorted(everything(tmp_path / "CODEX_HOME")) == ["config.toml", "hooks.json"]
    assert sorted(everything(tmp_path / "XDG_CONFIG_HOME")) == ["Code/User/mcp.json", "opencode/opencode.json"]


def test_the_file_that_is_there_is_the_one_that_is_written(records: Records, home: Path) -> None:
    opencode = find_client("opencode")
    file = home / ".config" / "opencode" / "opencode.jsonc"
    file.parent.mkdir(parents=True)
    file.write_text('{\n  // mine\n  "theme": "system",\n}\n')
    connect(opencode, records)
    assert "// mine" in file.read_text()
    assert '"palace": {' in file.read_text()
    assert everything(file.parent).keys() == {"opencode.jsonc"}


def test_servers_of_opencode_may_stand_a_level_deeper(records: Records, home: Path) -> None:
    opencode = find_client("opencode")
    file = home / ".config" / "opencode" / "opencode.json"
    file.parent.mkdir(parents=True)
    file.write_text('{"mcp": {"servers": {"docs": {"type": "local", "command": ["docs"]}}}}')
    connect(opencode, records)
    assert list(json.loads(file.read_text())["mcp"]["servers"]) == ["docs", "palace"]
    assert state_of(opencode).server


def test_what_a_person_added_to_our_server_stays(records: Records, home: Path) -> None:
    connect(CLAUDE, records)
    servers = home / ".claude.json"

    def tune(said: Any) -> None:
        said["mcpServers"]["palace"].update(args=["mcp", "--profile", "full"], env={"LANG": "C"}, alwaysLoad=False)

    _set(servers, tune)
    connect(CLAUDE, records, program=Program("/usr/bin/palace", {"PALACE_USER": "mara"}))
    assert json.loads(servers.read_text())["mcpServers"]["palace"] == {
        "command": "/usr/bin/palace",
        "args": ["mcp", "--profile", "full"],
        "alwaysLoad": False,
        "env": {"LANG": "C", "PALACE_USER": "mara"},
    }


def test_nothing_is_written_where_nothing_can_be_remembered(home: Path, tmp_path: Path) -> None:
    (tmp_path / "palace").write_text("a file, no folder")
    with pytest.raises(BadRequest):
        connect(CLAUDE, Records(tmp_path / "palace"))
    assert everything(home) == {}


def test_what_was_planned_is_what_is_shown(client: Client, records: Records) -> None:
    fill(client)
    steps = Plan(client, None, records).connecting(PROGRAM)
    for step in steps:
        assert step.after is not None
        lines = step.change().difference.split("\n")[2:]
        assert {line[1:] for line in lines if line.startswith("+")} <= set(step.after.decode().splitlines())
        assert {line[1:] for line in lines if line.startswith("-")} <= set(step.found.text.splitlines())
        assert any(PROGRAM.command in line for line in lines)
