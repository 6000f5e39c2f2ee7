"""A palace of many users is filled, measured and asked."""

from __future__ import annotations

import uuid
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bench.scale.million import Size, million
from palace.settings import BUNDLED_MODEL, Settings
from palace.testing import HashingEmbedder

MODEL = HashingEmbedder(56)
"""Of a dimension that no other test uses: the index that is built here is of its generation alone."""

SIZE = Size(users=5, largest=150, total=330, sample=7, origins=60, step=100, queries=10)


@pytest.mark.nightly
def test_a_small_palace_of_many_users_is_filled_timed_and_asked(settings: Settings, folder: Path) -> None:
    # Another model than the palace's is refused before anybody looks for it.
    home = settings.model_copy(
        update={"user": f"many-{uuid.uuid4()}", "embedding_model": BUNDLED_MODEL, "home": folder}
    )
    filled = million(home, SIZE, model=MODEL)
    assert (filled["drawers"], filled["users"]) == (330, 5)
    held = [row["held"] for row in filled["filing"]]
    assert held == [7, SIZE.middle - 7, 7, SIZE.middle, 150]
    assert all(row["wal_mb"] > 0 for row in filled["filing"])
    assert filled["hnsw"]["built_mb"] > 0
    assert [row["held"] for row in filled["recall"]] == [150, SIZE.middle]
    assert all(row["hits_each"] > 0 for row in filled["recall"])
    assert [problem for problem in filled["doctor"] if not problem.startswith("model ")] == []


def test_sizes_come_out_even_and_leave_nobody_with_too_little() -> None:
    size = Size()
    assert size.largest + size.middle + size.sample + size.each * size.others == 1_000_000
    assert 3 + size.others == 100
    changes: list[dict[str, Any]] = [{"users": 4}, {"total": 100}, {"sample": 0}, {"sample": 40}, {"largest": 0}]
    for change in changes:
        with pytest.raises(SystemExit, match=r"at least|too few"):
            replace(SIZE, **change)
