"""A name that is typed must be known, or said to be new."""

from __future__ import annotations

import json
import os
import uuid
from pathlib import Path

import pytest

from tests.cli.conftest import Run


def test_a_mistyped_user_is_told_and_not_made(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    typed = f"user-{uuid.uuid4()}"
    for named in (["--user", typed], []):
        for command in (("mine", "-"), ("note", "Hello."), ("import", "-"), ("ls",), ("status",), ("recall", "hello")):
            result = run(*command, *named, given="A note.")
            assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1), command
            assert result.stderr.startswith(f"palace: there is no user '{typed}' (")
            assert "--new-user" in result.stderr
        monkeypatch.setenv("palace_user", typed)


def test_a_new_user_is_made_when_told_so_and_known_from_then_on(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    typed = f"user-{uuid.uuid4()}"
    assert run("note", "Hello.", "--user", typed, "--new-user").exit_code == 0
    assert run("note", "Hello again.", "--user", typed).exit_code == 0
    assert run("import", "-", "--user", typed, "--new-user", given="no export").exit_code != 0
    assert json.loads(run("status", "--user", typed, "--json").stdout)["drawers"] == 2
    result = run("note", "Hello.", "--new-user")
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert "give --user NAME too" in result.stderr


def test_a_name_in_the_environment_is_made_when_told_so_and_the_usual_one_by_itself(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = os.environ["LOGNAME"]
    monkeypatch.setenv("PALACE_USER", named := f"user-{uuid.uuid4()}")
    assert run("note", "Hello.").exit_code == 2
    assert run("note", "Hello.", "--new-user").exit_code == 0
    assert json.loads(run("status", "--json").stdout)["user"] == named
    for name in ("PALACE_USER", "--user"):
        monkeypatch.setenv("PALACE_USER", usual if name == "PALACE_USER" else named)
        assert run("note", "Hello.", *([name, usual] if name == "--user" else [])).exit_code == 0


def test_a_new_user_for_whom_nothing_is_stored_does_not_stay(run: Run) -> None:
    for refused in (("import", "-"), ("mine", "nowhere.txt"), ("note", "  ")):
        typed = f"user-{uuid.uuid4()}"
        assert run(*refused, "--user", typed, "--new-user", given="no export").exit_code != 0
        assert "there is no user" in run("status", "--user", typed).stderr, refused


def test_on_a_shared_server_nobody_learns_who_else_is_there(run: Run) -> None:
    known = f"user-{uuid.uuid4()}"
    run("note", "Hello.", "--user", known, "--new-user")
    assert known not in run("status", "--user", known[:-1]).stderr


def test_the_person_that_the_settings_name_is_not_whoever_else_is_typed(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, typed = (f"user-{uuid.uuid4()}" for _ in range(2))
    monkeypatch.setenv("PALACE_USER", mine)
    monkeypatch.setenv("PALACE_PERSON", "Bowerbird Quist")
    found = {}
    for user in (mine, typed):
        assert run("note", "Bowerbird Quist wove a nest.", "--user", user, "--new-user").exit_code == 0
        for query in ("Which nest does Bowerbird Quist have?", "Which nest do I have?"):
            hits = json.loads(run("recall", query, "--user", user, "--json").stdout)["hits"]
            found[user, query] = [hit["score"] for hit in hits]
    called, own = "Which nest does Bowerbird Quist have?", "Which nest do I have?"
    assert found[mine, called] == found[mine, own] == found[typed, own]
    assert found[typed, called] != found[typed, own]


def test_who_one_is_in_chats_is_kept_and_told(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALACE_HOME", str(tmp_path / "home"))
    chat = tmp_path / "WhatsApp Chat with Ulrika.txt"
    chat.write_text("[01.05.24, 10:32:15] Hanna: I moved to Graz in March.\n[01.05.24, 10:33:15] Ulrika: lucky you\n")
    rehearsed = run("mine", str(chat), "--me", "Hanna", "--dry-run")
    assert ("2 new" in rehearsed.stdout, (tmp_path / "home" / "config.toml").exists()) == (True, False)
    assert run("mine", str(chat), "--me", "hanna").stderr.startswith("palace: --me is no name")
    mined = run("mine", str(chat), "--me", "Hanna Kvist, Hanna")
    assert "I         Hanna Kvist, Hanna (--me NAME says otherwise)" in mined.stdout
    assert [each["object"] for each in json.loads(run("relations", "me", "--json").stdout)] == ["Graz"]
    instead = "for 'bob', set PALACE_USER and PALACE_PERSON instead of --user and --me"
    for wrong, code, line in (
        ((str(chat), "--me", "A\x7fb"), 2, "--me has a control character in it"),
        ((str(chat), "--me", "Anna", "--user", "bob", "--new-user"), 2, f", the user of config.toml: {instead}\n"),
        ((str(tmp_path / "nowhere"), "--me", "Anna"), 1, "no such file or folder"),
    ):
        refused = run("mine", *wrong)
        assert (refused.exit_code, line in refused.stderr, refused.stderr.count("\n")) == (code, True, 1), (
            refused.stderr
        )
        assert "Anna" not in (tmp_path / "home" / "config.toml").read_text()
    again = run("mine", str(chat), "--me", "Ulrika")
    assert "not yet read as said by Ulrika: `palace rebuild` reads it again" in again.stderr
    assert run("rebuild", "--yes").exit_code == 0
    assert [each["object"] for each in json.loads(run("relations", "Hanna", "--json").stdout)] == ["Graz"]
    assert (tmp_path / "home" / "config.toml").read_text() == 'person = "Ulrika"\n'
    monkeypatch.setenv("PALACE_PERSON", "Hanna")
    assert (
        run("mine", str(chat), "--me", "Ulrika").stderr
        == "palace: PALACE_PERSON says who you are: change or unset it\n"
    )
