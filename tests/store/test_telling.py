"""What was said in a time: a sample that is even over it, the same one every time."""

from __future__ import annotations

import uuid
from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest

from palace import Palace, Palaces, Role, Scope
from palace.db.standing import SaidThen, Sample, Stretches, telling_drawers

BEGUN = datetime(2026, 3, 1, tzinfo=UTC)
DAYS = 12
ANYWHERE = Scope()
EVER = (datetime(2020, 1, 1, tzinfo=UTC), datetime(2030, 1, 1, tzinfo=UTC))


@pytest.fixture(scope="module")
def filled(palaces: Palaces) -> Palace:
    """Sixty drawers of one evening, two of each of the days behind it."""
    moments = [BEGUN + timedelta(minutes=n) for n in range(60)]
    moments += [BEGUN + timedelta(days=day, hours=hour) for day in range(1, DAYS) for hour in (0, 1)]
    turns = [
        {"role": "user", "content": f"Parcel {n} was weighed.", "timestamp": moment.isoformat()}
        for n, moment in enumerate(moments)
    ]
    palace = palaces.palace(f"user-{uuid.uuid4()}")
    palace.file(turns, id="parcels")
    return palace


def look(
    palace: Palace, sample: Sample, said: tuple[datetime, datetime] = EVER, scope: Scope = ANYWHERE
) -> list[SaidThen]:
    with palace._opened.session() as session:
        return telling_drawers(session, Stretches([said], [said], EVER), scope=scope, sample=sample)


def test_of_little_everything_is_looked_at(filled: Palace) -> None:
    found = look(filled, Sample())
    assert len(found) == len({each.key for each in found}) == 60 + 2 * (DAYS - 1)
    assert all(each.role is Role.USER and each.rarity > 0 and each.words >= 2 and each.is_dated for each in found)


def test_of_much_no_part_of_the_time_is_left_out(filled: Palace) -> None:
    sample = Sample(slices=DAYS, each=4, sampled=1)
    found = look(filled, sample)
    days = Counter(each.moment.date() for each in found)
    assert len(days) == DAYS
    assert days[BEGUN.date()] < 30
    assert [days[(BEGUN + timedelta(days=day)).date()] for day in range(1, DAYS)] == [2] * (DAYS - 1)
    assert {each.key for each in look(filled, sample)} == {each.key for each in found}


def test_of_very_much_only_some_is_looked_at(filled: Palace) -> None:
    found = look(filled, Sample(many=20))
    assert len(found) < 40


def test_a_time_ends_before_its_end(filled: Palace) -> None:
    found = look(filled, Sample(), (BEGUN, BEGUN + timedelta(minutes=7)))
    assert sorted(each.turn[1] for each in found) == list(range(7))


def test_the_scope_is_looked_at_first(filled: Palace) -> None:
    since = BEGUN + timedelta(days=DAYS - 1)
    assert len(look(filled, Sample(), scope=Scope(since=since))) == 2
    assert look(filled, Sample(), scope=Scope(role=Role.ASSISTANT)) == []
    assert look(filled, Sample(), scope=Scope(wing_ids=(-1,))) == []
    assert look(filled, Sample(), scope=Scope(speaker="Ines")) == []


def test_what_speaks_of_the_time_is_found_elsewhere(palace: Palace) -> None:
    said = {"role": "user", "content": "Next week we fly to Porto.", "timestamp": BEGUN.isoformat()}
    palace.file([said], id="flight")
    week = (BEGUN + timedelta(days=3), BEGUN + timedelta(days=5))
    (found,) = look(palace, Sample(), week)
    assert found.speaks_of_it
