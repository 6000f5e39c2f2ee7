"""Writers and readers of every kind at once, each a process of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.endurance.mixed import endure_mixed


@pytest.mark.nightly
def test_eight_writers_and_four_readers_lose_nothing_and_are_told_of_no_error(home: Path) -> None:
    strain = endure_mixed(home, seconds=4, seed=3)
    assert (strain.errors, strain.lost, strain.doubled, strain.unsound) == ([], [], [], [])
    assert {"mine", "note", "move", "rebuild", "recall", "show", "tree"} <= set(strain.done)
