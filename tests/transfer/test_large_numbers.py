"""Exports whose numbers leave no room, and lines that name very much."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from palace import Palace
from palace.records import LARGEST_NUMBER
from tests.transfer.conftest import OPEN, export_of, write_talk
from tests.transfer.test_format import (
    CONVERSATION,
    DRAWER,
    HEADER,
    LARGEST,
    ROOM,
    RUN,
    WING,
    AliasPart,
    FormerPlace,
    Line,
    file_of,
)


def write(path: Path, wing_seq: int, *lines: Line) -> Path:
    path.write_bytes(file_of(*lines, header=dataclasses.replace(HEADER, wing_seq=wing_seq)))
    return path


def contents(palace: Palace) -> set[str]:
    rooms = [room for wing in palace.tree.wings() for room in palace.tree.rooms(wing)]
    return {drawer.content for room in rooms for drawer in palace.tree.drawers(room)}


@pytest.mark.parametrize(
    "last", [LARGEST, *(pytest.param(n, marks=pytest.mark.nightly) for n in (LARGEST_NUMBER, LARGEST_NUMBER + 1))]
)
def test_a_palace_with_the_last_numbers_goes_on_and_its_export_is_read(
    last: int, open_palace: OPEN, tmp_path: Path
) -> None:
    wing = dataclasses.replace(
        WING,
        number=last,
        room_seq=last,
        aliases=(
            AliasPart("ships", "Ships", last - 1),
            AliasPart("rafts", "R", None),
        ),
    )
    room = dataclasses.replace(ROOM, wing=last, number=last, drawer_seq=last, former=(FormerPlace(last, last - 1),))
    drawer = dataclasses.replace(DRAWER, number=last)
    other = dataclasses.replace(DRAWER, number=last - 1, identity=b"\x03" * 16, position=1, content="A 12 V one.")
    path = write(tmp_path / "last.jsonl", last, RUN, wing, CONVERSATION, room, drawer, other)
    first, second = open_palace(), open_palace()
    assert first.transfer.load(path).drawers_new == 2
    first.mine(write_talk(tmp_path / "a.json", "Into the wing."), wing="Rafts")
    first.mine(write_talk(tmp_path / "b.json", "Into another."), wing="Others")
    first.note("A note.", wing="Boats")
    again = tmp_path / "again.jsonl"
    again.write_bytes(export_of(first))
    assert second.transfer.load(again).drawers_new == 5
    assert contents(first) == contents(second) == {*("Which battery?", "A 12 V one."), *ADDED}
    assert first.transfer.load(again).drawers_unchanged == 5


ADDED = ("Into the wing.", "Into another.", "A note.")


def test_an_other_name_that_another_wing_has_is_left_to_it(open_palace: OPEN, tmp_path: Path) -> None:
    palace = open_palace()
    path = write(tmp_path / "a.jsonl", 5, RUN, WING, CONVERSATION, ROOM, DRAWER)
    palace.transfer.load(path)
    palace.note("Mine.", wing="Ships")
    number = palace.tree.wing("Ships").number
    aliases = (
        AliasPart("ships", "Ships", None),
        AliasPart("rafts", "Rafts", number),
    )
    wing = dataclasses.replace(WING, aliases=aliases)
    palace.transfer.load(write(tmp_path / "b.jsonl", number, RUN, wing, CONVERSATION, ROOM, DRAWER))
    assert palace.tree.wing("Ships").number == number
    assert palace.tree.wing(f"W-{number}").name == "Ships"
    assert palace.tree.wing("Rafts").name == "Boats"
