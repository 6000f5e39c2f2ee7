"""The types of members in the lines of an export, checked by pydantic, with the messages for invalid ones."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import chain
from typing import Annotated, Final
from uuid import UUID

from pydantic import AfterValidator, Field, PlainSerializer, PlainValidator, Strict

from palace.models.intake import LARGEST_NUMBER, LONGEST_NAME, bounded_id, is_storable, oversize

MOST_LEVELS = 32
"""Deepest nesting of objects and arrays that is accepted; Palace itself writes 5 levels at most."""


def is_deeper(value: object) -> bool:
    """Check whether a JSON value is nested too deep, without recursion."""
    here = [value]
    for _ in range(MOST_LEVELS):
        here = list(chain.from_iterable(map(_inside, here)))
        if not here:
            return False
    return any(isinstance(each, (dict, list)) for each in here)


def _inside(value: object) -> list[object]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


LARGEST = 2**31 - 1
"""The largest value of an integer column."""
LARGEST_SMALL = 2**15 - 1
"""The largest value of a smallint column."""

MOST_EDGES = 100
"""Hashes of lines that identify one conversation, at most; Palace writes 6."""

LONGEST_IDENTITY = 64
"""Bytes of a drawer's identity, at most; Palace writes 16 or 20."""

MOST_DETAILS = 100_000
"""Characters of JSON in the details of one event, at most."""

MOST_REPLIED = 500_000
"""Characters of JSON in one reply of a language model, at most."""

MOST_SET = 10_000
"""Characters of JSON in the value of a setting, at most."""

WRITTEN_OUT = 1e16
"""From this size on, Python writes a number with an exponent, and Postgres without."""

MOST_SHOWN = 1_000
"""Drawers in one request to a language model, at most; Palace sends up to 50."""

KIND_OF_SECRET = re.compile(r"[a-z][a-z0-9 -]{0,39}")

SIXTH: Final = {"since": 6}
"""Marks a member added in version 6 of the format; the default applies in files of version 5."""

MOST_KINDS = 1_000
"""Kinds of secrets removed from one message, at most; a user's rules have up to 40."""


class Malformed(ValueError):
    """A line violates the format; the message completes a sentence that starts with the line's name."""


def _fitting(content: str) -> str:
    if reason := oversize(content):
        raise Malformed(f"is too large: {reason}")
    return content


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise Malformed("is not a text")
    return value


def _moment(value: object) -> datetime:
    """Parse an ISO 8601 time with its offset, in the years 1 to 9999 of every zone."""
    try:
        read = datetime.fromisoformat(_text(value))
    except ValueError as problem:
        raise problem if isinstance(problem, Malformed) else Malformed("is not an ISO 8601 time") from problem
    if read.tzinfo is None:
        raise Malformed("is a time without an offset")
    if not is_storable(read):
        raise Malformed("is not in the years 1 to 9999 of every time zone")
    return read.astimezone(UTC)


def _identity(value: object) -> bytes:
    written = _text(value)
    if not written:
        raise Malformed("is empty")
    if len(written) > 2 * LONGEST_IDENTITY:
        raise Malformed(f"is longer than {2 * LONGEST_IDENTITY:,} characters")
    try:
        read = bytes.fromhex(written)
    except ValueError as problem:
        raise Malformed("is not in hexadecimal") from problem
    if read.hex() != written:
        raise Malformed("is not in lower-case hexadecimal")
    return read


def _key(value: object) -> UUID:
    try:
        return UUID(_text(value))
    except ValueError as problem:
        raise Malformed("is not a UUID") from problem


def _integer(least: int, most: int, what: str) -> Callable[[object], int]:
    """Return a validator of integers in a range, which ``what`` describes in messages."""

    def accept(value: object) -> int:
        if type(value) is not int or not least <= value <= most:
            raise Malformed(f"is not {what}")
        return value

    return accept


def two(value: object) -> object:
    """Accept an array of two values."""
    if not isinstance(value, list) or len(value) != 2:
        raise Malformed("is not an array of two numbers")
    return value


