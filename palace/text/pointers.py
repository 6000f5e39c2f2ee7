"""AAAK pointers as people and models write them."""

from __future__ import annotations

import re

from palace.errors import BadRequest
from palace.records import Pointer

_WING = re.compile(r"\s*§?\s*W-?(\d{1,9})\s*", re.IGNORECASE)
_ROOM = re.compile(r"\s*§?\s*W-?(\d{1,9})\s*/\s*R-?(\d{1,9})\s*", re.IGNORECASE)
_DRAWER = re.compile(r"\s*§?\s*W-?(\d{1,9})\s*/\s*R-?(\d{1,9})\s*/\s*D-?(\d{1,9})\s*", re.IGNORECASE)
_CLOSET = re.compile(r"\s*§?\s*W-?\d{1,9}\s*/\s*R-?\d{1,9}\s*/\s*C-?\d{1,9}\s*", re.IGNORECASE)


def parse_pointer(text: str) -> Pointer:
    """Read a drawer's pointer, ``§ W-042/R-11/D-007``; the sign, leading zeros and case do not matter.

    Raises:
        BadRequest: it has another shape.
    """
    match = _DRAWER.fullmatch(text)
    if match is None:
        raise BadRequest(f"{text!r} is no pointer: one looks like § W-042/R-11/D-007")
    return Pointer(*(int(number) for number in match.groups()))


def parse_room(text: str) -> tuple[int, int]:
    """Read a room's part of a pointer, ``W-042/R-11``: the wing's number and the room's.

    Raises:
        BadRequest: it has another shape.
    """
    match = _ROOM.fullmatch(text)
    if match is None:
        raise BadRequest(f"{text!r} is no room: one looks like W-042/R-11")
    return int(match[1]), int(match[2])


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
