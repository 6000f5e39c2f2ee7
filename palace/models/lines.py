"""The lines of an export: their members in the order of writing, with the validation for reading.

``palace.transfer`` reads and writes them; ``docs/export.md`` describes them to people.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Annotated, Any, ClassVar, NamedTuple

from pydantic import BeforeValidator, ConfigDict, Field, Strict, TypeAdapter

from palace.models import Role, WingKind
from palace.models.claims import EntityType
from palace.models.graph import DecisionVerb
from palace.models.json_values import (
    MOST_EDGES,
    MOST_SHOWN,
    SIXTH,
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
    Position,
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
from palace.models.memory import MemoryMaker, MemoryOrigin, MemoryState, MemoryType


class _Members:
    """Base class of lines: a JSON object with exactly the declared members."""

    __slots__ = ()
    __pydantic_config__: ClassVar = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True)
class HeaderLine(_Members):
    """The first line, which identifies the palace."""

    palace: Key
    """The palace's key."""
    wing_seq: Sequence
    """The last wing number assigned in that palace."""


@dataclass(frozen=True, slots=True)
class RunLine(_Members):
    """A run; other lines cite it by its position among the runs, from 1."""

    line: ClassVar = "run"

    source: Text
    started_at: Moment
    finished_at: Moment | None
    drawer_count: Count
    undone_at: Moment | None
    basis: tuple[Number, ...]
    """The runs that it relied on, in ascending order."""


@dataclass(frozen=True, slots=True)
class ActivityLine(_Members):
    """An event of the activity; no line cites it."""

    line: ClassVar = "activity"

    kind: Kind
    happened_at: Moment
    run: Number | None
    """The run that it belongs to."""
    details: Details


@dataclass(frozen=True, slots=True)
class AliasPart(_Members):
    """Another name of a wing."""

    slug: Slug
    name: Name
    number: Number | None
    """Number of the wing that was merged into this one, if the name comes from it."""


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
    """A person's decision about entities, which are given by name."""

    line: ClassVar = "decision"

    verb: DecisionVerb
    name: EntityName
    type: EntityType
    other: EntityName
    other_type: EntityType
    conversations: tuple[Indexed, ...] | None
    """Identities of the conversations of a split; null where it applies to a name everywhere."""
    decided_at: Moment
    undone_at: Moment | None


@dataclass(frozen=True, slots=True)
class SettingLine(_Members):
    """A setting of the user, or of one of their agents."""

    line: ClassVar = "setting"

    agent: Annotated[Text, Field(max_length=200)]
    """Name of the agent; "" for the user's own setting."""
    name: Kind
    value: SetValue
    changed_at: Moment


@dataclass(frozen=True, slots=True)
class ConversationLine(_Members):
    """A conversation; the lines up to the next one belong to it."""

    line: ClassVar = "conversation"

    identity: Indexed
    reader: Name
    title: Name | None
    run: Number
    filed_at: Moment
    edges: Annotated[tuple[Hashed, ...], Field(max_length=MOST_EDGES)]
    """Hashes of lines that identify it where it has no id of its own, in ascending order."""


class FormerPlace(NamedTuple):
    """The numbers of a place where a room was before."""

    wing: Number
    room: Number


@dataclass(frozen=True, slots=True)
class RoomLine(_Members):
    """A room of the conversation above; its drawers cite it by ``slice``."""

    line: ClassVar = "room"

    slice: Slice
    wing: Number
    number: Number
    name: Name
    started_at: Moment | None
    drawer_seq: Sequence
    created_at: Moment
    former: tuple[Annotated[FormerPlace, BeforeValidator(two)], ...]


Share = Annotated[float, Strict(), Field(ge=0, le=1, allow_inf_nan=False)]
Identities = Annotated[tuple[Identity, ...], Field(max_length=MOST_SHOWN)]


@dataclass(frozen=True, slots=True)
class MemoryMember(_Members):
    """What makes a drawer a memory: the fields of ``palace.models.MemoryPart``."""

    type: MemoryType
    state: MemoryState
    origin: MemoryOrigin
    maker: MemoryMaker
    importance: Share
    confidence: Share
    is_pinned: Flag
    reason: Text | None
    evidence: Identities
    alike: Identities
    contradicts: Identities
    expires_at: Moment | None
    updated_at: Moment


