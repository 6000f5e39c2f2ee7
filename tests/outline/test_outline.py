"""The palace in outline: pages of places, where something stands, and that it changed."""

from __future__ import annotations

import pytest

from palace import Palace
from palace.errors import BadRequest, NotFound
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


def test_wings_come_page_by_page_and_are_counted_apart(palace: Palace) -> None:
    for day, wing in enumerate(("Boats", "Bees", "Bread"), start=1):
        talk(palace, f"talk {wing}", day, wing=wing)
    talk(palace, "another", 9)
    first = palace.outline.wings(limit=2)
    rest = palace.outline.wings(after=first[-1].number, limit=2)
    assert [wing.name for wing in (*first, *rest)] == ["Boats", "Bees", "Bread"]
    held = palace.outline.wings_hold([wing.id for wing in first])
    assert [(held[wing.id].rooms, held[wing.id].drawers) for wing in first] == [(2, 6), (1, 3)]
    boats = held[first[0].id]
    assert boats.first is not None
    assert boats.last is not None
    assert (boats.first.day, boats.last.day) == (1, 9)


def test_rooms_come_latest_first_and_what_nobody_dated_last(palace: Palace) -> None:
    for day in (3, 5, 4):
        talk(palace, f"day {day}", day)
    undated = [{"role": "user", "content": "nobody knows when this was said"}]
    palace.file(undated, id="undated", title="undated", wing="Boats")
    wing = palace.outline.wings()[0]
    rooms = palace.outline.rooms(wing.id)
    assert [room.name for room in rooms] == ["day 5", "day 4", "day 3", "undated"]
    assert [room.drawer_count for room in rooms] == [3, 3, 3, 1]
    assert palace.outline.rooms(wing.id, limit=2) == rooms[:2]


def test_drawers_come_in_order_behind_a_mark_with_their_beginnings_alone(palace: Palace) -> None:
    talk(palace, "long", 1, 7)
    palace.file([{"role": "user", "content": "x" * 5000}], id="huge", title="huge", wing="Sheds")
    room = palace.tree.room("W-001/R-01")
    first = palace.outline.drawers(room.id, limit=4)
    rest = palace.outline.drawers(room.id, behind=first[-1].mark, limit=4)
    assert [line.pointer.drawer for line in (*first, *rest)] == [1, 2, 3, 4, 5, 6, 7]
    huge = palace.outline.drawers(palace.tree.room("W-002/R-01").id)[0]
    assert huge.begins == "x" * 200


def test_closets_hold_their_drawers_and_what_is_in_none_has_a_line_of_its_own(palace: Palace) -> None:
    talk(palace, "long", 1, 7)
    room = palace.tree.room("W-001/R-01")
    closets = palace.outline.closets(room.id)
    assert sum(closet.drawers for closet in closets) == 7
    for closet in closets:
        assert len(palace.outline.drawers(room.id, closet_id=closet.id)) == closet.drawers
    execute(palace, "UPDATE drawer SET closet_id = NULL WHERE user_id = :user_id")
    assert [(closet.id, closet.name, closet.drawers) for closet in palace.outline.closets(room.id)] == [(None, None, 7)]
    assert len(palace.outline.drawers(room.id, closet_id=None)) == 7


def test_what_was_said_around_a_drawer_comes_in_order(palace: Palace) -> None:
    talk(palace, "long", 1, 7)
    middle = palace.show("W-001/R-01/D-004").drawer
    before, after = palace.outline.around(middle.id, count=2)
    assert [line.pointer.drawer for line in before] == [2, 3]
    assert [line.pointer.drawer for line in after] == [5, 6]
    assert palace.outline.around(987_654, count=2) == ((), ())


def test_a_place_is_found_by_its_pointer_and_by_a_former_one(palace: Palace) -> None:
    talk(palace, "talk", 1)
    talk(palace, "other", 2, wing="Bees")
    palace.tree.move("W-001/R-01", "Bees")
    found = palace.outline.find("§ W-001/R-01/D-002")
    assert found.wing.name == "Bees"
    assert found.drawer is not None
    assert found.drawer.pointer.drawer == 2
    assert palace.outline.find("W-002").room is None
    assert palace.outline.find("W-002/R-01").drawer is None
    assert palace.outline.find(palace.tree.wing("W-002").name) == palace.outline.find("W-002")


def test_what_is_not_there_is_not_found_and_what_is_no_pointer_is_refused(palace: Palace) -> None:
    talk(palace, "talk", 1)
    for pointer in ("W-009", "W-001/R-09", "W-001/R-01/D-099"):
        with pytest.raises(NotFound, match="there is no"):
            palace.outline.find(pointer)
    for refused in (lambda: palace.outline.find("the boat"), lambda: palace.outline.wings(limit=0)):
        with pytest.raises(BadRequest):
            refused()


def test_a_change_is_another_after_whatever_changes(palace: Palace) -> None:
    seen = [palace.outline.change()]
    assert palace.outline.change() == seen[0]
    for change in (
        lambda: talk(palace, "talk", 1),
        lambda: talk(palace, "talk", 1, 4),
        lambda: palace.tree.rename("W-001", "Ships"),
        lambda: palace.forget("W-001/R-01/D-001"),
        lambda: palace.forgotten.restore("W-001/R-01/D-001"),
    ):
        change()
        seen.append(palace.outline.change())
    assert len(set(seen)) == 6
