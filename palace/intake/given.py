"""What a caller gives the façade, checked before anything is done with it: of the right type, and within bounds."""

from __future__ import annotations

import re
from datetime import UTC, datetime, tzinfo

from palace.errors import BadRequest
from palace.intake.limits import clamped, is_storable, oversize
from palace.records import Role

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


def role(what: str, value: object) -> Role | None:
    """Take one of the roles or None.

    Raises:
        BadRequest: it is anything else.
    """
    if value is None:
        return None
    try:
        return Role(text(what, value))
    except ValueError as problem:
        raise BadRequest(f"{what} must be one of {', '.join(Role)}, not {_shown(value)}") from problem


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


def moment(name: str, value: object, zone: tzinfo) -> datetime | None:
    """Take a moment to compare with, or None; a naive one is meant in ``zone``.

    One that is beyond what can be stored means the same as the last that can.

    Raises:
        BadRequest: it is anything else.
    """
    if value is None:
        return None
    if not isinstance(value, datetime):
        raise BadRequest(f"{name} must be a datetime, not {_shown(value)}")
    return clamped(_aware(value, zone))


def stored_moment(name: str, value: object, zone: tzinfo) -> datetime | None:
    """Take a moment that is to be kept, or None; a naive one is meant in ``zone``.

    Raises:
        BadRequest: it is no moment, or in some time zone not in the years 1 to 9999.
    """
    if isinstance(value, datetime) and not is_storable(_aware(value, zone)):
        raise BadRequest(f"{name} must be in the years 1 to 9999 of every time zone, not {value.isoformat()}")
    return moment(name, value, zone)


def _aware(value: datetime, zone: tzinfo) -> datetime:
    if value.utcoffset() is not None:
        return value
    try:
        there = value.replace(tzinfo=zone)
        there.astimezone(UTC)
    except (OverflowError, ValueError, OSError):
        # The first and the last day there are do not exist in every zone.
        return value.replace(tzinfo=UTC)
    return there


def _shown(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 80 else f"{shown[:79]}…"
