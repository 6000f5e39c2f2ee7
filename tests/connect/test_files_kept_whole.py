"""A configuration is written whole or not at all, through links, with its mode, and only if it can be read."""

from __future__ import annotations

import json
import os
import stat
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from palace.errors import BadRequest
from palace_cli.connect.clients import find_client
from palace_cli.connect.files.record import Records
from palace_cli.connect.files.writing import Changed
from palace_cli.connect.planning import Plan
from palace_cli.connect.program import Program
from tests.connect.conftest import PROGRAM, connect, everything, fill, undo

CLAUDE, CURSOR = find_client("claude-code"), find_client("cursor")


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


def test_nothing_is_written_where_nothing_can_be_remembered(home: Path, tmp_path: Path) -> None:
    (tmp_path / "palace").write_text("a file, no folder")
    with pytest.raises(BadRequest):
        connect(CLAUDE, Records(tmp_path / "palace"))
    assert everything(home) == {}
