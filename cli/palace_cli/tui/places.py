"""What the screens show: places of the palace, a page at a time, and a drawer that is read; and asking for both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from itertools import pairwise
from os.path import commonprefix

from textual.message import Message

from palace.models import Drawer, EntityType, Pointer, Room, RoomPointer, ShownDrawer, WingPointer

Mark = int | Room | tuple[int, int] | None
"""What a page stands behind: a wing's number, a room, a drawer's position and number; None: from the first on."""


class Level(StrEnum):
    """How deep a place lies."""

    WING = "wing"
    ROOM = "room"
    CLOSET = "closet"
    DRAWER = "drawer"
    MORE = "more"
    """Not a place: what stands before or behind those that are listed."""


@dataclass(frozen=True, slots=True)
class Place:
    """One line of the tree."""

    level: Level
    id: int
    """Its own; 0 of what is sorted into no closet."""
    pointer: WingPointer | RoomPointer | Pointer
    """Its own; of a closet, its room's."""
    name: str
    count: int | None = None
    """Drawers in it; None where they are not counted yet, and of a drawer."""
    when: datetime | None = None
    """When it began; of a wing, when the latest in it did."""
    within: int = 0
    """Of a closet: the id of its room."""
    mark: Mark = None
    """Where it stands among its like; of MORE, what the page that it asks for stands behind."""
    is_faint: bool = False
    """Whether it is an old version."""
    shared: int = 0
    """Characters at the beginning of the name that another one beside it begins with too: whole words."""

    @property
    def key(self) -> str:
        """What it is known by, however it is named and wherever it is moved."""
        return f"{self.level}:{self.within}:{self.id}"

    @property
    def is_open_ended(self) -> bool:
        return self.level in {Level.WING, Level.ROOM, Level.CLOSET}


LEAST = 4
"""Characters of a beginning that are worth the sign which stands for them."""


def with_shared(places: Sequence[Place]) -> tuple[Place, ...]:
    """Say of each place how much of its name says nothing beside the others: "Diary, " of "Diary, 2026-03-04"."""
    names = sorted({place.name for place in places})
    longest = dict.fromkeys(names, 0)
    for one, other in pairwise(names):
        begin = commonprefix([one, other])  # noqa: RUF071 — characters are meant
        shared = max(begin.rfind(" "), begin.rfind("/")) + 1
        longest[one], longest[other] = max(longest[one], shared), shared
    return tuple(replace(place, shared=longest[place.name] if longest[place.name] > LEAST else 0) for place in places)


@dataclass(frozen=True, slots=True)
class Page:
    """Some of what stands in a place, in order."""

    places: tuple[Place, ...]
    behind: Mark = None
    """What it begins behind."""
    goes_on: bool = False
    """Whether there is more behind the last."""

    @property
    def earlier(self) -> Place | None:
        """What asks for the beginning; None where this is it."""
        return _more(self.places[0], "… earlier", None, 1) if self.places and self.behind is not None else None

    @property
    def more(self) -> Place | None:
        """What asks for the next page; None behind the last."""
        return _more(self.places[-1], "… more", self.places[-1].mark, 2) if self.goes_on else None

    @property
    def lines(self) -> tuple[Place, ...]:
        return tuple(each for each in (self.earlier, *self.places, self.more) if each is not None)


@dataclass(frozen=True, slots=True)
class Step:
    """One level down on the way to a place: what stands in a place, and which of it leads on."""

    within: Place | None
    page: Page
    to: Place


def _more(beside: Place, name: str, mark: Mark, number: int) -> Place:
    return Place(Level.MORE, number, beside.pointer, name, mark=mark)


@dataclass(frozen=True, slots=True)
class Reading:
    """A drawer as it is read."""

    shown: ShownDrawer
    before: tuple[Drawer, ...]
    """What was said before it in its conversation."""
    after: tuple[Drawer, ...]

    @property
    def pointer(self) -> str:
        """Where it stands."""
        return str(self.shown.drawer.pointer)


def address(name: str, type: EntityType) -> str:
    """Write an entity's name so that it is told from one of another type."""
    return f"{name} ({type})"


@dataclass
class DrawerChosen(Message):
    """A person wants to see a drawer."""

    pointer: str
    enters: bool = True
    """Whether they go on to read it; False: the cursor only passes it."""
    jumps: bool = False
    """Whether the tree is to go there as well."""


@dataclass
class PlaceWanted(Message):
    """What stands in a place is to be listed, behind a mark; None is the palace, and from the first on."""

    place: Place | None
    behind: Mark = None
    goes_on: bool = False
    """Whether it is to stand behind what is listed, or in its place."""
