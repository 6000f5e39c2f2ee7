"""Walking a palace page by page: wings, their rooms, a room's closets and drawers."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from palace import BadRequest, NotFound, Palace, PalaceContents, Palaces, RoomContents, WingContents
from tests.talks import HOLIDAY, WIRING

DAYS = 5


@pytest.fixture(scope="module")
def walked(palaces: Palaces) -> Palace:
    """A wing of a talk about two topics, one of five notes on five days, and one of a single note; only read."""
    return fill(palaces.palace(f"user-{uuid.uuid4()}"))


def fill(palace: Palace) -> Palace:
    messages = [{"role": "user", "content": content, "timestamp": "2026-05-01T10:00:00Z"} for content in WIRING]
    messages += [{"role": "user", "content": content, "timestamp": "2026-05-02T10:00:00Z"} for content in HOLIDAY]
    palace.file(messages, id="talk", title="Two topics", wing="Talk")
    for day in range(1, DAYS + 1):
        palace.note(f"Note of day {day}.", wing="Notes", said_at=datetime(2026, 1, day, 12, tzinfo=UTC))
    palace.note("Alone.", wing="Another")
    return palace


def wing(palace: Palace, name: str, **page: object) -> WingContents:
    contents = palace.tree.contents(name, **page)  # type: ignore[arg-type]
    assert isinstance(contents, WingContents)
    return contents


def room(palace: Palace, place: str = "W-001/R-01", **page: object) -> RoomContents:
    contents = palace.tree.contents(place, **page)  # type: ignore[arg-type]
    assert isinstance(contents, RoomContents)
    return contents


def test_the_palace_is_paged_through_from_wings_to_drawers(walked: Palace) -> None:
    seen: list[str] = []
    offset: int | None = 0
    while offset is not None:
        page = walked.tree.contents(limit=2, offset=offset)
        assert isinstance(page, PalaceContents)
        assert page.total == 3
        seen += [found.name for found in page.wings]
        offset = page.next_offset
    assert seen == ["Talk", "Notes", "Another"]

    rooms, offset = [], 0
    while offset is not None:
        part = wing(walked, "notes", limit=2, offset=offset)
        assert (part.wing.name, part.total) == ("Notes", DAYS)
        rooms += [found.number for found in part.rooms]
        offset = part.next_offset
    assert rooms == [1, 2, 3, 4, 5]

    said, offset = [], 0
    while offset is not None:
        drawers = room(walked, limit=5, offset=offset)
        assert (drawers.wing.name, drawers.total) == ("Talk", 12)
        said += [drawer.content for drawer in drawers.drawers]
        offset = drawers.next_offset
    assert said == [*WIRING, *HOLIDAY]


def test_a_full_last_page_is_known_to_be_and_one_behind_it_still_knows_how_many_there_are(walked: Palace) -> None:
    assert room(walked, limit=6, offset=6).next_offset is None
    assert wing(walked, "Notes", limit=DAYS).next_offset is None
    assert walked.tree.contents(limit=3).next_offset is None
    for offset in (12, 13, 2**31 - 1):
        page = room(walked, offset=offset)
        assert (page.drawers, page.total, page.next_offset) == ((), 12, None)


def test_times_narrow_rooms_and_drawers_and_their_totals(walked: Palace) -> None:
    second, fourth = datetime(2026, 1, 2, tzinfo=UTC), datetime(2026, 1, 4, tzinfo=UTC)
    page = wing(walked, "Notes", since=second, until=fourth, limit=1)
    assert ([found.number for found in page.rooms], page.total, page.next_offset) == ([2], 2, 1)
    may = datetime(2026, 5, 2, tzinfo=UTC)
    assert [drawer.content for drawer in room(walked, since=may).drawers] == list(HOLIDAY)
    page_of_room = room(walked, until=may, limit=2)
    assert (page_of_room.total, page_of_room.next_offset) == (6, 2)
    (notes,) = (found for found in walked.tree.wings() if found.name == "Notes")
    assert [found.number for found in walked.tree.rooms(notes, since=second, until=fourth)] == [2, 3]


def test_a_closet_is_paged_through_by_itself_and_wings_and_rooms_in_parts(walked: Palace) -> None:
    closets = room(walked).closets
    assert len(closets) > 1
    by_closet = {closet.name: room(walked, closet=closet.name) for closet in closets}
    assert {name: page.total for name, page in by_closet.items()} == {each.name: each.drawer_count for each in closets}
    assert {drawer.closet_name for drawer in by_closet[closets[0].name].drawers} == {closets[0].name}
    record = by_closet[closets[0].name].room
    assert walked.tree.drawers(record, closet=closets[0]) == by_closet[closets[0].name].drawers
    every = walked.tree.wings()
    assert walked.tree.wings(limit=1, offset=1) == every[1:2]
    assert walked.tree.rooms(every[1], limit=2, offset=2) == walked.tree.rooms(every[1])[2:4]


@pytest.mark.nightly
def test_all_drawers_of_a_room_come_in_order_whatever_is_filed_meanwhile(
    palace: Palace, monkeypatch: pytest.MonkeyPatch
) -> None:
    walked = fill(palace)
    monkeypatch.setattr("palace.operations.tree.PAGE", 5)
    drawers = walked.tree.iter_drawers(walked.tree.room("W-001/R-01"))
    first = next(drawers).content
    walked.forget("W-001/R-01/D-001")
    assert [first, *(drawer.content for drawer in drawers)] == [*WIRING, *HOLIDAY]
    # A moved room is found by its old number in the wing it stands in.
    walked.tree.move("W-001/R-01", "Another")
    assert room(walked, "W-001/R-01").wing.name == "Another"


MISTAKES: list[Callable[[Palace], object]] = [
    lambda palace: palace.tree.contents(limit=0),
    lambda palace: palace.tree.contents("Notes", offset=-1),
    lambda palace: palace.tree.contents("Notes", limit=2**31),
    lambda palace: palace.tree.contents(since=datetime(2026, 1, 1, tzinfo=UTC)),
    lambda palace: palace.tree.contents("Notes", closet="Battery"),
    lambda palace: palace.tree.contents(closet="Battery"),
    lambda palace: palace.tree.contents("Notes", since="yesterday"),  # type: ignore[arg-type]
    lambda palace: palace.tree.wings(limit=0),
]


def test_a_wrong_page_is_refused(walked: Palace) -> None:
    for mistake in MISTAKES:
        with pytest.raises(BadRequest):
            mistake(walked)
    for place, message in (("W-001/R-01/D-001", "is a drawer: `palace show"), ("W-001/R-01/C-1", "has a name and no")):
        with pytest.raises(BadRequest, match=message):
            walked.tree.contents(place)


def test_what_is_not_there_is_not_found(walked: Palace) -> None:
    for place, closet in (("Nowhere", None), ("W-009/R-01", None), ("W-001/R-01", "No such topic")):
        with pytest.raises(NotFound):
            walked.tree.contents(place, closet=closet)
