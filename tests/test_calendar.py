"""When things were said: slots that are the finest which are few, and how much stands in each."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace import BadRequest, CalendarUnit, NotFound, Palace
from palace.recall.by_time.slots import cut_into_slots

BERLIN = ZoneInfo("Europe/Berlin")
MOMENTS = st.datetimes(datetime(1, 1, 3), datetime(9999, 12, 29), timezones=st.just(UTC))  # noqa: DTZ001  # naive as hypothesis wants them


def turns(*moments: datetime) -> list[Any]:
    return [{"role": "user", "content": f"Crate {n}", "timestamp": each.isoformat()} for n, each in enumerate(moments)]


@given(MOMENTS, MOMENTS, st.integers(1, 200))
def test_slots_stand_side_by_side_and_are_no_more_than_wanted(one: datetime, other: datetime, most: int) -> None:
    first, last = min(one, other), max(one, other)
    unit, edges = cut_into_slots(first, last, UTC, most=most)
    assert 2 <= len(edges) <= most + 1
    assert all(start < end for start, end in pairwise(edges))
    assert last < edges[-1]
    assert edges[0] <= first or unit is CalendarUnit.YEAR


@given(MOMENTS, st.integers(0, 5000), st.integers(1, 200))
def test_no_finer_unit_would_have_been_few_enough(first: datetime, days: int, most: int) -> None:
    last = min(first + timedelta(days=days), datetime(9999, 12, 29, tzinfo=UTC)) if first.year < 9980 else first
    unit, _ = cut_into_slots(first, last, UTC, most=most)
    if unit is not CalendarUnit.DAY:
        assert (last.date() - first.date()).days + 1 > most


def test_a_day_is_one_of_the_zone_also_when_clocks_change() -> None:
    unit, edges = cut_into_slots(
        datetime(2026, 3, 28, 23, 30, tzinfo=UTC), datetime(2026, 3, 29, 21, tzinfo=UTC), BERLIN, most=9
    )
    assert unit is CalendarUnit.DAY
    assert [edge.isoformat() for edge in edges] == ["2026-03-29T00:00:00+01:00", "2026-03-30T00:00:00+02:00"]


def test_weeks_begin_on_mondays_and_months_on_their_first() -> None:
    first, last = datetime(2026, 1, 7, tzinfo=UTC), datetime(2026, 2, 20, tzinfo=UTC)
    assert {edge.weekday() for edge in cut_into_slots(first, last, UTC, most=10)[1]} == {0}
    assert [edge.date().isoformat() for edge in cut_into_slots(first, last, UTC, most=3)[1]] == [
        "2026-01-01",
        "2026-02-01",
        "2026-03-01",
    ]


def test_what_was_said_is_counted_where_it_was(palace: Palace) -> None:
    palace.file(
        turns(datetime(2026, 4, 1, 9, tzinfo=UTC), datetime(2026, 4, 1, 10, tzinfo=UTC)), id="one", wing="Boats"
    )
    palace.file(turns(datetime(2026, 4, 4, 9, tzinfo=UTC)), id="two", wing="Bees")
    found = palace.tree.calendar(slots=10)
    assert found.unit is CalendarUnit.DAY
    assert [slot.drawers for slot in found.slots] == [2, 0, 0, 1]
    assert [slot.drawers for slot in palace.tree.calendar(wing="boats").slots] == [2, 0, 0, 0]
    assert [slot.drawers for slot in palace.tree.calendar(slots=1).slots] == [3]


def test_a_span_is_cut_more_finely(palace: Palace) -> None:
    palace.file(turns(*(datetime(2026, month, 3, 12, tzinfo=UTC) for month in range(1, 13))), id="year")
    assert palace.tree.calendar(slots=20).unit is CalendarUnit.MONTH
    march = palace.tree.calendar(
        slots=31, since=datetime(2026, 3, 1, tzinfo=UTC), until=datetime(2026, 4, 1, tzinfo=UTC)
    )
    assert march.unit is CalendarUnit.DAY
    assert sum(slot.drawers for slot in march.slots) == 1


def test_an_undated_drawer_counts_as_said_when_its_room_began(palace: Palace) -> None:
    palace.file([{"role": "user", "content": "A crate without a date"}], id="undated")
    palace.file(turns(datetime.now(UTC) - timedelta(days=2)), id="dated")
    assert sum(slot.drawers for slot in palace.tree.calendar().slots) == 2


def test_an_empty_palace_and_an_empty_time_have_no_slots(palace: Palace) -> None:
    assert palace.tree.calendar().slots == ()
    palace.note("A crate")
    assert palace.tree.calendar(until=datetime(1999, 1, 1, tzinfo=UTC)).slots == ()


def test_what_makes_no_sense_is_refused(palace: Palace) -> None:
    with pytest.raises(BadRequest, match="slots must be"):
        palace.tree.calendar(slots=0)
    with pytest.raises(BadRequest, match="since must be earlier"):
        palace.tree.calendar(since=datetime(2026, 2, 1, tzinfo=UTC), until=datetime(2026, 1, 1, tzinfo=UTC))
    with pytest.raises(NotFound):
        palace.tree.calendar(wing="nowhere")
