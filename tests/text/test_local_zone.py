"""This computer's time zone."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace.intake.zone import LocalZone


@pytest.fixture(scope="module", autouse=True)
def _berlin() -> object:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "Europe/Berlin")
        time.tzset()
        yield
    time.tzset()


@given(st.datetimes(datetime(1971, 1, 1), datetime(2037, 1, 1)))  # noqa: DTZ001
def test_it_knows_summer_times(moment: datetime) -> None:
    zone, known = LocalZone(), ZoneInfo("Europe/Berlin")
    assert moment.replace(tzinfo=zone).utcoffset() == moment.replace(tzinfo=known).utcoffset()
    instant = moment.replace(tzinfo=UTC)
    assert instant.astimezone(zone).replace(tzinfo=None) == instant.astimezone(known).replace(tzinfo=None)


@pytest.mark.parametrize("moment", [datetime.min, datetime.max])  # noqa: DTZ901
def test_at_the_ends_of_the_calendar_it_does_not_fail(moment: datetime) -> None:
    assert moment.replace(tzinfo=LocalZone()).utcoffset() is not None
