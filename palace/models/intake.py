"""Validate the arguments of the façade: their types and bounds."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from datetime import UTC, datetime, tzinfo
from enum import StrEnum
from typing import TypeVar

from palace.errors import BadRequest

LARGEST_MESSAGE = 64 << 20
"""Bytes of one message in UTF-8. Filing one takes some ten times as much memory."""

MOST_VECTORS = 200
"""Passages of one message that get vectors at most, seconds of the bundled model's work; keywords index all of them."""

SURELY_MORE = 400_000
"""Characters of a text that surely has more passages than that."""

LONGEST_ID = 2000
"""Bytes of an id that is stored unchanged: an index row holds 2,700."""

SHOWN_OF_ID = 200
"""Characters of a longer id that are kept before its digest."""

LONGEST_NAME = 1000
"""Characters of a name in an export; mining cuts at 120."""

LARGEST_NUMBER = 1_000_000_000
"""The largest number of a wing, a room or a drawer that an import accepts, which leaves room for further ones."""

EARLIEST = datetime(1, 1, 2, tzinfo=UTC)
LATEST = datetime(9999, 12, 30, tzinfo=UTC)
"""Times between these two have a year from 1 to 9999 in every time zone."""


def bounded_id(text: str) -> str:
    """Return an id that fits an index: unchanged, or the beginning of a long one with a digest of the whole."""
    raw = text.encode("utf-8", "surrogatepass")
    if len(raw) <= LONGEST_ID:
        return text
    return f"{text[:SHOWN_OF_ID]}~{hashlib.blake2b(raw, digest_size=16).hexdigest()}"


def message_bytes(content: str) -> int:
    """Return the size of a message in UTF-8; lone surrogates count like their replacement."""
    return len(content.encode("utf-8", "surrogatepass"))


def oversize(content: str) -> str | None:
    """Return the end of a sentence about why a message is too large; None where it is not."""
    if len(content) * 4 <= LARGEST_MESSAGE:
        return None
    size = message_bytes(content)
    if size <= LARGEST_MESSAGE:
        return None
    return f"the message has {size:,} bytes, more than the {LARGEST_MESSAGE:,} that one can have"


def is_storable(moment: datetime) -> bool:
    """Check whether an aware time has a year from 1 to 9999 in every time zone."""
    try:
        return EARLIEST <= moment <= LATEST
    except OverflowError:
        return False


def clamped(moment: datetime) -> datetime:
    """Return the nearest time that can be stored; the time itself if it can."""
    return moment if is_storable(moment) else EARLIEST if moment.year < 5000 else LATEST


Kind = TypeVar("Kind", bound=StrEnum)
_LANGUAGE = re.compile("[A-Za-z]{2}")
UNHOLDABLE = re.compile("[\\x00\\ud800-\\udfff]")
"""Characters that Postgres cannot store in a text: NUL and lone surrogates."""


def repair(text: str) -> tuple[str, bool]:
    """Replace characters that Postgres cannot store by U+FFFD; return the text, and whether there were any."""
    repaired, count = UNHOLDABLE.subn("\N{REPLACEMENT CHARACTER}", text)
    return repaired, count > 0


def text(name: str, value: object) -> str:
    """Return a string argument.

    Raises:
        BadRequest: it is anything else.
    """
    if not isinstance(value, str):
        raise BadRequest(f"{name} must be a text, not {_shown(value)}")
    return value


def optional_text(name: str, value: object) -> str | None:
    """Return a string argument or None."""
    return None if value is None else text(name, value)


def texts(name: str, value: object) -> tuple[str, ...]:
    """Return several string arguments.

    Raises:
        BadRequest: it is a string itself, or anything else.
    """
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise BadRequest(f"{name} must be several texts, as a list, not {_shown(value)}")
    return tuple(text(name, each) for each in value)


def question(name: str, value: object) -> str | None:
    """Return a question or None.

    Raises:
        BadRequest: it is no string, or empty.
    """
    taken = optional_text(name, value)
    if taken is not None and not taken.strip():
        raise BadRequest(f"{name} must be a question, not {_shown(value)}")
    return taken


