"""``docs/cli.md`` is what the commands say, ``docs/api.md`` what the library's docstrings do."""

from __future__ import annotations

from pathlib import Path

from palace_cli import reference

ROOT = Path(__file__).parents[2]


def test_the_page_and_the_schema_in_the_repository_are_up_to_date() -> None:
    assert (ROOT / reference.PAGE).read_text(encoding="utf-8") == reference.page()
    assert (ROOT / reference.SHAPES).read_text(encoding="utf-8") == reference.shapes()
    assert (ROOT / reference.API).read_text(encoding="utf-8") == reference.facade_page()
