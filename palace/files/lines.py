"""The lines of an export: what each holds, in the order it is written, and what is accepted where one is read.

``palace.transfer`` reads and writes them; ``docs/export.md`` describes them to people.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Annotated, ClassVar, Final, NamedTuple
from uuid import UUID

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, PlainSerializer, PlainValidator, Strict

from palace.intake.limits import LONGEST_NAME, bounded_id, is_storable, oversize
from palace.records import Role, WingKind
from palace.records.graph import DecisionVerb, EntityType

LARGEST = 2**31 - 1
"""What an integer column holds."""
LARGEST_SMALL = 2**15 - 1
"""What a small one holds."""

MOST_EDGES = 100
"""Hashes of lines by which one conversation is found again; they are 6."""

LONGEST_IDENTITY = 64
"""Bytes of a drawer's identity; they are 16."""

MOST_DETAILS = 100_000
"""Characters of JSON that the details of one event have at most."""

MOST_REPLIED = 500_000
"""Characters of JSON that one reply of a language model has at most."""

MOST_SET = 10_000
"""Characters of JSON that the value of a setting has at most."""

MOST_SHOWN = 1_000
"""Drawers that a language model replied about at once; they are 50 at most."""

LENGTH_OF_DIGEST = 32
"""Bytes."""

SECOND: Final = {"since": 2}
"""Of a member that version 2 of the format brought; the default is what it is in a file of version 1."""


class Malformed(ValueError):
    """A line is not what the format says; the message is the rest of a sentence that names the line."""


def _fitting(content: str) -> str:
    if reason := oversize(content):
        raise Malformed(f"is too large: {reason}")
    return content


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise Malformed("is not a text")
    return value


def _moment(value: object) -> datetime:
    """Accept an ISO 8601 time with its offset, in the years 1 to 9999 of every zone."""
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
    """Accept bytes in hexadecimal, 1 to 64 of them."""
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


def _hashed(value: object) -> int:
    if type(value) is not int or not -(2**63) <= value < 2**63:
        raise Malformed("is not an integer of 64 bits")
    return value


def _offset(value: object) -> int:
    if type(value) is not int or not -1440 < value < 1440:
        raise Malformed("is not an offset in minutes")
    return value


def _two(value: object) -> object:
    if not isinstance(value, list) or len(value) != 2:
        raise Malformed("is not an array of two numbers")
    return value


