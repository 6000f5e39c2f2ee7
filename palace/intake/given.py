"""What a caller gives the façade, checked before anything is done with it: of the right type, and within bounds."""

from __future__ import annotations

import re
from datetime import UTC, datetime, tzinfo
from enum import StrEnum
from typing import TypeVar

from palace.errors import BadRequest
from palace.intake.limits import EARLIEST, LARGEST_NUMBER, LATEST, clamped, is_storable, oversize

Kind = TypeVar("Kind", bound=StrEnum)
_LANGUAGE = re.compile("[A-Za-z]{2}")
_UNHOLDABLE = re.compile("[\\x00\\ud800-\\udfff]")


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
    if not taken or _UNHOLDABLE.search(taken):
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
