"""When the steps of a session are due."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from palace.turns.session import Due, Pace, Seen, due, has_drifted

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
BOAT = [
    "My sailing boat needs a new mast.",
    "The mast of the boat is twelve metres long.",
    "Which rigging fits a boat with such a mast?",
]
TAXES = [
    "My tax return for last year is late.",
    "Which receipts does the tax office want?",
    "Can I deduct the office chair from my taxes?",
]


def test_a_session_that_rests_is_over() -> None:
    assert due(Seen(NOW - timedelta(minutes=15), 1), NOW) is Due.IDLE
    assert due(Seen(NOW - timedelta(minutes=14), 1), NOW) is None
    assert due(Seen(NOW - timedelta(days=9), 0), NOW) is None
    assert due(Seen(NOW - timedelta(days=9), 1), NOW, Pace(idle=None)) is None


def test_so_many_turns_are_enough() -> None:
    assert due(Seen(NOW, 20), NOW) is Due.TURNS
    assert due(Seen(NOW, 19), NOW) is None
    assert due(Seen(NOW, 100), NOW, Pace(turns=None)) is None


def test_another_topic_is_told_once() -> None:
    assert due(Seen(NOW, 3, [*BOAT, *TAXES]), NOW) is Due.DRIFT
    assert due(Seen(NOW, 1, [*BOAT, *TAXES]), NOW) is None
    assert due(Seen(NOW, 3, [*BOAT, *TAXES]), NOW, Pace(drift=False)) is None


def test_the_same_topic_is_no_drift_nor_is_small_talk() -> None:
    assert not has_drifted([*BOAT, *BOAT])
    assert not has_drifted([*BOAT, "Thanks!", "Great.", "Bye"])
    assert not has_drifted(TAXES)
    assert not has_drifted([])


def test_a_clock_that_jumps_back_ends_nothing() -> None:
    assert due(Seen(NOW + timedelta(days=400), 1), NOW) is None


@given(st.lists(st.text(max_size=60), max_size=12))
def test_anything_said_is_judged(said: list[str]) -> None:
    assert has_drifted(said) in (True, False)
    assert not has_drifted([*said[-3:], *said[-3:]]) or len(said) < 3