def name(what: str, value: object) -> str | None:
    """Return a name with single spaces, or None.

    Raises:
        BadRequest: it is no string, is empty, or has characters that no stored text has.
    """
    if value is None:
        return None
    taken = " ".join(text(what, value).split())
    if not taken or UNHOLDABLE.search(taken):
        raise BadRequest(f"{what} must be a name, not {_shown(value)}")
    return taken


def choice(what: str, value: object, kinds: type[Kind]) -> Kind:
    """Return the member of an enumeration with a value.

    Raises:
        BadRequest: there is none.
    """
    try:
        return kinds(str(value))
    except ValueError as problem:
        raise BadRequest(f"{what} must be one of {', '.join(kinds)}, not {_shown(value)}") from problem


def choices(what: str, value: object, kinds: type[Kind]) -> tuple[Kind, ...]:
    """Return the members of an enumeration with some values; none for None. Raises as ``texts`` and ``choice``."""
    return () if value is None else tuple(choice(what, each, kinds) for each in texts(what, value))


def language(what: str, value: object) -> str | None:
    """Return the code of a language (ISO 639-1: "en", "de") in lower case, or None.

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
    """Return a string that can be filed as a drawer.

    Raises:
        BadRequest: it is no string, empty, or too large.
    """
    content = text(name, value)
    if not content.strip():
        raise BadRequest(f"the {name} is empty")
    if reason := oversize(content):
        raise BadRequest(f"the {name} is too large: {reason}")
    return content


def integer(name: str, value: object) -> int:
    """Return an integer argument; its range is checked where it is used.

    Raises:
        BadRequest: it is anything else.
    """
    if not isinstance(value, int) or isinstance(value, bool):
        raise BadRequest(f"{name} must be a whole number, not {_shown(value)}")
    return value


def count(name: str, value: object) -> int:
    """Return an integer of at least 1.

    Raises:
        BadRequest: it is anything else.
    """
    taken = integer(name, value)
    if taken < 1:
        raise BadRequest(f"{name} must be at least 1, not {taken}")
    return taken


def share(name: str, value: object) -> float:
    """Check a share of one.

    Raises:
        BadRequest: it is no number between 0 and 1.
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
        raise BadRequest(f"{name} must be a number between 0 and 1, not {_shown(value)}")
    return float(value)


def row_count(name: str, value: object) -> int:
    """Return a limit of rows, from 1 to ``LARGEST_NUMBER``.

    Raises:
        BadRequest: it is anything else.
    """
    taken = integer(name, value)
    if not 1 <= taken <= LARGEST_NUMBER:
        raise BadRequest(f"{name} must be from 1 to {LARGEST_NUMBER}, not {taken}")
    return taken


def moment(name: str, value: object, zone: tzinfo) -> datetime | None:
    """Return an aware time to compare with, or None; a naive one is read in ``zone``.

    A time beyond those that can be stored is replaced by the nearest one that can.

    Raises:
        BadRequest: it is anything else.
    """
    if value is None:
        return None
    if not isinstance(value, datetime):
        raise BadRequest(f"{name} must be a datetime, not {_shown(value)}")
    return clamped(aware(value, zone))


def stored_moment(name: str, value: object, zone: tzinfo) -> datetime | None:
    """Return an aware time to store, or None; a naive one is read in ``zone``.

    Raises:
        BadRequest: it is no time, or on the first or last day of the calendar, which some time zones do not have.
    """
    if isinstance(value, datetime) and not is_storable(aware(value, zone)):
        first, last = EARLIEST.date(), LATEST.date()
        raise BadRequest(f"{name} must be from {first} to {last}, as every time zone has it, not {value.isoformat()}")
    return moment(name, value, zone)


def aware(value: datetime, zone: tzinfo) -> datetime:
    """Return an aware time; a naive one is read in ``zone``, or in UTC if it does not exist there."""
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
