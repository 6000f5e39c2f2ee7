"""The lines of an export: what each holds, in the order it is written, and what is accepted where one is read.

``palace.transfer`` reads and writes them; ``docs/export.md`` describes them to people.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Annotated, Any, ClassVar, NamedTuple

from pydantic import BeforeValidator, ConfigDict, Field, TypeAdapter

from palace.models import Role, WingKind
from palace.models.claims import EntityType
from palace.models.graph import DecisionVerb
from palace.models.json_values import (
    FIFTH,
    MOST_EDGES,
    MOST_SHOWN,
    SECOND,
    Count,
    Details,
    Digest,
    EntityName,
    Flag,
    Hashed,
    Identity,
    Indexed,
    Key,
    Kind,
    Message,
    Moment,
    Name,
    Number,
    Offset,
    Replied,
    Said,
    Sequence,
    SetValue,
    Slice,
    Slug,
    Small,
    TakenOut,
    Text,
    two,
)


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
    former: tuple[Annotated[FormerPlace, BeforeValidator(two)], ...]


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
    redacted: TakenOut | None = field(default=None, metadata=FIFTH)
    """How many secrets of each kind were taken out of it."""
    said: Said | None = field(default=None, metadata=FIFTH)
    """A hash, under the palace's key, of what was said; null where nothing was taken out."""


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


@dataclass(frozen=True, slots=True)
class HiddenParts:
    """All that it takes to file a drawer again as it was. Runs are cited by their ids."""

    wing: WingLine
    conversation: ConversationLine
    room: RoomLine
    drawer: DrawerLine
    grave: TombstoneLine | None
    """That of an earlier forgetting, out of force."""
    replaces: tuple[Identity, ...]
    """The drawers whose place it took."""
    answered_by: tuple[Identity, ...]
    replies: tuple[ReplyLine, ...]
    """What a language model replied about it; of several drawers forgotten together, with the first of them."""


@cache
def _codec() -> TypeAdapter[HiddenParts]:
    return TypeAdapter(HiddenParts)


def parts_to_json(parts: HiddenParts) -> Any:
    """Write the parts as JSON."""
    return _codec().dump_python(parts, mode="json")


def parts_from_json(value: Any) -> HiddenParts:
    """Read the parts as they were written."""
    return _codec().validate_python(value)


@dataclass(frozen=True, slots=True)
class Here:
    """A drawer, or a forgotten one."""

    identity: bytes
    position: int
    role: str = ""
    said_at: datetime | None = None
    content: str | None = None
    """What is kept of it, where something was taken out; else None."""
    is_forgotten: bool = False


class Home(NamedTuple):
    """In which conversation an identity is known."""

    conversation: str
    is_filed: bool
    """False where it is forgotten."""
