"""What a query asks for beside its words, and how moments fit the times it speaks of."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace.models import Span
from palace.nlp.time import TimeWindow
from palace.recall.intent import Intent, read_intent
from palace.recall.signals import fit, held, recency

NOW = datetime(2026, 6, 14, 12, tzinfo=UTC)
moments = st.integers(-4000, 4000).map(lambda hours: NOW + timedelta(hours=hours))


def test_a_query_asks_back_for_what_was_answered() -> None:
    back = [
        "what did you suggest for the kitchen?",
        "Remind me what you said about tyres",
        "which book had you recommended?",
        "your list of exercises",
        "in our last conversation, which paint was it?",
        "the hotel we talked about",
    ]
    others = ["what did I buy?", "where does Ana live?", "the list of exercises", "can you recommend a hotel?"]
    assert [query for query in (*back, *others) if read_intent(query, NOW).asks_back] == back


def test_a_query_asks_for_a_time_the_present_and_advice() -> None:
    asked = read_intent("what did I plant last month?", NOW)
    assert [(window.start.day, window.start.month) for window in asked.windows] == [(1, 5)]
    assert read_intent("where do I work now?", NOW).asks_current
    plain = read_intent("the colour of the boat", NOW)
    assert plain == Intent(NOW)


def window(days: int, *, length: int = 1, soft: int = 1) -> TimeWindow:
    start = NOW - timedelta(days=days)
    return TimeWindow(start, start + timedelta(days=length), Span(0, 1), timedelta(days=soft))


@given(moments, st.integers(0, 100), st.integers(1, 60), st.integers(0, 30))
def test_a_fit_is_a_share_and_whole_inside_the_window(moment: datetime, days: int, length: int, soft: int) -> None:
    asked = window(days, length=length, soft=soft)
    assert 0 <= fit(moment, [asked]) <= 1
    assert (fit(moment, [asked]) == 1) == (asked.start <= moment <= asked.end)


def test_no_window_fits_nothing_and_the_best_of_several_counts() -> None:
    assert fit(NOW, []) == 0
    assert held(NOW, [], 365) == 0
    assert fit(NOW - timedelta(days=10), [window(300), window(10)]) == 1


@given(moments)
def test_recency_is_a_share_and_falls_with_age(moment: datetime) -> None:
    assert 0 < recency(moment, NOW, 30) <= 1
    assert recency(moment - timedelta(days=1), NOW, 30) <= recency(moment, NOW, 30)
    assert recency(NOW + timedelta(days=5), NOW, 30) == 1


def test_a_state_holds_on_into_a_time_of_weeks() -> None:
    spring = TimeWindow(NOW - timedelta(days=90), NOW - timedelta(days=60), Span(0, 1), timedelta(days=3))
    day = TimeWindow(NOW - timedelta(days=61), NOW - timedelta(days=60), Span(0, 1), timedelta(days=3))
    year, longer = (held(NOW - timedelta(days=90 + before), [spring], 365) for before in (365, 700))
    assert year == pytest.approx(math.exp(-1))
    assert longer < year
    assert held(NOW - timedelta(days=80), [spring], 365) == 0
    assert held(NOW, [spring], 365) == 0
    assert held(NOW - timedelta(days=365), [day], 365) == 0
