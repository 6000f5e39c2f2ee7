"""When things were said: slots that are the finest which are few, and how much stands in each."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest

from palace import BadRequest, Calendar, CalendarUnit, NotFound, Palace, Settings
from palace.testing import HashingEmbedder


def turns(*moments: datetime) -> list[Any]:
    return [{"role": "user", "content": f"Crate {n}", "timestamp": each.isoformat()} for n, each in enumerate(moments)]


@pytest.fixture
def berlin(settings: Settings) -> Iterator[Palace]:
    """A palace of somebody in Berlin, with a crate on each end of the night in which clocks go forward."""
    here = Settings(**{**settings.model_dump(exclude_unset=True), "timezone": "Europe/Berlin"})
    with Palace.open(here, user=f"user-{uuid.uuid4()}", embedder=HashingEmbedder()) as palace:
        yield palace


def edges(calendar: Calendar) -> list[str]:
    return [slot.start.isoformat() for slot in calendar.slots]


def test_slots_are_days_weeks_or_months_of_the_persons_zone_the_finest_that_are_few_enough(berlin: Palace) -> None:
    night = datetime(2026, 3, 28, 23, 30, tzinfo=UTC), datetime(2026, 3, 29, 22, 30, tzinfo=UTC)
    berlin.file(turns(*night), id="clocks")
    days = berlin.tree.calendar(slots=9)
    assert (days.unit, edges(days)) == (CalendarUnit.DAY, ["2026-03-29T00:00:00+01:00", "2026-03-30T00:00:00+02:00"])
    berlin.file(turns(datetime(2026, 1, 7, tzinfo=UTC)), id="winter")
    weeks, months = berlin.tree.calendar(slots=15), berlin.tree.calendar(slots=3)
    assert (weeks.unit, months.unit) == (CalendarUnit.WEEK, CalendarUnit.MONTH)
    assert {slot.start.weekday() for slot in weeks.slots} == {0}
    assert [edge[:10] for edge in edges(months)] == ["2026-01-01", "2026-02-01", "2026-03-01"]
    for calendar in (days, weeks, months):
        assert all(one.end == other.start for one, other in pairwise(calendar.slots))
        assert sum(slot.drawers for slot in calendar.slots) == (2 if calendar is days else 3)


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
    assert palace.tree.calendar().slots == ()
    palace.file([{"role": "user", "content": "A crate without a date"}], id="undated")
    palace.file(turns(datetime.now(UTC) - timedelta(days=2)), id="dated")
    assert sum(slot.drawers for slot in palace.tree.calendar().slots) == 2
    assert palace.tree.calendar(until=datetime(1999, 1, 1, tzinfo=UTC)).slots == ()


def test_what_makes_no_sense_is_refused(palace: Palace) -> None:
    with pytest.raises(BadRequest, match="slots must be"):
        palace.tree.calendar(slots=0)
    with pytest.raises(BadRequest, match="since must be earlier"):
        palace.tree.calendar(since=datetime(2026, 2, 1, tzinfo=UTC), until=datetime(2026, 1, 1, tzinfo=UTC))
    with pytest.raises(NotFound):
        palace.tree.calendar(wing="nowhere")
