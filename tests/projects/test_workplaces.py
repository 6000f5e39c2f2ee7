"""Which folders say what is worked on, by a program's being started there."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from palace.projects import is_workplace


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a home folder of its own."""
    home = tmp_path / "home" / "mara"
    home.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    return home


def checkout(folder: Path) -> Path:
    for name in ("objects", "refs"):
        (folder / ".git" / name).mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    return folder


def test_a_checkout_and_what_lies_in_it_is_worked_in(home: Path) -> None:
    root = checkout(home / "work" / "api")
    (root / "src").mkdir()
    assert is_workplace(root)
    assert is_workplace(root / "src")
    assert is_workplace(checkout(home / ".config" / "nvim"))


def test_a_folder_of_the_persons_own_is_worked_in(home: Path, tmp_path: Path) -> None:
    (home / "letters").mkdir()
    (tmp_path / "boat").mkdir()
    assert is_workplace(home / "letters")
    assert is_workplace(tmp_path / "boat")


def test_where_programs_are_started_from_a_desktop_is_no_workplace(home: Path) -> None:
    for hidden in (".local/share/app", ".config"):
        (home / hidden).mkdir(parents=True)
    temporary = tempfile.gettempdir()
    for folder in ("/", home, home.parent, home / ".config", home / ".local" / "share" / "app", "/usr/bin", "/etc"):
        assert not is_workplace(folder), folder
    for folder in ("/tmp", temporary, "/var", os.devnull, home / "gone", "relative", "\0"):
        assert not is_workplace(folder), folder


def test_a_checkout_in_the_home_folder_itself_is_none(home: Path) -> None:
    assert not is_workplace(checkout(home))
    (home / "letters").mkdir()
    assert is_workplace(home / "letters")
