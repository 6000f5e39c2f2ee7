"""Exports whose numbers leave no room, and lines that name very much."""

from __future__ import annotations

import dataclasses
import io
from pathlib import Path

import pytest
import sqlalchemy as sa

from palace import Palace
from palace.files.lines import AliasPart, FormerPlace, Line
from palace.files.values import LARGEST
from palace.intake.limits import LARGEST_NUMBER
from palace.transfer.writing import ExportWriter
from tests.transfer.conftest import OPEN, export_of, write_talk
from tests.transfer.test_format import CONVERSATION, DRAWER, HEADER, ROOM, RUN, WING

MANY = 5000


def write(path: Path, wing_seq: int, *lines: Line) -> Path:
    stream = io.BytesIO()
    writer = ExportWriter(stream, dataclasses.replace(HEADER, wing_seq=wing_seq))
    for line in lines:
        writer.write(line)
    writer.finish()
    path.write_bytes(stream.getvalue())
    return path


def contents(palace: Palace) -> set[str]:
    rooms = [room for wing in palace.tree.wings() for room in palace.tree.rooms(wing)]
    return {drawer.content for room in rooms for drawer in palace.tree.drawers(room)}


@pytest.mark.parametrize("last", [LARGEST_NUMBER, LARGEST_NUMBER + 1, LARGEST])
def test_a_palace_with_the_last_numbers_goes_on_and_its_export_is_read(
    last: int, open_palace: OPEN, tmp_path: Path
) -> None:
    wing = dataclasses.replace(
        WING, number=last, room_seq=last, aliases=(AliasPart("ships", "Ships", last - 1), AliasPart("rafts", "R", None))
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


def test_the_last_numbers_that_leave_room_are_taken_over(open_palace: OPEN, tmp_path: Path) -> None:
    last = LARGEST_NUMBER
    wing = dataclasses.replace(WING, number=last, room_seq=last)
    room = dataclasses.replace(ROOM, wing=last, number=last, drawer_seq=last)
    path = write(tmp_path / "a.jsonl", last, RUN, wing, CONVERSATION, room, dataclasses.replace(DRAWER, number=last))
    palace = open_palace()
    palace.transfer.load(path)
    assert export_of(palace) == path.read_bytes()


def test_many_other_names_of_a_wing_take_few_statements(open_palace: OPEN, tmp_path: Path) -> None:
    aliases = tuple(AliasPart(f"alias-{number:05}", f"Alias {number}", number) for number in range(2, MANY + 2))
    wing = dataclasses.replace(WING, aliases=aliases)
    former = tuple(FormerPlace(7, number) for number in range(1, MANY + 1))
    room = dataclasses.replace(ROOM, former=former)
    path = write(tmp_path / "many.jsonl", MANY + 1, RUN, wing, CONVERSATION, room, DRAWER)
    palace = open_palace()
    statements: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        statements.append(statement)

    sa.event.listen(sa.Engine, "before_cursor_execute", note)
    try:
        assert palace.transfer.load(path).drawers_new == 1
    finally:
        sa.event.remove(sa.Engine, "before_cursor_execute", note)
    assert len(statements) < 300
    assert export_of(palace) == path.read_bytes()
    assert palace.tree.wing(f"W-{MANY}").name == palace.tree.wing("alias-00009").name == "Boats"
    assert palace.tree.room("W-007/R-4000").number == 1


def test_an_other_name_that_another_wing_has_is_left_to_it(open_palace: OPEN, tmp_path: Path) -> None:
    palace = open_palace()
    path = write(tmp_path / "a.jsonl", 5, RUN, WING, CONVERSATION, ROOM, DRAWER)
    palace.transfer.load(path)
    palace.note("Mine.", wing="Ships")
    number = palace.tree.wing("Ships").number
    aliases = (AliasPart("ships", "Ships", None), AliasPart("rafts", "Rafts", number))
    wing = dataclasses.replace(WING, aliases=aliases)
    palace.transfer.load(write(tmp_path / "b.jsonl", number, RUN, wing, CONVERSATION, ROOM, DRAWER))
    assert palace.tree.wing("Ships").number == number
    assert palace.tree.wing(f"W-{number}").name == "Ships"
    assert palace.tree.wing("Rafts").name == "Boats"
