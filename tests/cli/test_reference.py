"""``docs/cli.md`` is what the commands say, ``docs/api.md`` what the library's docstrings do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

import palace as library
from palace import Palace, turns
from palace_cli import reference
from palace_cli.reference.facade import GROUPS, signature

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
def test_a_written_page_passes_the_check() -> None:
    assert (_run(), _run("--check")) == (0, 0)


@pytest.mark.usefixtures("_in_a_copy")
@pytest.mark.parametrize("there", [True, False])
@pytest.mark.parametrize("path", [reference.PAGE, reference.SHAPES, reference.API], ids=str)
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


def test_the_python_reference_has_every_group_of_verbs_of_an_open_palace(palace: Palace) -> None:
    groups = {name: type(value) for name, value in vars(palace).items() if not name.startswith("_")}
    assert {**groups, "turns": type(palace.turns)} == GROUPS


def test_the_python_reference_names_everything_that_a_program_can_import() -> None:
    page = reference.facade_page()
    errors = {name for name in library.__all__ if is_error(getattr(library, name))}
    told = {*re.findall(r"^##+ ([\w.]+)$", page, re.MULTILINE), *re.findall(r"^\| `([\w.]+)` \|", page, re.MULTILINE)}
    assert {*library.__all__, *(f"turns.{name}" for name in turns.__all__)} - told - errors == UNTOLD


def is_error(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, library.PalaceError)


UNTOLD = {"__version__", "OnProgress", "turns.Classifier"}
"""A text, and names of types of functions."""


def test_every_public_method_is_told_with_what_its_docstring_says() -> None:
    page = reference.facade_page()
    assert re.findall(r"^### .+\n\n(?:```\n[^`]+```\n\n)?(?=\n|#|\Z)", page, re.MULTILINE) == []
    assert "### palace.tree.wing\n\n```\nwing(name: str) -> Wing\n```\n" in page
    assert "- NotFound: there is no such user, and `make_user` is False." in page


def test_a_long_call_has_a_parameter_a_line_and_a_short_one_stands_on_one() -> None:
    def short(self: object, *, at_most: int | None = None) -> str: ...  # type: ignore[empty-body]

    assert signature("short", short) == "short(*, at_most: int | None = None) -> str"
    assert signature("a" * 90, short).splitlines()[1:] == ["    *,", "    at_most: int | None = None,", ") -> str"]
