"""``docs/cli.md`` is what the commands say."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from palace_cli import reference

ROOT = Path(__file__).parents[2]


@pytest.fixture
def _in_a_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "docs").mkdir()
    monkeypatch.chdir(tmp_path)


def _run(*arguments: str) -> int:
    app = typer.Typer(rich_markup_mode=None)
    app.command()(reference.main)
    return CliRunner().invoke(app, arguments).exit_code


def test_the_page_and_the_schema_in_the_repository_are_up_to_date() -> None:
    assert (ROOT / reference.PAGE).read_text(encoding="utf-8") == reference.page()
    assert (ROOT / reference.SHAPES).read_text(encoding="utf-8") == reference.shapes()


@pytest.mark.usefixtures("_in_a_copy")
def test_a_written_page_passes_the_check() -> None:
    assert (_run(), _run("--check")) == (0, 0)


@pytest.mark.usefixtures("_in_a_copy")
@pytest.mark.parametrize("there", [True, False])
@pytest.mark.parametrize("path", [reference.PAGE, reference.SHAPES], ids=str)
def test_an_old_or_missing_file_fails_the_check(path: Path, there: bool) -> None:
    assert _run() == 0
    path.unlink()
    if there:
        path.write_text("old")
    assert _run("--check") == 1
    assert path.exists() == there


def test_the_page_explains_every_exit_code_and_option() -> None:
    page = reference.page()
    assert "| 130 | Interrupted by Ctrl-C; 143 where it was terminated" in page
    assert "The best first, or as they were said. Default: relevance. |" in page
    assert "```sh\npalace ls\n" in page
