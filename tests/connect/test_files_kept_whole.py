"""A configuration is written whole or not at all, through links, with its mode, and only if it can be read."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from palace.errors import BadRequest
from palace_cli.connect.clients import find_client
from palace_cli.connect.files import Changed, Records
from palace_cli.connect.plan import Plan
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
