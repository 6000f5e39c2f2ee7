"""What pages are made of, and where each stands. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from palace.files.lines import DrawerLine, RoomLine, WingLine
from palace.records import RoomPointer, WingPointer


@dataclass(frozen=True, slots=True)
class RoomPage:
    """A room with its neighbours in its wing."""

    wing: WingLine
    room: RoomLine
    before: RoomLine | None = None
    after: RoomLine | None = None

    @property
    def pointer(self) -> str:
        """The room's, as it is cited."""
        return str(RoomPointer(self.wing.number, self.room.number))


@dataclass(frozen=True, slots=True)
class WingPage:
    """A wing with its rooms, in order of number."""

    wing: WingLine
    rooms: Sequence[RoomLine]

    @property
    def pointer(self) -> str:
        """The wing's, as it is cited."""
        return str(WingPointer(self.wing.number))

    @property
    def pages(self) -> list[RoomPage]:
        """Its rooms, each with those beside it."""
        around = [None, *self.rooms, None]
        return [RoomPage(self.wing, room, *around[place : place + 3 : 2]) for place, room in enumerate(self.rooms)]


def wing_folder(wing: WingLine) -> str:
    """Name the folder of a wing; by its number alone, so that no name of a wing is one of a path."""
    return f"W-{wing.number:03d}"


def room_stem(room: RoomLine) -> str:
    """Name the file of a room, without what it ends in."""
    return f"R-{room.number:02d}"


def anchor(drawer: DrawerLine) -> str:
    """Name the place of a drawer in its page."""
    return f"D-{drawer.number:03d}"


def spoken_by(drawer: DrawerLine) -> str:
    """Say who said it, and when."""
    who = drawer.speaker or drawer.role.value
    return who if drawer.said_at is None else f"{who}, {drawer.said_at:%Y-%m-%d %H:%M} UTC"


def remarks(drawer: DrawerLine) -> str:
    """Say what is not as usual with a drawer."""
    return "an old version: its source says something else now" if drawer.replaced_at is not None else ""
