"""What an export holds, line by line, and what exporting and importing report."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

from palace.records.place import WingKind
from palace.records.source import Role


@dataclass(frozen=True, slots=True)
class HeaderLine:
    """The first line: which palace this is of."""

    palace: UUID
    """Its key."""
    wing_seq: int
    """The last wing number that palace has given out."""


@dataclass(frozen=True, slots=True)
class RunLine:
    """A run; other lines cite it by its place among the runs, the first being 1."""

    source: str
    started_at: datetime
    finished_at: datetime | None
    drawer_count: int
    undone_at: datetime | None
    basis: tuple[int, ...]
    """The runs it relied on, in ascending order."""


@dataclass(frozen=True, slots=True)
class AliasPart:
    """Another name of a wing."""

    slug: str
    name: str
    number: int | None
    """That of a wing merged into this one."""


@dataclass(frozen=True, slots=True)
class WingLine:
    """A wing; other lines cite it by its number."""

    number: int
    slug: str
    name: str
    kind: WingKind
    room_seq: int
    created_at: datetime
    aliases: tuple[AliasPart, ...]


@dataclass(frozen=True, slots=True)
class ConversationLine:
    """A conversation; what follows it up to the next one belongs to it."""

    identity: str
    reader: str
    title: str | None
    run: int
    filed_at: datetime
    edges: tuple[int, ...] = ()
    """Hashes of lines by which it is found again where it has no id of its own, in ascending order."""


class FormerPlace(NamedTuple):
    """The numbers of a place where a room stood once."""

    wing: int
    room: int


@dataclass(frozen=True, slots=True)
class RoomLine:
    """A slice of the conversation above; its drawers cite it by the slice's name."""

    slice: str
    wing: int
    number: int
    name: str
    started_at: datetime | None
    drawer_seq: int
    created_at: datetime
    former: tuple[FormerPlace, ...]


@dataclass(frozen=True, slots=True)
class DrawerLine:
    """A drawer of the conversation above."""

    slice: str
    number: int
    run: int
    identity: bytes
    position: int
    role: Role
    speaker: str | None
    said_at: datetime | None
    filed_at: datetime
    is_revision: bool
    is_repaired: bool
    content: str
    said_offset: int | None = None
    reading: int = 1
    replaced_at: datetime | None = None
    replaced_by: bytes | None = None
    """The identity of the drawer that took its place, where that is in the file as well."""
    replaced_run: int | None = None
    """The run that found it."""
    answers: bytes | None = None
    """The identity of the drawer that it answers, where that is in the file as well."""


@dataclass(frozen=True, slots=True)
class TombstoneLine:
    """A drawer of the conversation above that was forgotten."""

    identity: bytes
    position: int
    forgotten_at: datetime
    restored_by: int | None


@dataclass(frozen=True, slots=True)
class EndLine:
    """The last line: what tells a whole file from one that was cut off or changed."""

    lines: int
    """How many stand before this one."""
    sha256: str
    """Of every byte before this line."""


ConversationPart = RoomLine | DrawerLine | TombstoneLine
Line = RunLine | WingLine | ConversationLine | ConversationPart


@dataclass(frozen=True, slots=True)
class ExportedConversation:
    """A conversation of an export with everything that belongs to it."""

    line: ConversationLine
    rooms: tuple[RoomLine, ...] = ()
    drawers: tuple[DrawerLine, ...] = ()
    tombstones: tuple[TombstoneLine, ...] = ()


@dataclass(frozen=True, slots=True)
class ExportSummary:
    """What one export wrote."""

    file: str | None
    """None where it went into a stream."""
    runs: int
    wings: int
    conversations: int
    rooms: int
    drawers: int
    tombstones: int
    size_bytes: int
    seconds: float


@dataclass(frozen=True, slots=True)
class ImportSummary:
    """What one import did."""

    wings: int
    """In the file, as are the conversations and the tombstones."""
    conversations: int
    tombstones: int
    drawers_new: int
    drawers_unchanged: int
    """The palace had them already."""
    drawers_forgotten: int
    """Left out because the palace has forgotten them."""
    passages_embedded: int
    passages_pending: int
    """Passages still without an embedding; ``palace embeddings backfill`` does them."""
    cost_usd: Decimal
    seconds: float
    warnings: tuple[str, ...] = ()