def _in_utc(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


# Postgres cannot store NUL. Lone surrogates are refused by pydantic anyway.
Text = Annotated[str, Strict(), Field(pattern=r"^[^\x00]*$")]
Name = Annotated[Text, Field(max_length=LONGEST_NAME)]
EntityName = Annotated[Text, Field(min_length=1, max_length=LONGEST_NAME)]
Slug = Annotated[Text, Field(min_length=1, max_length=200)]
Slice = Annotated[Text, Field(max_length=200)]
Indexed = Annotated[Text, Field(min_length=1), AfterValidator(bounded_id)]
"""An id; one too long for an index is shortened as in mining."""
Message = Annotated[Text, AfterValidator(_fitting)]
Count = Annotated[int, Strict(), Field(ge=0, le=LARGEST)]
Position = Annotated[Count, AfterValidator(lambda position: min(position, LARGEST_NUMBER))]
"""One so late that turns after it would have no number becomes the last that leaves room for them."""
Sequence = Count
"""The last number assigned, or 0."""
Number = Annotated[int, Strict(), Field(ge=1, le=LARGEST)]
"""An assigned number."""
Small = Annotated[int, Strict(), Field(ge=1, le=LARGEST_SMALL)]


def _object(value: object, most: int) -> dict[str, object]:
    """Accept a JSON object that Postgres can store unchanged, of at most so many characters."""
    if not isinstance(value, dict):
        raise Malformed("is not an object")
    if is_deeper(value):
        raise Malformed(f"is nested deeper than {MOST_LEVELS} levels")
    try:
        written = json.dumps(value, ensure_ascii=False, allow_nan=False)
        written.encode("utf-8")
    except ValueError as problem:
        raise Malformed("is no JSON that a database can hold") from problem
    # A large number is short here, but written out by the database: that form must not be too long either.
    if len(json.dumps(json.loads(written, parse_float=_as_kept), ensure_ascii=False)) > most:
        raise Malformed(f"is longer than {most:,} characters")
    if "\\u0000" in written:
        raise Malformed("holds a NUL or a lone surrogate")
    return value


def _as_kept(written: str) -> float:
    number = float(written)
    return int(number) if abs(number) >= WRITTEN_OUT else number


def _replied(value: object) -> dict[str, object]:
    """Accept lists of names, claims and topics; their items are checked where they are used."""
    replied = _object(value, MOST_REPLIED)
    if not {"entities", "assertions"} <= replied.keys() <= {"entities", "assertions", "topics"}:
        raise Malformed("does not have 'entities', 'assertions' and 'topics'")
    if not all(isinstance(items, list) for items in replied.values()):
        raise Malformed("holds what is not an array")
    return replied


def _set_value(value: object) -> object:
    """Accept a boolean, a number, a string or an array of these."""
    items = value if isinstance(value, list) else [value]
    if not all(isinstance(item, (bool, int, float, str)) for item in items):
        raise Malformed("is no value of a setting")
    _object({"value": value}, MOST_SET)
    return value


def _bytes_of(length: int) -> Callable[[object], bytes]:
    def accept(value: object) -> bytes:
        read = _identity(value)
        if len(read) != length:
            raise Malformed(f"does not have {length} bytes")
        return read

    return accept


def _taken_out(value: object) -> dict[str, int]:
    taken = _object(value, MOST_DETAILS)
    counts = {kind: count for kind, count in taken.items() if type(count) is int and 0 < count <= LARGEST}
    if not 0 < len(counts) == len(taken) <= MOST_KINDS:
        raise Malformed("is no object of counts by kind")
    if not all(KIND_OF_SECRET.fullmatch(kind) for kind in counts):
        raise Malformed("names what cannot be a kind of secret")
    return dict(sorted(counts.items()))


Hashed = Annotated[int, PlainValidator(_integer(-(2**63), 2**63 - 1, "an integer of 64 bits"))]
Offset = Annotated[int, PlainValidator(_integer(-1439, 1439, "an offset in minutes"))]
Flag = Annotated[bool, Strict()]
Moment = Annotated[datetime, PlainValidator(_moment), PlainSerializer(_in_utc)]
Identity = Annotated[bytes, PlainValidator(_identity), PlainSerializer(bytes.hex)]
Details = Annotated[dict[str, object], PlainValidator(lambda value: _object(value, MOST_DETAILS))]
Digest = Annotated[bytes, PlainValidator(_bytes_of(32)), PlainSerializer(bytes.hex)]
Said = Annotated[bytes, PlainValidator(_bytes_of(20)), PlainSerializer(bytes.hex)]
TakenOut = Annotated[dict[str, int], PlainValidator(_taken_out)]
Replied = Annotated[dict[str, object], PlainValidator(_replied)]
SetValue = Annotated[object, PlainValidator(_set_value)]
Kind = Annotated[str, Strict(), Field(pattern=r"^[a-z]+(_[a-z]+)*$", max_length=100)]
Key = Annotated[UUID, PlainValidator(_key), PlainSerializer(str)]
