"""Writers and readers of every kind at once, each a process of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.endurance.mixed import endure_mixed
from palace.administration import Administration
from palace.settings import Settings


@pytest.fixture
def home(folder: Path) -> Iterator[Path]:
    """A home of the test's own; its server is stopped at the end."""
    yield folder
    Administration(Settings(home=folder, server_idle_minutes=0)).stop()


def test_eight_writers_and_four_readers_lose_nothing_and_are_told_of_no_error(home: Path) -> None:
    strain = endure_mixed(home, seconds=4, seed=3)
    assert (strain.errors, strain.lost, strain.doubled, strain.unsound) == ([], [], [], [])
    assert {"mine", "note", "move", "rebuild", "recall", "show", "tree"} <= set(strain.done)
