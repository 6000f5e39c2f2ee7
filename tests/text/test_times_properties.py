"""What holds of times in any text and at any moment."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from palace.text.times import Tense, find_times, tense_of, time_focus

ZONES = [ZoneInfo(name) for name in ("UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Pacific/Apia")]
NOWS = st.datetimes(
    min_value=datetime(1950, 1, 1),  # noqa: DTZ001
    max_value=datetime(2100, 1, 1),  # noqa: DTZ001
    timezones=st.sampled_from(ZONES),
)
_PIECES = """
in on at since until up prior coming between and from to the a of last this next past early late mid-  end
beginning every for ago earlier two 3 couple few half weeks days months year years hours quarter decade weekend
tonight morning Monday friday Sat March may May 5 5th 31st 2021 1999 3/5 30/2/2023 2023-02-30 12.12.2012 90s Q2 summer
yesterday fall christmas easter first week noon 5pm 12:30 – - , . it 999 İ ’s
"""
TEXTS = st.lists(st.sampled_from(_PIECES.split()), max_size=14).map(" ".join)
RELATIVE = [
    "yesterday", "last Friday", "on Tuesday", "this week", "last weekend", "three weeks ago", "a few days ago",
    "the past ten days", "last night", "two hours ago", "next Monday", "since last Thursday", "from Monday to Friday",
]  # fmt: skip


@given(text=TEXTS, now=NOWS, tense=st.sampled_from(Tense))
@example(text="in 999 decades", now=datetime(2000, 1, 1, tzinfo=UTC), tense=Tense.FUTURE)
def test_windows_begin_before_they_end_and_spans_do_not_overlap(text: str, now: datetime, tense: Tense) -> None:
    windows = find_times(text, now, tense=tense)
    for window in windows:
        assert window.start.timestamp() < window.end.timestamp()
        assert window.start.tzinfo is window.end.tzinfo is now.tzinfo
        assert window.softness >= timedelta(0)
        assert 0 <= window.span.start < window.span.end <= len(text)
        assert text[window.span.start : window.span.end].strip()
    assert all(one.span.end <= other.span.start for one, other in pairwise(windows))


@given(text=st.text(), now=NOWS)
def test_any_text_can_be_read(text: str, now: datetime) -> None:
    find_times(text, now)
    time_focus(text)
    tense_of(text)


@given(
    text=st.sampled_from(RELATIVE),
    now=st.datetimes(
        min_value=datetime(1950, 1, 1),  # noqa: DTZ001
        max_value=datetime(2100, 1, 1),  # noqa: DTZ001
        timezones=st.just(UTC),
    ),
    weeks=st.integers(-200, 200),
)
def test_whole_weeks_later_relative_times_are_whole_weeks_later(text: str, now: datetime, weeks: int) -> None:
    later = timedelta(weeks=weeks)
    (before,), (after,) = find_times(text, now), find_times(text, now + later)
    assert (after.start - before.start, after.end - before.end) == (later, later)


@given(text=TEXTS, now=NOWS)
def test_a_line_may_end_within_an_expression(text: str, now: datetime) -> None:
    assert find_times(text.replace(" ", "\n"), now) == find_times(text, now)


@pytest.mark.parametrize(
    "piece", ["may ", "in march, ", "5-", "a half a half ", "1 year and ", "\n", "from monday to "]
)
def test_a_long_text_is_read_to_its_end(piece: str) -> None:
    text = piece * (100_000 // len(piece)) + ". We met on 5 March 2023."
    (*_, last) = find_times(text, datetime(2024, 5, 12, tzinfo=UTC))
    assert last.start == datetime(2023, 3, 5, tzinfo=UTC)