def _in_utc(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


# What Postgres can hold: no NUL. A lone surrogate is no text to pydantic anyway.
Text = Annotated[str, Strict(), Field(pattern=r"^[^\x00]*$")]
Name = Annotated[Text, Field(max_length=LONGEST_NAME)]
EntityName = Annotated[Text, Field(min_length=1, max_length=LONGEST_NAME)]
Slug = Annotated[Text, Field(min_length=1, max_length=200)]
Slice = Annotated[Text, Field(max_length=200)]
Indexed = Annotated[Text, Field(min_length=1), AfterValidator(bounded_id)]
"""Of a name that is too long for an index, what stands for it, as mining makes it."""
Message = Annotated[Text, AfterValidator(_fitting)]
Count = Annotated[int, Strict(), Field(ge=0, le=LARGEST)]
Sequence = Count
"""The last of the numbers given out, or 0."""
Number = Annotated[int, Strict(), Field(ge=1, le=LARGEST)]
"""One that was given out."""
Small = Annotated[int, Strict(), Field(ge=1, le=LARGEST_SMALL)]


def _details(value: object) -> dict[str, object]:
    """Accept an object of JSON that Postgres holds as it is."""
    return _object(value, MOST_DETAILS)


def _object(value: object, most: int) -> dict[str, object]:
    if not isinstance(value, dict):
        raise Malformed("is not an object")
    try:
        written = json.dumps(value, ensure_ascii=False, allow_nan=False)
        written.encode("utf-8")
    except (ValueError, RecursionError) as problem:
        raise Malformed("is no JSON that a database can hold") from problem
    if len(written) > most:
        raise Malformed(f"is longer than {most:,} characters")
    if "\\u0000" in written:
        raise Malformed("holds a NUL or a lone surrogate")
    return value


def _replied(value: object) -> dict[str, object]:
    """Accept names, claims and topics, a list each; what is in them is checked where they are taken up."""
    replied = _object(value, MOST_REPLIED)
    if not {"entities", "assertions"} <= replied.keys() <= {"entities", "assertions", "topics"}:
        raise Malformed("does not have 'entities', 'assertions' and 'topics'")
    if not all(isinstance(items, list) for items in replied.values()):
        raise Malformed("holds what is not an array")
    return replied


def _set_value(value: object) -> object:
    """Accept a truth value, a number, a text or an array of texts."""
    items = value if isinstance(value, list) else [value]
    if not all(isinstance(item, (bool, int, float, str)) for item in items):
        raise Malformed("is no value of a setting")
    _object({"value": value}, MOST_SET)
    return value


def _digest(value: object) -> bytes:
    read = _identity(value)
    if len(read) != LENGTH_OF_DIGEST:
        raise Malformed(f"does not have {LENGTH_OF_DIGEST} bytes")
    return read


Hashed = Annotated[int, PlainValidator(_hashed)]
Offset = Annotated[int, PlainValidator(_offset)]
Flag = Annotated[bool, Strict()]
Moment = Annotated[datetime, PlainValidator(_moment), PlainSerializer(_in_utc)]
Identity = Annotated[bytes, PlainValidator(_identity), PlainSerializer(bytes.hex)]
Details = Annotated[dict[str, object], PlainValidator(_details)]
Digest = Annotated[bytes, PlainValidator(_digest), PlainSerializer(bytes.hex)]
Replied = Annotated[dict[str, object], PlainValidator(_replied)]
SetValue = Annotated[object, PlainValidator(_set_value)]
Kind = Annotated[str, Strict(), Field(pattern=r"^[a-z]+(_[a-z]+)*$", max_length=100)]
Key = Annotated[UUID, PlainValidator(_key), PlainSerializer(str)]


class _Members:
    """An object with exactly the members that are named."""

    __slots__ = ()
    __pydantic_config__: ClassVar = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True)
class HeaderLine(_Members):
    """The first line: which palace this is of."""

    palace: Key
    """Its key."""
    wing_seq: Sequence
    """The last wing number that palace has given out."""


@dataclass(frozen=True, slots=True)
class RunLine(_Members):
    """A run; other lines cite it by its place among the runs, the first being 1."""

    line: ClassVar = "run"

    source: Text
    started_at: Moment
    finished_at: Moment | None
    drawer_count: Count
    undone_at: Moment | None
    basis: tuple[Number, ...]
    """The runs it relied on, in ascending order."""


@dataclass(frozen=True, slots=True)
class ActivityLine(_Members):
    """An event; nothing cites it."""

    line: ClassVar = "activity"
    since: ClassVar = 3

    kind: Kind
    happened_at: Moment
    run: Number | None
    """The run it is about."""
    details: Details


@dataclass(frozen=True, slots=True)
class AliasPart(_Members):
    """Another name of a wing."""

    slug: Slug
    name: Name
    number: Number | None
    """That of a wing merged into this one."""


@dataclass(frozen=True, slots=True)
class WingLine(_Members):
    """A wing; other lines cite it by its number."""

    line: ClassVar = "wing"

    number: Number
    slug: Slug
    name: Name
    kind: WingKind
    room_seq: Sequence
    created_at: Moment
    aliases: tuple[AliasPart, ...]


@dataclass(frozen=True, slots=True)
class DecisionLine(_Members):
    """What a person decided of entities, by the names that they go by."""

    line: ClassVar = "decision"
    since: ClassVar = 3

    verb: DecisionVerb
    name: EntityName
    type: EntityType
    other: EntityName
    other_type: EntityType
    conversations: tuple[Indexed, ...] | None
    """Identities of those that a split is about; null where it is about a name everywhere."""
    decided_at: Moment
    undone_at: Moment | None


