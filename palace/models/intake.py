"""What a caller gives the façade, checked before anything is done with it: of the right type, and within bounds."""

from __future__ import annotations

import hashlib
import re
from datetime import UTC, datetime, tzinfo
from enum import StrEnum
from typing import TypeVar

from palace.errors import BadRequest

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


Kind = TypeVar("Kind", bound=StrEnum)
_LANGUAGE = re.compile("[A-Za-z]{2}")
UNHOLDABLE = re.compile("[\\x00\\ud800-\\udfff]")
"""What Postgres cannot hold of a text: NUL and lone surrogates."""


def repair(text: str) -> tuple[str, bool]:
    """Replace what Postgres cannot hold by U+FFFD; tell whether there was any. Lengths stay the same."""
    repaired, count = UNHOLDABLE.subn("\N{REPLACEMENT CHARACTER}", text)
    return repaired, count > 0


def text(name: str, value: object) -> str:
    """Take a text.

    Raises:
        BadRequest: it is anything else.
    """
    if not isinstance(value, str):
        raise BadRequest(f"{name} must be a text, not {_shown(value)}")
    return value


def optional_text(name: str, value: object) -> str | None:
    """Take a text or None."""
    return None if value is None else text(name, value)


def question(name: str, value: object) -> str | None:
    """Take a question or None.

    Raises:
        BadRequest: it is no text, or asks nothing.
    """
    taken = optional_text(name, value)
    if taken is not None and not taken.strip():
        raise BadRequest(f"{name} must be a question, not {_shown(value)}")
    return taken


def name(what: str, value: object) -> str | None:
    """Take a name or None.

    Raises:
        BadRequest: it is no text, or none that could ever have been kept: empty, or with characters no text holds.
    """
    if value is None:
        return None
    taken = " ".join(text(what, value).split())
    if not taken or UNHOLDABLE.search(taken):
        raise BadRequest(f"{what} must be a name, not {_shown(value)}")
    return taken


def choice(what: str, value: object, kinds: type[Kind]) -> Kind:
    """Take one of some kinds, by its name.

    Raises:
        BadRequest: it is anything else.
    """
    try:
        return kinds(str(value))
    except ValueError as problem:
        raise BadRequest(f"{what} must be one of {', '.join(kinds)}, not {_shown(value)}") from problem


def language(what: str, value: object) -> str | None:
    """Take the code of a language (ISO 639-1: "en", "de"), in any case, or None.

    Raises:
        BadRequest: it is anything else.
    """
    taken = optional_text(what, value)
    if taken is None:
        return None
    if not _LANGUAGE.fullmatch(taken.strip()):
        raise BadRequest(f"{what} must be a code of two letters, such as en or de, not {_shown(value)}")
    return taken.strip().lower()


def message(name: str, value: object) -> str:
    """Take a text that a drawer can hold.

    Raises:
        BadRequest: it is no text, empty, or too large.
    """
    content = text(name, value)
    if not content.strip():
        raise BadRequest(f"the {name} is empty")
    if reason := oversize(content):
        raise BadRequest(f"the {name} is too large: {reason}")
    return content


def integer(name: str, value: object) -> int:
    """Take a whole number; what it may be is checked where it is used.

    Raises:
        BadRequest: it is anything else.
    """
    if not isinstance(value, int) or isinstance(value, bool):
        raise BadRequest(f"{name} must be a whole number, not {_shown(value)}")
    return value


def count(name: str, value: object) -> int:
    """Take a whole number of at least 1.

    Raises:
        BadRequest: it is anything else.
    """
    taken = integer(name, value)
    if taken < 1:
        raise BadRequest(f"{name} must be at least 1, not {taken}")
    return taken


def row_count(name: str, value: object) -> int:
    """Take how many rows are wanted at most, from 1 to as many as a table can number.

    Raises:
        BadRequest: it is anything else.
    """
    taken = integer(name, value)
    if not 1 <= taken <= LARGEST_NUMBER:
        raise BadRequest(f"{name} must be from 1 to {LARGEST_NUMBER}, not {taken}")
    return taken


def moment(name: str, value: object, zone: tzinfo) -> datetime | None:
    """Take a moment to compare with, or None; a naive one is meant in ``zone``.

    Any is taken: one that is beyond what can be stored means the same as the last that can.

    Raises:
        BadRequest: it is anything else.
    """
    if value is None:
        return None
    if not isinstance(value, datetime):
        raise BadRequest(f"{name} must be a datetime, not {_shown(value)}")
    return clamped(aware(value, zone))


def stored_moment(name: str, value: object, zone: tzinfo) -> datetime | None:
    """Take a moment that is to be kept, or None; a naive one is meant in ``zone``.

    Raises:
        BadRequest: it is no moment, or on the first or last day of the calendar, which some time zones do not have.
    """
    if isinstance(value, datetime) and not is_storable(aware(value, zone)):
        first, last = EARLIEST.date(), LATEST.date()
        raise BadRequest(f"{name} must be from {first} to {last}, as every time zone has it, not {value.isoformat()}")
    return moment(name, value, zone)


def aware(value: datetime, zone: tzinfo) -> datetime:
    """Take a naive moment as meant in ``zone``; one that does not exist there, in the years 1 and 9999, as in UTC."""
    if value.utcoffset() is not None:
        return value
    try:
        there = value.replace(tzinfo=zone)
        there.astimezone(UTC)
    except (OverflowError, ValueError, OSError):
        return value.replace(tzinfo=UTC)
    return there


def _shown(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 80 else f"{shown[:79]}…"
