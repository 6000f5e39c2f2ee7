"""A configuration is written whole or not at all, where it differs and nowhere else, and only if it can be read."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from palace.errors import BadRequest
from palace_cli.connect import contents
from palace_cli.connect.clients import CLIENTS, Client, find_client
from palace_cli.connect.files import Changed, Records
from palace_cli.connect.jsonc import Refused
from palace_cli.connect.plan import LONGEST, Plan, difference
from palace_cli.connect.program import Program
from tests.connect.conftest import PROGRAM, connect, everything, fill, undo

CLAUDE, CURSOR = find_client("claude-code"), find_client("cursor")


def test_a_file_keeps_its_mode_and_a_new_one_is_for_nobody_else(records: Records, home: Path) -> None:
    file = home / ".cursor" / "mcp.json"
    connect(CURSOR, records)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    for mode in (0o600, 0o644, 0o640):
        fill(CURSOR)
        file.chmod(mode)
        connect(CURSOR, records)
        assert stat.S_IMODE(file.stat().st_mode) == mode


def test_a_link_stays_one_and_what_it_leads_to_is_written(records: Records, home: Path, tmp_path: Path) -> None:
    dotfiles, dotcursor = tmp_path / "dotfiles", tmp_path / "dotcursor"
    for folder in (dotfiles, dotcursor, home / ".claude"):
        folder.mkdir()
    (dotfiles / "settings.json").write_text('{"theme": "dark"}')
    (home / ".claude" / "settings.json").symlink_to(dotfiles / "settings.json")
    (home / ".cursor").symlink_to(dotcursor)
    for client in (CLAUDE, CURSOR):
        connect(client, records)
    assert (home / ".claude" / "settings.json").is_symlink()
    assert "hooks" in json.loads((dotfiles / "settings.json").read_text())
    assert (dotcursor / "hooks.json").is_file()
    for client in (CLAUDE, CURSOR):
        undo(client, records)
    assert (dotfiles / "settings.json").read_text() == '{"theme": "dark"}'
    assert (home / ".claude" / "settings.json").is_symlink()
    assert list(dotcursor.iterdir()) == []


def _make_hard_link(path: Path) -> None:
    path.write_text("{}")
    path.with_name("other.json").hardlink_to(path)


BROKEN: dict[str, Callable[[Path], object]] = {
    "no JSON": lambda path: path.write_text('{"hooks": '),
    "no text": lambda path: path.write_bytes(b'{"a": "\xff"}'),
    "UTF-16": lambda path: path.write_bytes('{"a": 1}'.encode("utf-16")),
    "a folder": lambda path: path.mkdir(),
    "a pipe": os.mkfifo,
    "a circle": lambda path: path.symlink_to(path),
    "a hard link": _make_hard_link,
    "an array": lambda path: path.write_text("[]"),
    "hooks that are none": lambda path: path.write_text('{"hooks": []}'),
    "an event that is none": lambda path: path.write_text('{"hooks": {"Stop": {}}}'),
    "too large": lambda path: path.write_text(" " * (33 << 20)),
    "a server of another's": lambda path: (path.parents[1] / ".claude.json").write_text(
        '{"mcpServers": {"palace": {"command": "npx", "args": ["palace"]}}}'
    ),
}


def test_what_cannot_be_changed_is_said_in_one_line_and_nothing_is(
    records: Records, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, make in BROKEN.items():
        home = tmp_path / name
        settings = home / ".claude" / "settings.json"
        settings.parent.mkdir(parents=True)
        monkeypatch.setenv("HOME", str(home))
        make(settings)
        before = {path.name: path.stat(follow_symlinks=False).st_mtime_ns for path in home.rglob("*")}
        with pytest.raises(BadRequest) as refused:
            connect(CLAUDE, records)
        told = str(refused.value)
        assert ("\n" in told, str(home / ".claude") in told, "nothing was changed" in told) == (False, True, True), name
        assert {path.name: path.stat(follow_symlinks=False).st_mtime_ns for path in home.rglob("*")} == before, name


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


def test_nothing_is_written_where_nothing_can_be_remembered(home: Path, tmp_path: Path) -> None:
    (tmp_path / "palace").write_text("a file, no folder")
    with pytest.raises(BadRequest):
        connect(CLAUDE, Records(tmp_path / "palace"))
    assert everything(home) == {}


CLAUDE = find_client("claude-code")


def test_what_is_no_object_is_refused() -> None:
    odd = ["null", "5", "true", '"version"', "[]"]
    for client in CLIENTS:
        roles = {"server", "hooks"} if client.events and client.layout != "plug-in" else {"server"}
        for text in [] if client.name == "codex" else odd:
            with pytest.raises(Refused):
                contents.connected(text, client, roles, PROGRAM)
            assert contents.disconnected(text, client, roles, {("version",)}) == text


@pytest.mark.parametrize("client", [each for each in CLIENTS if each.name != "codex"], ids=lambda each: each.name)
def test_null_is_a_place_with_nothing_in_it(client: Client, records: Records, home: Path) -> None:
    roles = {"server", "hooks"} if client.events and client.layout != "plug-in" else {"server"}
    first, *further = client.server_path
    for said in ({first: None}, {first: None, "hooks": None, "version": 1}, {first: dict.fromkeys(further) or None}):
        text = json.dumps({"theme": "dark", **said}, indent=2)
        path = next(iter(client.files()))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        connected = contents.connected(text, client, roles, PROGRAM)
        entry = contents.editor(client, roles).data_of(connected)[first]
        assert PROGRAM.command in json.dumps(entry)
        assert contents.connected(connected, client, roles, PROGRAM) == connected
        plan = Plan(client, None, records)
        plan.carry_out(plan.connecting(PROGRAM))
        plan.carry_out(plan.undoing())
        assert path.read_text() == text


def test_what_a_person_wrote_into_ours_stays_when_ours_is_changed() -> None:
    text = (
        '{"mcpServers": {"palace": { // mine\n  "command": "/x/palace", /* there */\n'
        '  "args": ["mcp", "--profile", "full"], "alwaysLoad": false,\n'
        '  "env": {"A": "\\ud800", "PALACE_USER": "ann"} // those\n}}}'
    )
    changed = contents.connected(text, CLAUDE, {"server"}, Program("/y/palace", {"PALACE_HOME": "/h"}))
    assert all(each in changed for each in ("// mine", "/* there */", '"A": "\\ud800"', "// those"))
    entry = contents.editor(CLAUDE, {"server"}).data_of(changed)["mcpServers"]["palace"]
    assert (entry["command"], entry["args"]) == ("/y/palace", ["mcp", "--profile", "full"])
    assert (entry["alwaysLoad"], entry["env"]) == (False, {"A": "\ud800", "PALACE_HOME": "/h"})
    changed.encode("utf-8")


def test_who_writes_while_a_file_is_brought_to_the_disk_is_not_overwritten(
    records: Records, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = home / ".claude.json"
    path.write_text("{}")
    plan = Plan(CLAUDE, None, records)
    steps = plan.connecting(PROGRAM)
    to_disk = os.fsync

    def written_meanwhile(descriptor: int) -> None:
        to_disk(descriptor)
        if Path(f"/proc/self/fd/{descriptor}").readlink().name.startswith("..claude.json"):
            path.write_text('{"numStartups": 5}')

    monkeypatch.setattr(os, "fsync", written_meanwhile)
    with pytest.raises(Changed):
        plan.carry_out(steps)
    assert everything(home) == {".claude.json": b'{"numStartups": 5}'}


HOOKS = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say 'a, {b}' done"}]}], "Other": []}}
OURS = {"hooks": [{"type": "command", "command": "/opt/palace hook Stop --harness codex || true", "timeout": 10}]}
MORE = {"hooks": {"Stop": [*HOOKS["hooks"]["Stop"], OURS], "Other": [], "SessionEnd": [OURS]}}


def shown(before: str, after: str) -> list[str]:
    return difference(before, after, "hooks.json").split("\n")[2:]


def test_of_a_file_that_is_one_line_what_is_added_is_seen() -> None:
    for separators in ((",", ":"), (", ", ": ")):
        lines = shown(json.dumps(HOOKS, separators=separators), json.dumps(MORE, separators=separators))
        added = [line[1:].strip() for line in lines if line.startswith("+")]
        taken = [line[1:].strip() for line in lines if line.startswith("-")]
        assert sum("/opt/palace hook Stop --harness codex || true" in line for line in added) == 2
        assert not any("palace" in line or "say" in line for line in taken)
        assert len(taken) <= 3
        assert all(len(line) <= LONGEST for line in lines)
        # Put together again it says the same: nothing was left out of what is shown whole.
        whole = difference("", json.dumps(MORE, separators=separators), "hooks.json").split("\n")[2:]
        assert json.loads("".join(line[1:].strip() for line in whole)) == MORE
