"""Times in the notations exports use."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace.mining.readers.times.formats import Clock, TimeFault, read_time

NOW = datetime(2026, 6, 1, tzinfo=UTC)
MOMENT = datetime(2024, 5, 1, 8, 0, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    "value",
    [
        "2024-05-01T08:00:01Z",
        "2024-05-01T08:00:01.000000Z",
        "2024-05-01T10:00:01+02:00",
        "2024-05-01 08:00:01",
        1714550401,
        1714550401.0,
        1714550401000,
        1714550401000000,
        1714550401000000000,
        "1714550401",
        "1714550401.000000",
        MOMENT,
    ],
)
def test_every_notation_gives_the_same_moment_in_utc(value: object) -> None:
    moment = read_time(value, NOW)
    assert moment == MOMENT
    assert isinstance(moment, datetime)
    assert moment.tzinfo is UTC


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        (None, TimeFault.MISSING),
        ("", TimeFault.MISSING),
        (0, TimeFault.PLACEHOLDER),
        (86400, TimeFault.PLACEHOLDER),
        ("1970-01-01T00:00:00Z", TimeFault.PLACEHOLDER),
        ("0001-01-01", TimeFault.PLACEHOLDER),
        (-5, TimeFault.PLACEHOLDER),
        (NOW + timedelta(days=2), TimeFault.FUTURE),
        (4e9, TimeFault.FUTURE),
        ("soon", TimeFault.UNREADABLE),
        (True, TimeFault.UNREADABLE),
        ({}, TimeFault.UNREADABLE),
        (float("inf"), TimeFault.UNREADABLE),
        (10**30, TimeFault.UNREADABLE),
        ("0001-01-01T00:00:00+23:00", TimeFault.UNREADABLE),
    ],
)
def test_what_cannot_be_believed_says_why(value: object, fault: TimeFault) -> None:
    assert read_time(value, NOW) is fault


def test_a_time_up_to_a_day_ahead_is_believed() -> None:
    assert read_time(NOW + timedelta(hours=23), NOW) == NOW + timedelta(hours=23)


@given(st.integers(2 * 86400, int(NOW.timestamp())))
def test_a_count_of_seconds_or_milliseconds_is_told_by_its_size(seconds: int) -> None:
    moment = datetime.fromtimestamp(seconds, UTC)
    assert read_time(seconds, NOW) == moment
    if seconds > 10**8:
        assert read_time(seconds * 1000, NOW) == moment


def test_a_missing_time_is_told_only_where_one_was_to_be_expected() -> None:
    undated, mixed = Clock(NOW), Clock(NOW)
    undated.read(None)
    mixed.read(None)
    mixed.read(MOMENT)
    assert undated.warnings(dated=False) == []
    assert undated.warnings(dated=True) == mixed.warnings(dated=False) == ["1 message without a time"]
