"""The palace in outline: its places without what was said in them, for who shows them a page at a time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from palace.records.place import Pointer, Room, Span, WingKind, WingPointer
from palace.records.source import Role


@dataclass(frozen=True, slots=True)
class WingOutline:
    """A wing by its name; what it holds is counted apart, because that takes longer."""

    id: int
    number: int
    name: str
    kind: WingKind

    @property
    def pointer(self) -> WingPointer:
        """The wing as it is cited."""
        return WingPointer(self.number)


@dataclass(frozen=True, slots=True)
class WingHolds:
    """What a wing holds."""

    rooms: int
    drawers: int
    first: datetime | None
    """When the earliest of its rooms began; None where nobody knows."""
    last: datetime | None
    """When the latest of its rooms began."""


@dataclass(frozen=True, slots=True)
class ClosetOutline:
    """A closet, or with neither id nor name what of a room is not sorted into one yet."""

    id: int | None
    name: str | None
    drawers: int
    first: datetime | None
    """When the first of it was said."""


@dataclass(frozen=True, slots=True)
class DrawerOutline:
    """A drawer by how it begins."""

    id: int
    pointer: Pointer
    begins: str
    """Its first characters: no more of a long text is fetched."""
    role: Role
    speaker: str | None
    said_at: datetime | None
    position: int
    is_replaced: bool
    """Whether it is an old version of its message."""

    @property
    def mark(self) -> DrawerMark:
        """Where it stands among the drawers of its conversation."""
        return DrawerMark(self.position, self.pointer.drawer)


@dataclass(frozen=True, slots=True)
class PassageOutline:
    """A passage of a drawer, or a sentence of one."""

    ordinal: int
    span: Span
    kind: str
    """What of it is indexed: a ``PassageKind``."""


class RoomMark(NamedTuple):
    """Where a room stands among those of its wing, the latest begun first."""

    started_at: datetime | None
    number: int


class DrawerMark(NamedTuple):
    """Where a drawer stands among those of its room or closet."""

    position: int
    number: int


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """Where something stands, from the wing down; what lies below it is None."""

    wing: WingOutline
    room: Room | None = None
    closet_id: int | None = None
    drawer: DrawerOutline | None = None


class Change(NamedTuple):
    """What is another whenever a palace has changed; no more can be read from it."""

    activity: int
    activity_at: datetime | None
    drawers: int
    drawer: int
    room: int
    closet: int
