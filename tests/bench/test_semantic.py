"""HNSW against the exact scan."""

from __future__ import annotations

from bench.scale.semantic import recall_at
from palace.records import PassageKey


def passages(*ordinals: int) -> list[PassageKey]:
    """Passages of one drawer."""
    return [PassageKey(1, ordinal) for ordinal in ordinals]


def test_recall_is_the_share_of_the_nearest_that_was_found() -> None:
    there = passages(1, 2, 3, 4)
    assert recall_at(4, passages(4, 3, 2, 1), there) == 1.0
    assert recall_at(4, passages(1, 2, 9, 8), there) == 0.5
    assert recall_at(4, passages(1), there) == 0.25
    assert recall_at(2, passages(9, 1, 2), there) == 0.5
    assert recall_at(9, there, there) == 1.0  # fewer than were asked for
    assert recall_at(20, [], []) == 1.0
