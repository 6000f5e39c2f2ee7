"""What is asked by the name of a conversation, a closet or a wing is found there."""

from __future__ import annotations

import uuid

import pytest

from palace import Palace, Palaces, PlaceKind, Strategy

TALKS = {
    "Boat electrics": ["The fuse behind the panel is blown again.", "I measured twelve volts at the pump."],
    "Lisbon in spring": ["We take the flat with the roof terrace.", "The red line goes there from the airport."],
    "Loft conversion": ["It is two metres thirty at the highest point.", "The stairs would eat half the landing."],
    "Weekly shopping": ["The market has better tomatoes.", "We need rice and a new sponge."],
}


@pytest.fixture
def talks(bundled: Palaces) -> Palace:
    palace = bundled.palace(f"user-{uuid.uuid4()}")
    for title, said in TALKS.items():
        palace.file([{"role": "user", "content": text} for text in said], id=title, title=title, wing="Diary")
    return palace


def test_a_query_that_is_a_title_gives_what_was_said_there_also_by_its_new_name(talks: Palace) -> None:
    for title in ("Boat electrics", "Weekly shopping"):
        found = talks.recall(title.lower()).hits
        assert found[0].drawer.room_name == title
        assert found[0].named == (PlaceKind.ROOM,)
        assert "named" in {arm.arm for arm in found[0].arms}
    room = next(hit.drawer.pointer.of_room for hit in talks.recall("boat electrics").hits)
    talks.tree.rename(str(room), "Harbour wiring quirks")
    assert talks.recall("wiring quirks").hits[0].drawer.room_name == "Harbour wiring quirks"
    assert all(PlaceKind.ROOM not in hit.named for hit in talks.recall("boat electrics").hits)


def test_what_a_drawer_says_itself_is_not_counted_again_and_names_are_nobodys_but_the_users(
    talks: Palace, bundled: Palaces
) -> None:
    own = "Our boat electrics need a fuse."
    talks.file([{"role": "user", "content": own}], id="b", title="Boat electrics", wing="B")
    first = talks.recall("boat electrics").hits[0]
    assert (first.drawer.content, first.named) == (own, ())
    other = bundled.palace(f"user-{uuid.uuid4()}")
    rained = [{"role": "user", "content": "It rained all day."}]
    other.file(rained, id="r", title="Rain", wing="Diary")
    assert all(hit.named == () for hit in other.recall("boat electrics", floor="none").hits)
    # Words that many names hold tell nothing; others' names do not count.
    few = Strategy.of({"named": {"names": 1}})
    other.file(rained, id="s", title="Loft conversion", wing="Diary")
    found = talks.recall("loft conversion", strategy=few).hits
    assert {hit.drawer.room_name for hit in found if hit.named} == {"Loft conversion"}
