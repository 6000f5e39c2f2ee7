"""Fixtures of the adapters' tests, a plug-in of pytest in a framework's own environment: the palaces of a server."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from palace import Palace, Palaces


@pytest.fixture(scope="session")
def palaces() -> Iterator[Palaces]:
    """The palaces of the server that the environment names."""
    with Palaces.open() as opened:
        yield opened


@pytest.fixture
def run_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Run the program below a heading of the page about frameworks."""
    page = (Path(__file__).parents[2] / "docs" / "frameworks.md").read_text(encoding="utf-8")
    programs = dict(re.findall(r"^## (.*?)\n.*?^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE))
    monkeypatch.chdir(tmp_path)

    def run(heading: str) -> None:
        exec(compile(programs[heading], heading, "exec"), {})

    return run


@pytest.fixture
def palace(palaces: Palaces) -> Palace:
    """The palace of a user of the test's own."""
    return palaces.palace(f"user-{uuid.uuid4().hex}")
