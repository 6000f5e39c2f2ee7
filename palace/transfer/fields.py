"""The values of a line: how each is written in JSON, and what is accepted when it is read. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, TypeVar
from uuid import UUID

from palace.intake.limits import LARGEST_NUMBER, bounded_id, is_storable, oversize
from palace.text.repair import UNHOLDABLE

LARGEST = 2**31 - 1
"""What an integer column holds."""
SMALL = 2**15 - 1
"""What a small one holds."""

LONGEST_IDENTITY = 64
"""Bytes of a drawer's identity; they are 16."""

Value = TypeVar("Value")
Choice = TypeVar("Choice", bound=StrEnum)
Read = Callable[[object], Value]


class Malformed(ValueError):
    """A line is not what the format says; the message is the rest of a sentence that names the line."""


def written(value: object) -> object:
    """Turn a value into what ``json`` can write; times in UTC to the microsecond, identities in hexadecimal."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, tuple):
        return [written(item) for item in value]
    if is_dataclass(value):
        return {field.name: written(getattr(value, field.name)) for field in fields(value)}
    return value


def text(value: object) -> str:
    """Accept a text that Postgres can hold."""
    if not isinstance(value, str):
        raise Malformed("is not a text")
    if UNHOLDABLE.search(value):
        raise Malformed("holds a NUL or a lone surrogate")
    return value


def name(value: object) -> str:
    """Accept a text that is not empty."""
    if not text(value):
        raise Malformed("is empty")
    return text(value)


def message(value: object) -> str:
    """Accept a text that a drawer can hold."""
    if reason := oversize(text(value)):
        raise Malformed(f"is too large: {reason}")
    return text(value)


def at_most(longest: int, read: Read[str]) -> Read[str]:
    """Accept what ``read`` does, of so many characters at most."""

    def read_short(value: object) -> str:
        if len(read(value)) > longest:
            raise Malformed(f"is longer than {longest:,} characters")
        return read(value)

    return read_short


def indexed(value: object) -> str:
    """Accept a name that is not empty; of one too long for an index, give what stands for it, as mining does."""
    return bounded_id(name(value))


def flag(value: object) -> bool:
    """Accept true or false."""
    if not isinstance(value, bool):
        raise Malformed("is neither true nor false")
    return value


def count(value: object) -> int:
    """Accept an integer from 0 to 2,147,483,647."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise Malformed("is not an integer")
    if not 0 <= value <= LARGEST:
        raise Malformed(f"is not between 0 and {LARGEST:,}")
    return value


def sequence(value: object) -> int:
    """Accept the last of numbers given out, or 0: from there it must be possible to count on."""
    if count(value) > LARGEST_NUMBER:
        raise Malformed(f"is more than {LARGEST_NUMBER:,}")
    return count(value)


def number(value: object) -> int:
    """Accept a number that was given out."""
    if sequence(value) == 0:
        raise Malformed("is not 1 or more")
    return sequence(value)


def hashed(value: object) -> int:
    """Accept an integer of 64 bits, signed."""
    if not isinstance(value, int) or isinstance(value, bool) or not -(2**63) <= value < 2**63:
        raise Malformed("is not an integer of 64 bits")
    return value


def offset(value: object) -> int:
    """Accept an offset from UTC in minutes, of less than a day."""
    if not isinstance(value, int) or isinstance(value, bool) or not -1440 < value < 1440:
        raise Malformed("is not an offset in minutes")
    return value


def small(value: object) -> int:
    """Accept an integer from 1 to 32,767."""
    if not number(value) <= SMALL:
        raise Malformed(f"is not {SMALL:,} or less")
    return number(value)


def moment(value: object) -> datetime:
    """Accept an ISO 8601 time with its offset, in the years 1 to 9999 of every zone."""
    try:
        read = datetime.fromisoformat(text(value))
        if read.tzinfo is None:
            raise Malformed("is a time without an offset")
        if is_storable(read):
            return read.astimezone(UTC)
    except ValueError as problem:
        raise problem if isinstance(problem, Malformed) else Malformed("is not an ISO 8601 time") from problem
    raise Malformed("is not in the years 1 to 9999 of every time zone")


def identity(value: object) -> bytes:
    """Accept bytes in hexadecimal, 1 to 64 of them."""
    at_most(2 * LONGEST_IDENTITY, name)(value)
    try:
        read = bytes.fromhex(name(value))
    except ValueError as problem:
        raise Malformed("is not in hexadecimal") from problem
    if read.hex() != value:
        raise Malformed("is not in lower-case hexadecimal")
    return read


def key(value: object) -> UUID:
    """Accept a UUID."""
    try:
        return UUID(text(value))
    except ValueError as problem:
        raise Malformed("is not a UUID") from problem


def optional(read: Read[Value]) -> Read[Value | None]:
    """Accept null too."""
    return lambda value: None if value is None else read(value)


def one_of(choices: type[Choice]) -> Read[Choice]:
    """Accept one of an enumeration's values."""

    def read(value: object) -> Choice:
        try:
            return choices(text(value))
        except ValueError as problem:
            raise Malformed(f"is none of {', '.join(choices)}") from problem

    return read


def several(read: Read[Value]) -> Read[tuple[Value, ...]]:
    """Accept an array."""

    def read_all(value: object) -> tuple[Value, ...]:
        if not isinstance(value, list):
            raise Malformed("is not an array")
        return tuple(read(item) for item in value)

    return read_all


def pair(make: Callable[[int, int], Value]) -> Read[Value]:
    """Accept an array of two numbers."""

    def read(value: object) -> Value:
        if not isinstance(value, list) or len(value) != 2:
            raise Malformed("is not an array of two numbers")
        return make(number(value[0]), number(value[1]))

    return read


def record(make: Callable[..., Value], members: dict[str, Read[Any]]) -> Read[Value]:
    """Accept an object with exactly these members."""

    def read(value: object) -> Value:
        if not isinstance(value, dict):
            raise Malformed("is not an object")
        for found in value:
            if found not in members:
                raise Malformed(f"has {found!r}, which it cannot have")
        return make(**{wanted: _member(value, wanted, accept) for wanted, accept in members.items()})

    return read


def _member(value: dict[str, object], wanted: str, accept: Read[Any]) -> Any:
    if wanted not in value:
        raise Malformed(f"lacks {wanted!r}")
    try:
        return accept(value[wanted])
    except Malformed as problem:
        raise Malformed(f"{wanted!r} {problem}") from problem
