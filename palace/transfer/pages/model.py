"""The data of the pages, and their paths. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo

from palace.config.zones import in_zone
from palace.models import RoomPointer, WingPointer
from palace.models.lines import DrawerLine, RoomLine, WingLine


@dataclass(frozen=True, slots=True)
class Extent:
    """The number of some drawers, and when the first and last were said."""

    drawers: int = 0
    first: datetime | None = None
    last: datetime | None = None

    def and_(self, other: Extent) -> Extent:
        """Return the extent of both together."""
        times = [at for at in (self.first, self.last, other.first, other.last) if at is not None]
        return Extent(self.drawers + other.drawers, min(times, default=None), max(times, default=None))


def extent_of(drawers: Sequence[DrawerLine]) -> Extent:
    """Return the extent of some drawers."""
    times = [each.said_at for each in drawers if each.said_at is not None]
    return Extent(len(drawers), min(times, default=None), max(times, default=None))


@dataclass(frozen=True, slots=True)
class RoomPage:
    """A room with its neighbours in its wing."""

    wing: WingLine
    room: RoomLine
    before: RoomLine | None = None
    after: RoomLine | None = None
    zone: tzinfo = UTC

    @property
    def pointer(self) -> str:
        """The room's pointer."""
        return str(RoomPointer(self.wing.number, self.room.number))


@dataclass(frozen=True, slots=True)
class WingPage:
    """A wing with its rooms in order of beginning, those with an unknown one last."""

    wing: WingLine
    rooms: Sequence[RoomLine]
    zone: tzinfo = UTC

    @property
    def pointer(self) -> str:
        """The wing's pointer."""
        return str(WingPointer(self.wing.number))

    @property
    def pages(self) -> list[RoomPage]:
        """Its rooms, each with its neighbours."""
        around = [None, *self.rooms, None]
        return [
            RoomPage(self.wing, room, around[index], around[index + 2], self.zone)
            for index, room in enumerate(self.rooms)
        ]


_NEVER = datetime.min.replace(tzinfo=UTC)

Extents = Mapping[tuple[int, int], Extent]
"""The extent of each room, by the numbers of its wing and its own."""


def in_order(rooms: Sequence[RoomLine]) -> list[RoomLine]:
    """Sort rooms by beginning, unknown ones last."""
    return sorted(rooms, key=lambda room: (room.started_at is None, room.started_at or _NEVER, room.number))


def beside_wing(page: WingPage, extents: Extents) -> str:
    """Return the number of rooms and drawers in a wing, and their days, as text."""
    whole = Extent()
    for room in page.rooms:
        whole = whole.and_(extents.get((page.wing.number, room.number), Extent()))
    return " · ".join(filter(None, [_count(len(page.rooms), "room"), *_told(whole, page.zone)]))


def beside_room(page: RoomPage, extents: Extents) -> str:
    """Return the number of drawers in a room, and their days, as text."""
    return " · ".join(_told(extents.get((page.wing.number, page.room.number), Extent()), page.zone))


def times_are_in(zone: tzinfo) -> str:
    """Return a sentence that names the time zone of a page."""
    name = str(zone) if str(zone) != repr(zone) else _short_names(zone)
    return f"Times are in {name}."


def _short_names(zone: tzinfo) -> str:
    """Return a computer's zone by its names in winter and in summer: "CET/CEST"."""
    of_year = (datetime(2000, month, 1, tzinfo=zone).tzname() for month in (1, 7))
    return "/".join(dict.fromkeys(name for name in of_year if name)) or "the zone of the computer"


def _told(extent: Extent, zone: tzinfo) -> list[str]:
    days = dict.fromkeys(_shown(at, zone)[:10] for at in (extent.first, extent.last) if at is not None)
    return [_count(extent.drawers, "drawer"), *([" to ".join(days)] if days else [])]


def _count(many: int, noun: str) -> str:
    return f"{many:,} {noun}" if many == 1 else f"{many:,} {noun}s"


def _shown(at: datetime, zone: tzinfo) -> str:
    return in_zone(at, zone).isoformat(" ", "minutes")[:16]


def wing_folder(wing: WingLine) -> str:
    """Return the folder of a wing; only its number, so that no wing's name becomes a path."""
    return f"W-{wing.number:03d}"


def room_stem(room: RoomLine) -> str:
    """Return the file name of a room, without its extension."""
    return f"R-{room.number:02d}"


def anchor(drawer: DrawerLine) -> str:
    """Return the anchor of a drawer in its page."""
    return f"D-{drawer.number:03d}"


def heading(drawer: DrawerLine, zone: tzinfo) -> str:
    """Return a drawer's speaker and time, and a note if it is replaced."""
    who = drawer.speaker or drawer.role.value
    said = who if drawer.said_at is None else f"{who}, {_shown(drawer.said_at, zone)}"
    return said if drawer.replaced_at is None else f"{said} · an old version: its source says something else now"
