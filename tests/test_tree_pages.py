"""The tree page by page, as an application in a terminal lists it, and that it changed."""

from __future__ import annotations

import pytest

from palace import BadRequest, Palace
from tests.held import execute

SAID = "2026-05-{:02d}T10:{:02d}:00Z"


def talk(palace: Palace, name: str, day: int, count: int = 3, *, wing: str = "Boats") -> None:
    messages = [
        {
            "role": "user",
            "content": f"{name}, message {at}: the hull of number {at} wants paint.",
            "timestamp": SAID.format(day, at),
        }
        for at in range(count)
    ]
    palace.file(messages, id=name, title=name, wing=wing)


def test_wings_come_behind_a_number_and_are_counted_where_that_is_wanted(palace: Palace) -> None:
    for day, wing in enumerate(("Boats", "Bees", "Bread"), start=1):
        talk(palace, f"talk {wing}", day, wing=wing)
    talk(palace, "another", 9)
    first = palace.tree.wings(limit=2, counted=False)
    rest = palace.tree.wings(after=first[-1].number, limit=2, counted=False)
    assert [wing.name for wing in (*first, *rest)] == ["Boats", "Bees", "Bread"]
    assert [(wing.room_count, wing.drawer_count, wing.latest_at) for wing in first] == [(0, 0, None)] * 2
    counted = palace.tree.wings(ids=[wing.id for wing in first])
    assert [(wing.room_count, wing.drawer_count) for wing in counted] == [(2, 6), (1, 3)]
    assert counted[0].latest_at is not None
    assert counted[0].latest_at.day == 9
    with pytest.raises(BadRequest):
        palace.tree.wings(limit=0)


def test_rooms_come_latest_first_and_what_nobody_dated_last(palace: Palace) -> None:
    for day in (3, 5, 4):
        talk(palace, f"day {day}", day)
    undated = [{"role": "user", "content": "nobody knows when this was said"}]
    palace.file(undated, id="undated", title="undated", wing="Boats")
    wing = palace.tree.wings()[0]
    rooms = palace.tree.latest_rooms(wing.id)
    assert [room.name for room in rooms] == ["day 5", "day 4", "day 3", "undated"]
    assert [room.drawer_count for room in rooms] == [3, 3, 3, 1]
    assert palace.tree.latest_rooms(wing.id, limit=2) == rooms[:2]
    assert palace.tree.latest_rooms(wing.id, behind=rooms[1]) == rooms[2:]


def test_drawers_come_in_order_behind_one_of_them_of_a_closet_or_of_none(palace: Palace) -> None:
    talk(palace, "long", 1, 7)
    room = palace.tree.room("W-001/R-01")
    first = palace.tree.drawers_behind(room.id, None, limit=4)
    rest = palace.tree.drawers_behind(room.id, (first[-1].position, first[-1].pointer.drawer), limit=4)
    assert [drawer.pointer.drawer for drawer in (*first, *rest)] == [1, 2, 3, 4, 5, 6, 7]
    for closet in palace.tree.closets(room):
        assert len(palace.tree.drawers_behind(room.id, None, closet_id=closet.id)) == closet.drawer_count
        assert closet.first_said_at is not None
    execute(palace, "UPDATE drawer SET closet_id = NULL WHERE user_id = :user_id")
    assert len(palace.tree.drawers_behind(room.id, None, closet_id=0)) == 7


def test_what_was_said_around_a_drawer_comes_in_order(palace: Palace) -> None:
    talk(palace, "long", 1, 7)
    middle = palace.show("W-001/R-01/D-004").drawer
    before, after = palace.tree.around(middle.id, count=2)
    assert [drawer.pointer.drawer for drawer in before] == [2, 3]
    assert [drawer.pointer.drawer for drawer in after] == [5, 6]
    assert palace.tree.around(987_654, count=2) == ((), ())


def test_a_change_is_another_after_whatever_changes(palace: Palace) -> None:
    seen = [palace.tree.change()]
    assert palace.tree.change() == seen[0]
    for change in (
        lambda: talk(palace, "talk", 1),
        lambda: talk(palace, "talk", 1, 4),
        lambda: palace.tree.rename("W-001", "Ships"),
        lambda: palace.forget("W-001/R-01/D-001"),
        lambda: palace.forgotten.restore("W-001/R-01/D-001"),
    ):
        change()
        seen.append(palace.tree.change())
    assert len(set(seen)) == 6
