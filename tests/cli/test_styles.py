"""Colours are named in one place, each with what it means."""

from __future__ import annotations

import re

from palace_cli.terminal import styles
from tests.architecture.sizes import ROOT

LITERAL = re.compile(r'style="|header_style="|, "(?:bold|dim|cyan|italic|green|yellow|red)"')
DRAWINGS = {"dot.py", "svg.py"}
"""They draw pictures, whose styles are others."""


def test_every_style_says_what_it_means() -> None:
    named = {value for name, value in vars(styles).items() if name.isupper() and isinstance(value, str)} - {""}
    assert named <= set(styles.MEANINGS) | {"bold cyan"}


def test_no_style_is_written_anywhere_else() -> None:
    files = [path for path in (ROOT / "cli").rglob("*.py") if path.name not in DRAWINGS | {"styles.py"}]
    assert [path.name for path in files if LITERAL.search(path.read_text(encoding="utf-8"))] == []
