"""Places that one was at, and how a strip is drawn."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from palace.records import Calendar, CalendarSlot, CalendarUnit
from palace_cli.tui.seeking.history import History, Visited
from palace_cli.tui.seeking.strip import BARS, axis_of, bars_of

START = datetime(2026, 5, 4, tzinfo=UTC)


def calendar(*counts: int) -> Calendar:
    day = timedelta(days=1)
    return Calendar(
        CalendarUnit.DAY,
        tuple(CalendarSlot(START + n * day, START + (n + 1) * day, count) for n, count in enumerate(counts)),
    )


def test_one_comes_back_from_a_jump_and_goes_there_again_and_a_jump_forgets_what_was_ahead() -> None:
    history, hit, there = History(), Visited("seek", "a"), Visited("tree", "a")
    assert history.back(hit) is None
    history.jump(hit, there)
    assert history.back(Visited("tree", "c")) == hit  # one walked on meanwhile
    assert history.back(hit) is None
    assert history.forward(hit) == Visited("tree", "c")
    history.back(there)
    history.jump(Visited("seek", "b"), Visited("tree", "b"))
    assert history.forward(Visited("tree", "b")) is None
    assert history.back(Visited("tree", "b")) == Visited("seek", "b")


@given(st.lists(st.integers(0, 1_000_000), min_size=1, max_size=120), st.integers(1, 120))
def test_a_bar_a_slot_that_shows_whatever_was_said(counts: list[int], width: int) -> None:
    drawn = calendar(*counts)
    bars = bars_of(drawn.slots)
    assert [bar == BARS[0] for bar in bars] == [not count for count in counts]
    assert not any(counts) or bars[counts.index(max(counts))] == BARS[-1]
    assert len(axis_of(drawn, width)) <= width
