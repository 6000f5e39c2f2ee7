"""How a palace grew is counted by month, in the person's time zone."""

from __future__ import annotations

import uuid
from datetime import UTC, date, datetime

import pytest

from palace import Month, Palace
from palace.settings import Settings
from palace.testing import HashingEmbedder


def opened_in(zone: str, settings: Settings) -> Palace:
    """Open the palace of somebody who lives in a zone."""
    told = settings.model_dump(exclude_unset=True) | {"timezone": zone}
    return Palace.open(Settings(**told), user=f"user-{uuid.uuid4()}", embedder=HashingEmbedder())


def test_drawers_are_counted_by_the_month_in_which_they_were_said(palace: Palace) -> None:
    for day in ((2025, 5, 1), (2025, 5, 31), (2026, 1, 2)):
        palace.note(f"Said on {day}.", said_at=datetime(*day, 12, tzinfo=UTC))
    assert palace.tree.months() == (Month(date(2025, 5, 1), 2), Month(date(2026, 1, 1), 1))


def test_an_empty_palace_has_no_months(palace: Palace) -> None:
    assert palace.tree.months() == ()


def test_what_has_no_time_is_in_no_month(palace: Palace) -> None:
    palace.file([{"role": "user", "content": "Nobody knows when."}], id="undated")
    assert palace.tree.months() == ()
    assert palace.status().drawers == 1


@pytest.mark.parametrize(
    ("zone", "month"), [("Asia/Tokyo", date(2026, 2, 1)), ("UTC", date(2026, 1, 1)), ("America/Lima", date(2026, 1, 1))]
)
def test_months_are_those_of_the_persons_zone(settings: Settings, zone: str, month: date) -> None:
    with opened_in(zone, settings) as palace:
        palace.note("At the turn of the month.", said_at=datetime(2026, 1, 31, 23, 30, tzinfo=UTC))
        assert palace.tree.months() == (Month(month, 1),)


@pytest.mark.parametrize("zone", ["Asia/Tokyo", "America/Lima"])
def test_the_ends_of_the_calendar_are_months_too(settings: Settings, zone: str) -> None:
    with opened_in(zone, settings) as palace:
        for year, said in ((1, datetime(1, 1, 3, tzinfo=UTC)), (9999, datetime(9999, 12, 29, tzinfo=UTC))):
            palace.note(f"In the year {year}.", said_at=said)
        assert [(each.begins, each.drawers) for each in palace.tree.months()] == [
            (date(1, 1, 1), 1),
            (date(9999, 12, 1), 1),
        ]