@dataclass(frozen=True, slots=True)
class SettingLine(_Members):
    """What the user has set for themselves, or for one of their agents."""

    line: ClassVar = "setting"
    since: ClassVar = 5

    agent: Annotated[Text, Field(max_length=200)]
    """"" for the user's own."""
    name: Kind
    value: SetValue
    changed_at: Moment


@dataclass(frozen=True, slots=True)
class ConversationLine(_Members):
    """A conversation; what follows it up to the next one belongs to it."""

    line: ClassVar = "conversation"

    identity: Indexed
    reader: Name
    title: Name | None
    run: Number
    filed_at: Moment
    edges: Annotated[tuple[Hashed, ...], Field(max_length=MOST_EDGES)] = field(default=(), metadata=SECOND)
    """Hashes of lines by which it is found again where it has no id of its own, in ascending order."""


class FormerPlace(NamedTuple):
    """The numbers of a place where a room stood once."""

    wing: Number
    room: Number


@dataclass(frozen=True, slots=True)
class RoomLine(_Members):
    """A slice of the conversation above; its drawers cite it by the slice's name."""

    line: ClassVar = "room"

    slice: Slice
    wing: Number
    number: Number
    name: Name
    started_at: Moment | None
    drawer_seq: Sequence
    created_at: Moment
    former: tuple[Annotated[FormerPlace, BeforeValidator(_two)], ...]


@dataclass(frozen=True, slots=True)
class DrawerLine(_Members):
    """A drawer of the conversation above."""

    line: ClassVar = "drawer"

    slice: Slice
    number: Number
    run: Number
    identity: Identity
    position: Count
    role: Role
    speaker: Name | None
    said_at: Moment | None
    filed_at: Moment
    is_revision: Flag
    is_repaired: Flag
    content: Message
    said_offset: Offset | None = field(default=None, metadata=SECOND)
    reading: Small = field(default=1, metadata=SECOND)
    replaced_at: Moment | None = field(default=None, metadata=SECOND)
    replaced_by: Identity | None = field(default=None, metadata=SECOND)
    """The identity of the drawer that took its place, where that is in the file as well."""
    replaced_run: Number | None = field(default=None, metadata=SECOND)
    """The run that found it."""
    answers: Identity | None = field(default=None, metadata=SECOND)
    """The identity of the drawer that it answers, where that is in the file as well."""


@dataclass(frozen=True, slots=True)
class TombstoneLine(_Members):
    """A drawer of the conversation above that was forgotten."""

    line: ClassVar = "tombstone"

    identity: Identity
    position: Count
    forgotten_at: Moment
    restored_by: Number | None


@dataclass(frozen=True, slots=True)
class ReplyLine(_Members):
    """What a language model replied about drawers of the conversation above."""

    line: ClassVar = "reply"
    since: ClassVar = 4

    digest: Digest
    """Of the model and of the drawers, as it was shown them."""
    model: EntityName
    prompt: Number
    """The version of what it was told to do."""
    drawers: Annotated[tuple[Identity, ...], Field(min_length=1, max_length=MOST_SHOWN)]
    """The identities of what it was shown, in order."""
    reply: Replied
    called_at: Moment


@dataclass(frozen=True, slots=True)
class EndLine(_Members):
    """The last line: what tells a whole file from one that was cut off or changed."""

    lines: Count
    """How many stand before this one."""
    sha256: Text
    """Of every byte before this line."""


ConversationPart = RoomLine | DrawerLine | TombstoneLine | ReplyLine
Line = RunLine | ActivityLine | WingLine | DecisionLine | SettingLine | ConversationLine | ConversationPart


@dataclass(frozen=True, slots=True)
class ExportedConversation:
    """A conversation of an export with everything that belongs to it."""

    line: ConversationLine
    rooms: tuple[RoomLine, ...] = ()
    drawers: tuple[DrawerLine, ...] = ()
    tombstones: tuple[TombstoneLine, ...] = ()
    replies: tuple[ReplyLine, ...] = ()
