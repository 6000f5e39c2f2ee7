"""Homes whose servers are ended in every way."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from palace.administration import Administration
from palace.settings import Settings


@pytest.fixture
def home(folder: Path) -> Iterator[Path]:
    """A home of the test's own; its server is stopped at the end."""
    yield folder
    Administration(Settings(home=folder, server_idle_minutes=0)).stop()
