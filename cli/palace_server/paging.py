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


def cursor_after(item_id: int) -> str:
    """Return the cursor of the page after an item."""
    return urlsafe_b64encode(_HEAD + str(item_id).encode()).decode().rstrip("=")


def item_before(cursor: str | None) -> int | None:
    """Return the id of the item that a page begins after; None for the first page.

    Raises:
        BadRequest: this is no cursor.
    """
    if cursor is None:
        return None
    try:
        written = urlsafe_b64decode(cursor.encode() + b"=" * (-len(cursor) % 4))
        number = written.removeprefix(_HEAD).decode("ascii")
    except (Error, UnicodeError, ValueError):
        number = ""
    if not (number.isdecimal() and len(number) <= 18 and cursor == cursor_after(int(number))):
        raise BadRequest("this is no cursor: send next_cursor of the page before as it is")
    return int(number)
