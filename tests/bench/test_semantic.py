"""HNSW against the exact scan."""

from __future__ import annotations

import pytest

from bench.scale.semantic import recall_at
from palace.records import PassageKey


def passages(*ordinals: int) -> list[PassageKey]:
    """Passages of one drawer."""
    return [PassageKey(1, ordinal) for ordinal in ordinals]


@pytest.mark.parametrize(
    ("limit", "found", "expected"),
    [
        (4, passages(1, 2, 3, 4), 1.0),
        (4, passages(4, 3, 2, 1), 1.0),
        (4, passages(1, 2, 9, 8), 0.5),
        (4, passages(1), 0.25),
        (2, passages(9, 1, 2), 0.5),
        (9, passages(1, 2, 3, 4), 1.0),
    ],
    ids=["all", "in another order", "half", "too few", "too late", "fewer there are not"],
)
def test_recall_is_the_share_of_the_nearest_that_was_found(
    limit: int, found: list[PassageKey], expected: float
) -> None:
    assert recall_at(limit, found, passages(1, 2, 3, 4)) == expected


def test_nothing_is_missing_where_there_is_nothing() -> None:
    assert recall_at(20, [], []) == 1.0
