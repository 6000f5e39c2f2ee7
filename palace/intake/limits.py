"""What a palace can hold: the limits that are checked wherever data enters. Pure."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime

LARGEST_MESSAGE = 64 << 20
"""Bytes of one message in UTF-8. Filing one takes some ten times as much memory."""

MOST_VECTORS = 200
"""Passages of one message that get vectors at most, seconds of the bundled model's work; words find all of them."""

SURELY_MORE = 400_000
"""Characters of which a message surely has more passages than that."""

LONGEST_ID = 2000
"""Bytes of an id that is kept as it is: a row of an index holds 2,700."""

SHOWN_OF_ID = 200
"""Characters that are kept of a longer one, before its digest."""

LONGEST_NAME = 1000
"""Characters of a name in an export; mining cuts at 120."""

LARGEST_NUMBER = 1_000_000_000
"""The last number of a wing, a room or a drawer that an import takes over, so that there is room to count on."""

EARLIEST = datetime(1, 1, 2, tzinfo=UTC)
LATEST = datetime(9999, 12, 30, tzinfo=UTC)
"""Between these two, a moment has a year from 1 to 9999 in every time zone."""


def bounded_id(text: str) -> str:
    """Return an id as it can be indexed: itself, or the beginning of a long one with a digest of the whole."""
    raw = text.encode("utf-8", "surrogatepass")
    if len(raw) <= LONGEST_ID:
        return text
    return f"{text[:SHOWN_OF_ID]}~{hashlib.blake2b(raw, digest_size=16).hexdigest()}"


def message_bytes(content: str) -> int:
    """Count the bytes of a message in UTF-8; lone surrogates count as what replaces them."""
    return len(content.encode("utf-8", "surrogatepass"))


def oversize(content: str) -> str | None:
    """Say what is wrong with a message that is too large, as the rest of a sentence; None where it fits."""
    if len(content) * 4 <= LARGEST_MESSAGE:
        return None
    size = message_bytes(content)
    if size <= LARGEST_MESSAGE:
        return None
    return f"the message has {size:,} bytes, more than the {LARGEST_MESSAGE:,} that one can have"


def is_storable(moment: datetime) -> bool:
    """Check whether an aware moment keeps a year from 1 to 9999 in whatever zone it is shown."""
    try:
        return EARLIEST <= moment <= LATEST
    except OverflowError:
        return False


def clamped(moment: datetime) -> datetime:
    """Bring an aware moment between the earliest and the latest one that can be stored."""
    return moment if is_storable(moment) else EARLIEST if moment.year < 5000 else LATEST
