"""``docs/cli.md`` is what the commands say, ``docs/api.md`` what the library's docstrings do."""

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
    assert (ROOT / reference.API).read_text(encoding="utf-8") == reference.facade_page()


@pytest.mark.usefixtures("_in_a_copy")
def test_a_written_page_passes_the_check_and_an_old_or_missing_one_fails_it() -> None:
    assert (_run(), _run("--check")) == (0, 0)
    reference.PAGE.write_text("old")
    assert _run("--check") == 1
    reference.PAGE.unlink()
    assert _run("--check") == 1
    assert not reference.PAGE.exists()
