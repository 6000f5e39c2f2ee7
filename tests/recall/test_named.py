"""What is asked by the name of a conversation, a closet or a wing is found there."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import pytest

from palace import Palace, PlaceKind, Strategy
from palace.settings import Settings

TALKS = {
    "Boat electrics": ["The fuse behind the panel is blown again.", "I measured twelve volts at the pump."],
    "Lisbon in spring": ["We take the flat with the roof terrace.", "The red line goes there from the airport."],
    "Loft conversion": ["It is two metres thirty at the highest point.", "The stairs would eat half the landing."],
    "Weekly shopping": ["The market has better tomatoes.", "We need rice and a new sponge."],
}


@pytest.fixture
def palace(settings: Settings) -> Iterator[Palace]:
    with Palace.open(settings, user=f"user-{uuid.uuid4()}") as opened:
        for title, said in TALKS.items():
            opened.file([{"role": "user", "content": text} for text in said], id=title, title=title, wing="Diary")
        yield opened


def rooms(palace: Palace, query: str, strategy: Strategy | None = None) -> list[str]:
    return [hit.drawer.room_name for hit in palace.recall(query, strategy=strategy).hits]


def test_a_query_that_is_a_title_gives_what_was_said_there(palace: Palace) -> None:
    for title in ("Boat electrics", "Weekly shopping"):
        found = palace.recall(title.lower()).hits
        assert found[0].drawer.room_name == title
        assert found[0].named == (PlaceKind.ROOM,)
        assert "named" in {arm.arm for arm in found[0].arms}


def test_a_rename_is_followed(palace: Palace) -> None:
    room = next(hit.drawer.pointer.of_room for hit in palace.recall("boat electrics").hits)
    palace.tree.rename(str(room), "Harbour wiring quirks")
    assert rooms(palace, "wiring quirks")[0] == "Harbour wiring quirks"
    assert all(PlaceKind.ROOM not in hit.named for hit in palace.recall("boat electrics").hits)


def test_what_a_drawer_says_itself_is_not_counted_again(palace: Palace) -> None:
    palace.file(
        [{"role": "user", "content": "Our boat electrics need a fuse."}], id="b", title="Boat electrics", wing="B"
    )
    said = next(hit for hit in palace.recall("boat electrics").hits if "Our boat" in hit.drawer.content)
    assert said.named == ()
    assert palace.recall("boat electrics").hits[0] == said


def test_names_are_nobodys_but_the_users(settings: Settings, palace: Palace) -> None:
    with Palace.open(settings, user=f"user-{uuid.uuid4()}") as other:
        other.file([{"role": "user", "content": "It rained all day."}], id="r", title="Rain", wing="Diary")
        assert all(hit.named == () for hit in other.recall("boat electrics", floor="none").hits)
    assert rooms(palace, "boat electrics")[0] == "Boat electrics"
