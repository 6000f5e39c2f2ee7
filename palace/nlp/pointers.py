"""AAAK pointers as people and models write them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from palace.errors import BadRequest
from palace.models import Pointer, RoomPointer


def _written(letters: str) -> re.Pattern[str]:
    # Possessive: a name of white space alone would be gone through for each way to share it out.
    numbers = r"\s*+/\s*+".join(rf"{letter}-?(\d{{1,9}})" for letter in letters)
    return re.compile(rf"\s*+(?:§\s*+)?{numbers}\s*+", re.IGNORECASE)


_WING, _ROOM, _DRAWER, _CLOSET = map(_written, ("W", "WR", "WRD", "WRC"))


def parse_pointer(text: str) -> Pointer:
    """Read a drawer's pointer, ``§ W-042/R-11/D-007``; the sign, leading zeros and case do not matter.

    Raises:
        BadRequest: it has another shape.
    """
    return Pointer(*_read(_DRAWER, text, "no pointer: one looks like § W-042/R-11/D-007"))


def parse_room(text: str) -> RoomPointer:
    """Read a room's part of a pointer, ``W-042/R-11``.

    Raises:
        BadRequest: it has another shape.
    """
    return RoomPointer(*_read(_ROOM, text, "no room: one looks like W-042/R-11"))


def is_closet(text: str) -> bool:
    """Tell whether a text is written as a pointer to a closet, ``W-042/R-11/C-003``: closets have names, no numbers."""
    return _CLOSET.fullmatch(text) is not None


def is_pointer(text: str) -> bool:
    """Tell whether a text has the shape of a drawer's pointer."""
    return _DRAWER.fullmatch(text) is not None


def is_room(text: str) -> bool:
    """Tell whether a text has the shape of a room's part of a pointer."""
    return _ROOM.fullmatch(text) is not None


def has_shape(text: str) -> bool:
    """Tell whether a text is written as any part of a pointer is, so that no name can be: it would mean a number."""
    return any(shape.fullmatch(text) for shape in (_WING, _ROOM, _DRAWER, _CLOSET))


def find_wing_number(text: str) -> int | None:
    """Read a wing's part of a pointer, ``W-042``; None where the text is a name."""
    match = _WING.fullmatch(text)
    return int(match[1]) if match else None


def _read(written: re.Pattern[str], text: str, otherwise: str) -> Iterator[int]:
    match = written.fullmatch(text)
    if match is None:
        raise BadRequest(f"{text!r} is {otherwise}")
    return map(int, match.groups())