@dataclass(frozen=True, slots=True)
class DrawerLine(_Members):
    """A drawer of the conversation above."""

    line: ClassVar = "drawer"

    slice: Slice
    number: Number
    run: Number
    identity: Identity
    position: Position
    role: Role
    speaker: Name | None
    said_at: Moment | None
    filed_at: Moment
    is_revision: Flag
    is_repaired: Flag
    content: Message
    said_offset: Offset | None
    reading: Small
    replaced_at: Moment | None
    replaced_by: Identity | None
    """The identity of the drawer that replaced it, if that is in the file as well."""
    replaced_run: Number | None
    """The run that found it replaced."""
    answers: Identity | None
    """The identity of the drawer that it replies to, if that is in the file as well."""
    redacted: TakenOut | None
    """Secrets removed from it, counted by kind."""
    said: Said | None
    """Keyed hash of the original text; null where nothing was removed."""
    memory: MemoryMember | None = field(default=None, metadata=SIXTH)
    """What makes it a memory; null for any other drawer."""


@dataclass(frozen=True, slots=True)
class TombstoneLine(_Members):
    """A forgotten drawer of the conversation above."""

    line: ClassVar = "tombstone"

    identity: Identity
    position: Position
    forgotten_at: Moment
    restored_by: Number | None


@dataclass(frozen=True, slots=True)
class ReplyLine(_Members):
    """A language model's reply about drawers of the conversation above."""

    line: ClassVar = "reply"

    digest: Digest
    """Digest of the model's name and of the drawers as they were sent."""
    model: EntityName
    prompt: Number
    """Version of the prompt."""
    drawers: Annotated[tuple[Identity, ...], Field(min_length=1, max_length=MOST_SHOWN)]
    """Identities of the drawers that were sent, in order."""
    reply: Replied
    called_at: Moment


@dataclass(frozen=True, slots=True)
class EndLine(_Members):
    """The last line, which reveals a file that was cut off or changed."""

    lines: Count
    """Number of lines before this one."""
    sha256: Text
    """SHA-256 of all bytes before this line."""


ConversationPart = RoomLine | DrawerLine | TombstoneLine | ReplyLine
Line = RunLine | ActivityLine | WingLine | DecisionLine | SettingLine | ConversationLine | ConversationPart


@dataclass(frozen=True, slots=True)
class ExportedConversation:
    """A conversation of an export with all lines that belong to it."""

    line: ConversationLine
    rooms: tuple[RoomLine, ...] = ()
    drawers: tuple[DrawerLine, ...] = ()
    tombstones: tuple[TombstoneLine, ...] = ()
    replies: tuple[ReplyLine, ...] = ()


@dataclass(frozen=True, slots=True)
class HiddenParts:
    """All that is needed to file a forgotten drawer again as it was. Runs are cited by their ids."""

    wing: WingLine
    conversation: ConversationLine
    room: RoomLine
    drawer: DrawerLine
    grave: TombstoneLine | None
    """A former tombstone of the drawer, which no longer applies."""
    replaces: tuple[Identity, ...]
    """Identities of the drawers that it replaced."""
    answered_by: tuple[Identity, ...]
    replies: tuple[ReplyLine, ...]
    """Replies of a language model about it; of several drawers forgotten together, they are with the first."""


@cache
def _codec() -> TypeAdapter[HiddenParts]:
    return TypeAdapter(HiddenParts)


def parts_to_json(parts: HiddenParts) -> Any:
    """Convert the parts into values that ``json`` can write."""
    return _codec().dump_python(parts, mode="json")


def parts_from_json(value: Any) -> HiddenParts:
    """Read what ``parts_to_json`` returned."""
    return _codec().validate_python(value)


@dataclass(frozen=True, slots=True)
class Here:
    """A drawer of the importing palace, or a forgotten one."""

    identity: bytes
    position: int
    role: str = ""
    said_at: datetime | None = None
    content: str | None = None
    """Its stored text, if secrets were removed from it; else None."""
    is_forgotten: bool = False


class Home(NamedTuple):
    """The conversation in which an identity exists."""

    conversation: str
    is_filed: bool
    """False if it is forgotten."""
