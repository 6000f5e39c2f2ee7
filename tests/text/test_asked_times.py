"""Times told in German mean what they mean in English."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace.text.asked.times import find_times_asked
from palace.text.times import Tense, find_times

NOW = datetime(2026, 9, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("german", "english"),
    [
        ("gestern", "yesterday"),
        ("vorgestern", "the day before yesterday"),
        ("gestern Abend", "yesterday evening"),
        ("letzte Woche", "last week"),
        ("im vergangenen Monat", "last month"),
        ("nächstes Jahr", "next year"),
        ("dieses Wochenende", "this weekend"),
        ("am Wochenende", "this weekend"),
        ("vor drei Wochen", "three weeks ago"),
        ("vor einem Jahr", "a year ago"),
        ("vor ein paar Tagen", "a few days ago"),
        ("vor 10 Monaten", "10 months ago"),
        ("in den letzten zwei Wochen", "in the last two weeks"),
        ("in den letzten Tagen", "in the last few days"),
        ("seit Montag", "since Monday"),
        ("seit letzter Woche", "since last week"),
        ("bis gestern", "until yesterday"),
        ("seit 2020", "since 2020"),
        ("letzten Freitag", "last Friday"),
        ("im Sommer", "in the summer"),
        ("letzten Sommer", "last summer"),
        ("im März 2025", "in March 2025"),
        ("am 3. Mai 2025", "on 3 May 2025"),
        ("an Weihnachten", "at Christmas"),
    ],
)
def test_a_time_in_german_is_that_time(german: str, english: str) -> None:
    (window,) = find_times_asked(f"Was war {german} los?", NOW, tense=Tense.PAST)
    (meant,) = find_times(f"What was {english}?", NOW)
    assert (window.start, window.end, window.softness) == (meant.start, meant.end, meant.softness)
    assert f"Was war {german} los?"[window.span.start : window.span.end] == german


@pytest.mark.parametrize("text", ["Der Sommer war lang.", "Guten Morgen!", "Mein Montag", "vor dem Haus", "Am I late?"])
def test_what_is_no_time_is_none(text: str) -> None:
    assert find_times_asked(text, NOW, tense=Tense.PAST) == ()


def test_english_stays_as_it_is() -> None:
    for query in ("Where was I on 3 May?", "What happened last week, in the war?", "since Monday"):
        assert find_times_asked(query, NOW, tense=Tense.PAST) == find_times(query, NOW)


@given(st.text(alphabet="vor letzten drei Woche 3. Mai seit 2020 İß", max_size=60))
def test_windows_are_in_order_and_apart(text: str) -> None:
    windows = find_times_asked(text, NOW, tense=Tense.PAST)
    assert all(one.span.end <= other.span.start for one, other in pairwise(windows))
    assert all(window.start < window.end for window in windows)
