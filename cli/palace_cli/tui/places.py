"""What the screens show: pages of places and the drawer that is read; and the messages that ask for them."""

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
"""Where a page begins: behind a wing's number, a room, or a drawer's position and number; None at the first."""


class Level(StrEnum):
    """The kind of a place."""

    WING = "wing"
    ROOM = "room"
    CLOSET = "closet"
    DRAWER = "drawer"
    MORE = "more"
    """No place, but the line that loads what comes before or behind those listed."""


@dataclass(frozen=True, slots=True)
class Place:
    """One line of the tree."""

    level: Level
    id: int
    """0 for drawers that are in no closet."""
    pointer: WingPointer | RoomPointer | Pointer
    """A closet has its room's."""
    name: str
    count: int | None = None
    """Drawers in it; None before they are counted, and for a drawer."""
    when: datetime | None = None
    """When it began; for a wing, when its latest room did."""
    within: int = 0
    """The id of a closet's room."""
    mark: Mark = None
    """Its position in its list; for MORE, the mark of the page that it loads."""
    is_faint: bool = False
    """Whether it is an old version."""
    shared: int = 0
    """Length of the beginning of the name, in whole words, that a place beside it has too."""

    @property
    def key(self) -> str:
        """Its identity, which a new name or another wing does not change."""
        return f"{self.level}:{self.within}:{self.id}"

    @property
    def has_contents(self) -> bool:
        return self.level in {Level.WING, Level.ROOM, Level.CLOSET}


LEAST = 4
"""The shortest shared beginning that "…" replaces."""


def with_shared(places: Sequence[Place]) -> tuple[Place, ...]:
    """Set how much of each name is shared with a place beside it: "Diary, " in "Diary, 2026-03-04"."""
    names = sorted({place.name for place in places})
    longest = dict.fromkeys(names, 0)
    for one, other in pairwise(names):
        begin = commonprefix([one, other])  # noqa: RUF071 — characters are meant
        shared = max(begin.rfind(" "), begin.rfind("/")) + 1
        longest[one], longest[other] = max(longest[one], shared), shared
    return tuple(replace(place, shared=longest[place.name] if longest[place.name] > LEAST else 0) for place in places)


@dataclass(frozen=True, slots=True)
class Page:
    """A part of the contents of a place, in order."""

    places: tuple[Place, ...]
    behind: Mark = None
    """Where it begins."""
    goes_on: bool = False
    """Whether there are more behind it."""

    @property
    def earlier(self) -> Place | None:
        """The line that loads the first page; None on that."""
        return _more(self.places[0], "… earlier", None, 1) if self.places and self.behind is not None else None

    @property
    def more(self) -> Place | None:
        """The line that loads the next page; None on the last."""
        return _more(self.places[-1], "… more", self.places[-1].mark, 2) if self.goes_on else None

    @property
    def lines(self) -> tuple[Place, ...]:
        return tuple(each for each in (self.earlier, *self.places, self.more) if each is not None)


@dataclass(frozen=True, slots=True)
class Step:
    """One level on the way to a place: a page of the contents of a place, and which of them comes next."""

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
        """The pointer of the drawer."""
        return str(self.shown.drawer.pointer)


def address(name: str, type: EntityType) -> str:
    """Return an entity's name with its type, which tells it from others of that name."""
    return f"{name} ({type})"


@dataclass
class DrawerChosen(Message):
    """A drawer was chosen."""

    pointer: str
    enters: bool = True
    """Whether it gets the focus; False where the cursor only passes it."""
    jumps: bool = False
    """Whether the tree goes there too."""


class PlacePassed(Message):
    """The cursor of the tree is on a place that is no drawer."""


@dataclass
class PlaceWanted(Message):
    """The contents of a place, or of the palace, have to be listed, from a mark on."""

    place: Place | None
    behind: Mark = None
    goes_on: bool = False
    """Whether they are added behind those listed, or replace them."""
