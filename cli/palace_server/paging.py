"""Pages of lists: opaque cursors that say after which item a page begins."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from typing import Annotated

from fastapi import Query

from palace import BadRequest

Limit = Annotated[int, Query(ge=1, le=200, description="The most items of a page.")]
Cursor = Annotated[str | None, Query(max_length=100, description="`next_cursor` of the page before.")]
_HEAD = b"after:"
LARGEST_ID, LARGEST_NUMBER = 2**63 - 1, 2**31 - 1


def cursor_after(*place: int) -> str:
    """Return the cursor of the page after an item, by the numbers that tell its place."""
    return urlsafe_b64encode(_HEAD + "/".join(map(str, place)).encode()).decode().rstrip("=")


def place_before(cursor: str | None, count: int) -> tuple[int, ...] | None:
    """Return the numbers of the item that a page begins after; None for the first page.

    Raises:
        BadRequest: this is no cursor.
    """
    if cursor is None:
        return None
    try:
        written = urlsafe_b64decode(cursor.encode() + b"=" * (-len(cursor) % 4))
        numbers = written.removeprefix(_HEAD).decode("ascii").split("/")
    except (Error, UnicodeError, ValueError):
        numbers = []
    most = LARGEST_ID if count == 1 else LARGEST_NUMBER
    if len(numbers) == count and all(each.isdecimal() and len(each) < 20 for each in numbers):
        place = tuple(map(int, numbers))
        if max(place) <= most and cursor == cursor_after(*place):
            return place
    raise BadRequest("this is no cursor: send next_cursor of the page before as it is")


def item_before(cursor: str | None) -> int | None:
    """Return the id of the item that a page begins after; None for the first page.

    Raises:
        BadRequest: this is no cursor.
    """
    place = place_before(cursor, 1)
    return place[0] if place else None
