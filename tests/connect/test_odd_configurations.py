"""Configurations that nobody expects: each is one line, or is changed where it differs and nowhere else."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from palace.errors import BadRequest
from palace_cli import guard
from palace_cli.connect.checking import check_connections
from palace_cli.connect.clients import CLIENTS, find_client
from palace_cli.connect.contents import texts
from palace_cli.connect.editing.refusals import Refused
from palace_cli.connect.files.record import Records
from palace_cli.connect.files.writing import Changed
from palace_cli.connect.planning import Plan
from palace_cli.connect.program import Program
from tests.connect.conftest import PROGRAM, connect, everything, settings_of, undo

CLAUDE = find_client("claude-code")


def test_what_is_no_object_is_refused() -> None:
    odd = ["null", "5", "true", '"version"', "[]"]
    for client in CLIENTS:
        roles = {"server", "hooks"} if client.events else {"server"}
        nulls = ['{"hooks": null, "mcpServers": null}'] if client.events else []
        for text in [] if texts.is_toml(client, {"server"}) else [*odd, *nulls]:
            with pytest.raises(Refused):
                texts.connected(text, client, roles, PROGRAM)
            assert texts.disconnected(text, client, roles, {("version",)}) == text


def test_what_a_person_wrote_into_ours_stays_when_ours_is_changed() -> None:
    text = (
        '{"mcpServers": {"palace": { // mine\n  "command": "/x/palace", /* there */ "args": ["mcp"],\n'
        '  "env": {"A": "\\ud800", "PALACE_USER": "ann"} // those\n}}}'
    )
    changed = texts.connected(text, CLAUDE, {"server"}, Program("/y/palace", {"PALACE_HOME": "/h"}))
    assert all(each in changed for each in ("// mine", "/* there */", '"A": "\\ud800"', "// those"))
    entry = texts.said(changed, CLAUDE, {"server"})["mcpServers"]["palace"]
    assert entry == {"command": "/y/palace", "args": ["mcp"], "env": {"A": "\ud800", "PALACE_HOME": "/h"}}
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


def test_what_somebody_who_was_killed_left_is_taken_away(records: Records) -> None:
    for client in CLIENTS:
        for path in settings_of(client):
            path.parent.mkdir(parents=True, exist_ok=True)
            (path.parent / f".{path.name}.abcdefgh.partial").write_text("half of a key")
            (path.parent / f".{path.name}.bak").write_text("a person's own")
        connect(client, records)
        for path in settings_of(client):
            assert not list(path.parent.glob("*.partial"))
            assert (path.parent / f".{path.name}.bak").exists()


def test_what_was_made_and_is_protected_now_is_not_taken_away(
    records: Records, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect(CLAUDE, records)
    before = everything(home)
    # Root may write everything, whatever the mode says.
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(BadRequest, match="is read-only"):
        undo(CLAUDE, records)
    assert everything(home) == before


def test_without_a_home_nothing_is_looked_for_anywhere_and_a_command_says_so(
    home: Path, records: Records, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(home)
    for told in ("", "somewhere", None):
        _set_home(monkeypatch, told)
        with pytest.raises(BadRequest, match="set it to your home folder"):
            connect(CLAUDE, records)
        assert [check.finding[:4] for check in check_connections()] == ["HOME"]
        assert list(home.iterdir()) == []
    assert guard.exit_code_of(Path.home, as_json=True) != 0
    assert "HOME is not set" in json.dumps(capsys.readouterr().err)


def _set_home(monkeypatch: pytest.MonkeyPatch, told: str | None) -> None:
    if told is not None:
        monkeypatch.setenv("HOME", told)
        return
    monkeypatch.delenv("HOME")

    def nobody(_: int) -> None:
        raise KeyError("no such account")

    monkeypatch.setattr("pwd.getpwuid", nobody)
