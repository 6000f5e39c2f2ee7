"""What the tree shows: places of the palace, a page at a time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from palace.records import Pointer, RoomPointer, WingPointer


class Level(StrEnum):
    """How deep a place lies."""

    WING = "wing"
    ROOM = "room"
    CLOSET = "closet"
    DRAWER = "drawer"
    MORE = "more"
    """Not a place: what stands behind the last that is listed."""


@dataclass(frozen=True, slots=True)
class Place:
    """One line of the tree."""

    level: Level
    id: int
    pointer: WingPointer | RoomPointer | Pointer
    """Its own; of a closet, its room's."""
    name: str
    count: int | None = None
    """Drawers in it; None where they are not counted yet, and of a drawer."""
    when: datetime | None = None
    offset: int = 0
    """Of what stands behind a page: where the next begins."""

    @property
    def key(self) -> str:
        """What it is known by, however it is named and wherever it is moved."""
        return f"{self.level}:{self.id}"


@dataclass(frozen=True, slots=True)
class Page:
    """Some of what stands in a place, in order."""

    places: tuple[Place, ...]
    more: Place | None = None
    """What asks for the next page; None behind the last."""
