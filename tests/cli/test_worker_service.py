"""The worker as a service of systemd: written once, never over another's file, without a password, and taken away."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from palace_cli.app import app
from palace_cli.service import NAME, unit


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the file belongs, with a home and a configuration of the test's own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("PALACE_HOME", str(tmp_path / "home"))
    return tmp_path / "config" / "systemd" / "user" / NAME


def called(*arguments: str) -> Any:
    return CliRunner().invoke(app, ["worker", *arguments])


def test_it_is_written_said_how_to_start_and_left_as_it_is_the_second_time(place: Path, tmp_path: Path) -> None:
    words = ("--install", "--watch", str(tmp_path / 'odd "100%" $HOME'), "--wing", "Efoil rebuild", "--exclude", "a\\d")
    first = called(*words)
    assert first.exit_code == 0
    assert "systemctl --user enable --now palace-worker.service" in first.stdout
    assert "palace worker --uninstall" in first.stdout
    text = place.read_text()
    assert f'"--watch" "{tmp_path}/odd \\"100%%\\" $$HOME"' in text
    assert '"--wing" "Efoil rebuild" "--exclude" "a\\\\d"' in text
    assert f'Environment="PALACE_HOME={tmp_path}/home"' in text
    assert "Restart=on-failure" in text
    assert "TimeoutStopSec=15" in text
    again = json.loads(called(*words, "--json").stdout)
    assert (again["state"], again["path"]) == ("unchanged", str(place))
    assert json.loads(called("--install", "--json").stdout)["state"] == "replaced"
    assert "--watch" not in place.read_text()


def test_anothers_file_is_neither_written_over_nor_removed(place: Path, tmp_path: Path) -> None:
    place.parent.mkdir(parents=True)
    place.write_text("[Service]\nExecStart=/bin/mine\n")
    for option in ("--install", "--uninstall"):
        refused = called(option)
        assert refused.exit_code == 2
        assert "was not written by palace and is left as it is" in refused.stderr
    assert place.read_text() == "[Service]\nExecStart=/bin/mine\n"
    place.unlink()
    place.symlink_to(tmp_path / "nowhere")
    assert called("--install").exit_code == 2
    assert not (tmp_path / "nowhere").exists()
    place.unlink()
    place.symlink_to("/dev/null")  # what is masked stays so
    assert called("--install").exit_code == 2


def test_it_is_taken_away_with_what_starts_it_and_twice_is_well(place: Path) -> None:
    called("--install")
    wants = place.parent / "default.target.wants" / NAME
    wants.parent.mkdir()
    wants.symlink_to(place)
    done = called("--uninstall")
    assert (done.exit_code, place.exists(), wants.is_symlink()) == (0, False, False)
    assert "systemctl --user stop palace-worker.service" in done.stdout
    again = called("--uninstall", "--json")
    assert (again.exit_code, json.loads(again.stdout)["state"]) == (0, "absent")


def test_a_password_is_not_written(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALACE_DATABASE_URL", "postgresql://palace:hush-hush@db.example/memory")
    refused = called("--install")
    assert refused.exit_code == 2
    assert "config.toml" in refused.stderr
    assert "hush-hush" not in refused.stderr
    assert not place.exists()
    monkeypatch.setenv("PALACE_DATABASE_URL", "postgresql://palace@db.example/memory")
    monkeypatch.setenv("PALACE_SECRETS_ALLOWED", '["hush-hush"]')
    done = called("--install")
    assert done.exit_code == 0
    assert "not written: PALACE_SECRETS_ALLOWED" in done.stderr
    assert 'Environment="PALACE_DATABASE_URL=postgresql://palace@db.example/memory"' in place.read_text()
    assert "hush-hush" not in place.read_text()


@given(st.lists(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))))
def test_no_word_ends_its_line_or_begins_another(words: list[str]) -> None:
    plain = unit(["palace"], {"A": "b"}).split("\n")
    lines = unit(["palace", *words], {"A": "".join(words) or "b"}).split("\n")
    assert len(lines) == len(plain)
    assert [line.split("=")[0] for line in lines] == [line.split("=")[0] for line in plain]
