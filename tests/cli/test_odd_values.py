"""Values that no command foresaw, found by chance: each is one line and an exit code."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from palace_cli import diagnostics
from palace_cli.guard import exit_code_of

Run = Callable[..., Any]
LONG = "x" * 100_000


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand in a folder that is gone."""
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (("graph", "me", "--format", "png"), "'png' is not one of 'tree', 'table', 'svg', 'dot', 'json'."),
        (("timeline", "me", "--limit", "0"), "it must be greater than or equal to 1"),
    ],
)
def test_a_value_that_an_option_does_not_take_is_told_for_a_person(
    run: Run, command: tuple[str, ...], told: str
) -> None:
    done = run(*command)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert f"': {told}" in done.stderr


@pytest.mark.parametrize("command", [("export",), ("db", "backup"), ("db", "restore"), ("import",), ("mine",)])
@pytest.mark.parametrize("path", ["x" * 300, "a/" * 3000, LONG])
def test_a_path_that_is_too_long_is_one_line(run: Run, command: tuple[str, ...], path: str) -> None:
    done = run(*command, path)
    assert (done.exit_code in (1, 2), done.stdout, done.stderr.count("\n")) == (True, "", 1)
    assert "File name too long" in done.stderr or "no such file" in done.stderr
    assert len(done.stderr) < 5000


@pytest.mark.parametrize("command", [("export",), ("db", "backup")])
def test_a_link_that_leads_in_a_circle_is_not_written_to(run: Run, command: tuple[str, ...], tmp_path: Path) -> None:
    circle = tmp_path / "circle"
    circle.symlink_to("circle")
    done = run(*command, str(circle))
    assert done.exit_code == 2
    assert done.stderr == f"palace: {circle} cannot be written: it is a link that leads in a circle\n"
    assert circle.is_symlink()


@pytest.mark.usefixtures("nowhere")
@pytest.mark.parametrize("command", [("export", "new"), ("db", "backup", "new")])
def test_what_would_be_written_to_a_folder_that_is_gone_is_one_line(run: Run, command: tuple[str, ...]) -> None:
    done = run(*command)
    assert done.exit_code == 2
    assert done.stderr == "palace: new cannot be written: No such file or directory\n"


@pytest.mark.usefixtures("nowhere")
def test_a_library_that_asks_for_a_folder_that_is_gone_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code_of(Path.cwd) == 1
    assert capsys.readouterr().err == "palace: the folder that this runs in is gone: change to another one\n"


@pytest.mark.parametrize(
    "pattern", ["(" * 5000 + ")" * 5000, "a{99999999999999999999}", "(", "a{2,1}", "x" * 100_000 + "("]
)
def test_a_pattern_that_is_none_is_one_line(run: Run, pattern: str) -> None:
    done = run("mine", "chat.json", "--exclude", pattern)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert re.match(r"palace: --exclude '.* regular expression", done.stderr)


def test_a_pattern_that_python_will_read_otherwise_one_day_is_said_nothing_of(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "note.md"
    file.write_text("The wire overheated.")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        done = run("mine", str(file), "--exclude", "[[a]")
    assert (done.exit_code, done.stderr) == (0, "")


@pytest.mark.parametrize("model", ["", " ", "a\udcffb"])
def test_a_model_that_is_no_name_is_one_line_and_no_switch_begins(run: Run, model: str) -> None:
    done = run("embeddings", "switch", model, "--dimension", "5")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("palace: model must be a name, not '")
    assert run("status").stderr == ""


@pytest.mark.parametrize("words", [[LONG], ["ls", LONG], ["recall", "x", "--wing", LONG]])
def test_what_repeats_an_endless_value_leaves_its_middle_out(run: Run, words: list[str]) -> None:
    done = run(*words)
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert " … " in done.stderr
    assert len(done.stderr) < 5000


def test_the_longest_path_and_what_is_wrong_with_it_are_written_whole(capsys: pytest.CaptureFixture[str]) -> None:
    message = f"/{'x' * 4094}: is not UTF-8 but looks like Windows-1252: try --encoding cp1252"
    diagnostics.error(message)
    diagnostics.warn([message])
    assert capsys.readouterr().err == f"palace: {message}\npalace: warning: {message}\n"
