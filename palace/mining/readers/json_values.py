"""Values that a program has in memory, written in the types of JSON alone; what JSON has no word for is refused."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, time
from decimal import Decimal
from enum import Enum
from pathlib import PurePath
from typing import Any
from uuid import UUID

DEEPEST = 200
"""So many objects and lists may stand one in another; what holds itself has no end."""


class OddValue(ValueError):
    """A value that JSON has no word for; the text is the rest of a sentence about what holds it."""


def plain(value: object, depth: int = 0) -> Any:
    """Give a value in the types of JSON alone, none of them a class of the program's own.

    Moments and dates are written as ISO 8601; UUIDs, decimals and paths as text; members of enumerations as their
    values; objects with ``model_dump`` as what that gives.

    Raises:
        OddValue: it is none of those, or holds what is none, or is nested too deeply.
    """
    if depth > DEEPEST:
        raise OddValue("is nested too deeply, or holds itself")
    if isinstance(value, Mapping):
        return {_key(key): plain(inner, depth + 1) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner, depth + 1) for inner in value]
    if not isinstance(value, Enum) and (value is None or isinstance(value, bool | str | int | float)):
        return _scalar(value)
    return plain(_written(value), depth + 1)


def _written(value: object) -> object:
    """Give what JSON has in the place of a value that it has no type for."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    return str(value) if isinstance(value, UUID | Decimal | PurePath) else dumped(value)


def dumped(value: object) -> object:
    """Give what an object says of itself by ``model_dump``, as the records of clients and of pydantic do.

    Raises:
        OddValue: it does not.
    """
    dump = None if isinstance(value, type) else getattr(value, "model_dump", None)
    if not callable(dump):
        raise OddValue(f"holds a value of type {type(value).__name__[:40]}, which JSON has no word for")
    return dump(mode="json", exclude_none=True)


def _key(key: object) -> Any:
    given = plain(key)
    if isinstance(given, dict | list):
        raise OddValue(f"has a key of type {type(key).__name__[:40]}, where JSON has text")
    return given


def _scalar(value: Any) -> Any:
    """Give a text, number, truth value or None as the built-in type has it."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, float):
        return float.__float__(value)
    number = int.__int__(value)
    try:
        str(number)
    except ValueError as problem:  # more figures than Python writes
        raise OddValue("holds a number too long to be read") from problem
    return number
