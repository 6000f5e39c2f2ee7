"""Values that no command foresaw, found by chance: each is one line and an exit code."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import pytest

from palace_cli import diagnostics
from tests.cli.conftest import Run

LONG = "x" * 100_000
PATTERNS = ("(" * 5000 + ")" * 5000, "a{99999999999999999999}", "(", "a{2,1}", LONG + "(")


def test_a_path_that_is_too_long_is_one_line(run: Run) -> None:
    for command in (("export",), ("db", "restore"), ("mine",)):
        for path in ("x" * 300, "a/" * 3000):
            done = run(*command, path)
            assert (done.exit_code in (1, 2), done.stdout, done.stderr.count("\n")) == (True, "", 1), command
            assert "File name too long" in done.stderr or "no such file" in done.stderr, command
            assert len(done.stderr) < 5000


def test_a_pattern_that_is_none_is_one_line_and_one_that_will_be_read_otherwise_is_none(
    run: Run, tmp_path: Path
) -> None:
    for pattern in PATTERNS:
        done = run("mine", "chat.json", "--exclude", pattern)
        assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1), pattern[:20]
        assert re.match(r"palace: --exclude '.* regular expression", done.stderr)
    (tmp_path / "note.md").write_text("The wire overheated.")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        done = run("mine", str(tmp_path / "note.md"), "--exclude", "[[a]")
    assert (done.exit_code, done.stderr) == (0, "")


def test_what_repeats_an_endless_value_leaves_its_middle_out_and_a_long_path_is_whole(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in ([LONG], ["ls", LONG], ["recall", "x", "--wing", LONG]):
        done = run(*words)
        assert (done.exit_code, done.stderr.count("\n"), " … " in done.stderr) == (2, 1, True)
        assert len(done.stderr) < 5000
    message = f"/{'x' * 4094}: is not UTF-8 but looks like Windows-1252: try --encoding cp1252"
    diagnostics.error(message)
    diagnostics.warn([message])
    assert capsys.readouterr().err == f"palace: {message}\npalace: warning: {message}\n"
