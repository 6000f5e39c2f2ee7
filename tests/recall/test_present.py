"""Which of several drawers stands in front when they say the same kind of thing."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace.recall.intent import read_intent
from palace.recall.ranking.fuse import Fused
from palace.recall.ranking.present import Present, asked_of, latest_first
from palace.records import Compared, PassageKey

NOW = datetime(2026, 9, 1, 12, tzinfo=UTC)


def fused(number: int, *, day: int, similarity: float = 0.6, coverage: float = 0.8, is_person: bool = True) -> Fused:
    """A drawer said so many days after the first of January, worth less the higher its number."""
    compared = Compared(
        passage=PassageKey(number, 0),
        room_id=number,
        turn=(number, 0),
        is_person=is_person,
        said_at=datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=day),
        speaks_of_it=False,
        similarity=similarity,
        preference=None,
        keyword=1.0,
        phrase=0.0,
        coverage=coverage,
    )
    return Fused(compared, 1 - number / 100)


def alike(*pairs: tuple[int, int], likeness: float = 0.8) -> dict[frozenset[int], float]:
    return {frozenset(pair): likeness for pair in pairs}


def order(ranked: list[Fused]) -> list[int]:
    return [each.drawer.passage.drawer_id for each in ranked]


def test_the_newest_of_what_is_alike_stands_first_and_the_others_say_so() -> None:
    ranked = [fused(1, day=10), fused(2, day=1), fused(3, day=90), fused(4, day=50)]
    placed = latest_first(ranked, alike((1, 3), (1, 4), (3, 4)), Present())
    assert order(placed) == [3, 4, 1, 2]
    assert placed[0].score == ranked[0].score
    newer = [each.newer and each.newer.passage.drawer_id for each in placed]
    assert newer == [None, 3, 3, None]


@pytest.mark.parametrize(
    "newer",
    [
        fused(2, day=90, similarity=0.3),
        fused(2, day=90, coverage=0.4),
        fused(2, day=90, coverage=0.6),
        fused(2, day=10),
    ],
    ids=["far from the query", "without its words", "with fewer of them", "said at the same time"],
)
def test_what_says_less_of_the_query_renews_nothing(newer: Fused) -> None:
    placed = latest_first([fused(1, day=10), newer], alike((1, 2)), Present())
    assert order(placed) == [1, 2]
    assert [each.newer for each in placed] == [None, None]


def test_what_is_hardly_alike_is_something_else() -> None:
    assert order(latest_first([fused(1, day=10), fused(2, day=90)], alike((1, 2), likeness=0.6), Present())) == [1, 2]


@pytest.mark.parametrize(
    ("query", "drawers"),
    [
        ("When is my dentist appointment?", [1, 3]),
        ("When was my dentist appointment?", []),
        ("When did I see the dentist?", []),
        ("What was my first appointment at the dentist?", []),
        ("What is my dentist appointment in May?", []),
    ],
)
def test_only_the_present_is_brought_forward(query: str, drawers: list[int]) -> None:
    ranked = [fused(1, day=10), fused(2, day=20, is_person=False), fused(3, day=30)]
    assert asked_of(ranked, read_intent(query, NOW), Present()) == drawers
    assert asked_of(ranked, read_intent("my dentist", NOW), Present(drawers=0)) == []


@given(
    st.lists(st.tuples(st.integers(0, 50), st.floats(0, 1), st.floats(0, 1)), max_size=12),
    st.dictionaries(st.frozensets(st.integers(0, 11), min_size=2, max_size=2), st.floats(0.4, 1), max_size=30),
)
def test_nothing_is_lost_and_no_score_rises_above_the_one_in_front(
    said: list[tuple[int, float, float]], pairs: dict[frozenset[int], float]
) -> None:
    ranked = [fused(n, day=day, similarity=near, coverage=held) for n, (day, near, held) in enumerate(said)]
    placed = latest_first(ranked, pairs, Present())
    assert sorted(order(placed)) == sorted(order(ranked))
    assert all(one.score >= other.score for one, other in pairwise(placed))
