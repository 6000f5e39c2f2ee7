"""Parse AAAK pointers as people and models write them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from palace.errors import BadRequest
from palace.models import Pointer, RoomPointer


def _written(letters: str) -> re.Pattern[str]:
    # Possessive: on a text of white space alone, plain quantifiers would backtrack over every way to share it out.
    numbers = r"\s*+/\s*+".join(rf"{letter}-?(\d{{1,9}})" for letter in letters)
    return re.compile(rf"\s*+(?:§\s*+)?{numbers}\s*+", re.IGNORECASE)


_WING, _ROOM, _DRAWER, _CLOSET = map(_written, ("W", "WR", "WRD", "WRC"))


def parse_pointer(text: str) -> Pointer:
    """Parse a drawer's pointer, ``§ W-042/R-11/D-007``; the sign is optional, leading zeros and case do not matter.

    Raises:
        BadRequest: the text is not such a pointer.
    """
    return Pointer(*_read(_DRAWER, text, "no pointer: one looks like § W-042/R-11/D-007"))


def parse_room(text: str) -> RoomPointer:
    """Parse a room's pointer, ``W-042/R-11``.

    Raises:
        BadRequest: the text is not such a pointer.
    """
    return RoomPointer(*_read(_ROOM, text, "no room: one looks like W-042/R-11"))


def is_closet(text: str) -> bool:
    """Check whether a text has the form of a closet's pointer, ``W-042/R-11/C-003``; closets have names, no numbers."""
    return _CLOSET.fullmatch(text) is not None


def is_pointer(text: str) -> bool:
    """Check whether a text has the form of a drawer's pointer."""
    return _DRAWER.fullmatch(text) is not None


def is_room(text: str) -> bool:
    """Check whether a text has the form of a room's pointer."""
    return _ROOM.fullmatch(text) is not None


def has_shape(text: str) -> bool:
    """Check whether a text has the form of any pointer, also of a wing's or closet's, so that it is no valid name."""
    return any(shape.fullmatch(text) for shape in (_WING, _ROOM, _DRAWER, _CLOSET))


def find_wing_number(text: str) -> int | None:
    """Return the number of a wing's pointer, ``W-042``; None where the text is a name."""
    match = _WING.fullmatch(text)
    return int(match[1]) if match else None


def _read(written: re.Pattern[str], text: str, otherwise: str) -> Iterator[int]:
    match = written.fullmatch(text)
    if match is None:
        raise BadRequest(f"{text!r} is {otherwise}")
    return map(int, match.groups())
