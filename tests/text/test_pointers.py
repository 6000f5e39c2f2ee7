"""Reading pointers."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace.errors import BadRequest
from palace.records import Pointer, RoomPointer, WingPointer
from palace.text.pointers import find_wing_number, parse_pointer, parse_room

numbers = st.integers(0, 10**9 - 1)


@given(numbers, numbers, numbers)
def test_a_pointer_reads_back_as_written(wing: int, room: int, drawer: int) -> None:
    pointer = Pointer(wing, room, drawer)
    assert parse_pointer(str(pointer)) == pointer


@pytest.mark.parametrize("text", ["w-1/r-2/d-3", "W1/R2/D3", "§W-001/R-02/D-003 ", " § W-1 / R-2 / D-3"])
def test_sign_case_zeros_and_space_do_not_matter(text: str) -> None:
    assert parse_pointer(text) == Pointer(1, 2, 3)


@pytest.mark.parametrize("text", ["", "W-1", "W-1/R-2", "D-3", "W-1/R-2/D-x", "W-1/R-2/D-3/E-4", "W--1/R-2/D-3"])
def test_another_shape_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(BadRequest, match="§ W-042/R-11/D-007"):
        parse_pointer(text)


@given(numbers, numbers, numbers)
def test_the_parts_of_a_pointer_read_back_as_written(wing: int, room: int, drawer: int) -> None:
    of_room = Pointer(wing, room, drawer).of_room
    assert parse_room(str(of_room)) == of_room == RoomPointer(wing, room)
    assert find_wing_number(str(of_room.of_wing)) == wing


def test_a_pointer_is_written_with_at_least_three_two_and_three_digits() -> None:
    assert str(Pointer(42, 1, 7)) == "§ W-042/R-01/D-007"
    assert [str(WingPointer(1)), str(WingPointer(1234)), str(RoomPointer(1, 234))] == ["W-001", "W-1234", "W-001/R-234"]


def test_rooms_and_wings_are_read_as_parts_of_a_pointer() -> None:
    assert parse_room("W-001/R-02") == (1, 2)
    assert find_wing_number("w-042") == 42
    assert find_wing_number("Efoil rebuild") is None


def test_a_name_of_white_space_is_told_at_once() -> None:
    started = time.process_time()
    assert find_wing_number(" " * 200_000 + "q") is None
    assert time.process_time() - started < 1
