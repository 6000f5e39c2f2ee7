"""What stands in the palace: wings, rooms, closets, drawers, and the pointers to them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from palace.models.source import Kinds, Role


class WingKind(StrEnum):
    """What sort of subject a wing is."""

    PERSON = "person"
    PROJECT = "project"
    TOPIC = "topic"
    AGENT = "agent"


LARGEST_NUMBER = 2**31 - 1
"""Of drawers, runs and whatever else is counted: the largest that the database takes."""


class WingPointer(NamedTuple):
    """A wing by its number, ``W-042``."""

    wing: int

    def __str__(self) -> str:
        return f"W-{self.wing:03d}"


class RoomPointer(NamedTuple):
    """A room by the first two numbers of a pointer, ``W-042/R-11``."""

    wing: int
    room: int

    @property
    def of_wing(self) -> WingPointer:
        """The wing's part of it."""
        return WingPointer(self.wing)

    def __str__(self) -> str:
        return f"{self.of_wing}/R-{self.room:02d}"


class Pointer(NamedTuple):
    """The numbers of an AAAK pointer, ``§ W-042/R-11/D-007``."""

    wing: int
    room: int
    drawer: int

    @property
    def of_room(self) -> RoomPointer:
        """The room's part of it."""
        return RoomPointer(self.wing, self.room)

    def __str__(self) -> str:
        return f"§ {self.of_room}/D-{self.drawer:03d}"


class TagKind(StrEnum):
    """What a tag names, in the order in which tags are written."""

    PERSON = "p"
    PLACE = "l"
    EVENT = "e"
    ITEM = "i"
    """What is none of the others: organisations and projects as well."""
    TIME = "t"


@dataclass(frozen=True, slots=True)
class Tag:
    """Whom or what a drawer is about, or a time that it tells."""

    kind: TagKind
    name: str
    """What it is called now, whatever the drawer calls it; of a time, the day, month or year ("2026-07-03")."""


@dataclass(frozen=True, slots=True)
class Citation:
    """A drawer's pointer with its tags, ``§ W-042/R-11/D-007 @p Anna @l Ghent``."""

    pointer: Pointer
    tags: tuple[Tag, ...] = ()


@dataclass(frozen=True, slots=True)
class Wing:
    """A subject."""

    id: int
    number: int
    slug: str
    name: str
    kind: WingKind
    room_count: int = 0
    drawer_count: int = 0
    replaced_count: int = 0
    """How many of its drawers are old versions."""
    latest_at: datetime | None = None
    """When the latest of its rooms began; None where nobody knows, or it was not counted."""

    @property
    def pointer(self) -> WingPointer:
        """The wing as it is cited."""
        return WingPointer(self.number)


@dataclass(frozen=True, slots=True)
class Room:
    """A time slice of a wing."""

    id: int
    wing_id: int
    number: int
    name: str
    started_at: datetime | None
    drawer_count: int = 0
    replaced_count: int = 0
    """How many of its drawers are old versions."""


@dataclass(frozen=True, slots=True)
class Closet:
    """One topic inside a room."""

    id: int
    slug: str
    name: str
    drawer_count: int = 0
    replaced_count: int = 0
    """How many of its drawers are old versions."""
    first_said_at: datetime | None = None
    """When the first of it was said."""


@dataclass(frozen=True, slots=True)
class Ended:
    """What a drawer says that is so no longer, beside other things that it says and that hold."""

    subject: str
    """In lower case and without accents; "i" for the person whose palace it is."""
    predicate: str
    object: str
    """As it was said."""


@dataclass(frozen=True, slots=True)
class Drawer:
    """One verbatim message or note, with where it stands."""

    id: int
    pointer: Pointer
    content: str
    role: Role
    speaker: str | None
    said_at: datetime | None
    filed_at: datetime
    wing_name: str
    room_name: str
    closet_name: str | None
    position: int
    """Place in its conversation, from 0."""
    is_revision: bool = False
    """An edited turn or another branch: filed beside what it replaced."""
    is_repaired: bool = False
    """NUL bytes or lone surrogates were replaced, because Postgres text cannot hold them."""
    redacted: Kinds = ()
    """How many secrets of each kind were taken out of what was said; the text has a marker for each."""
    said_offset: int | None = None
    """Minutes east of UTC in which the source wrote the time; None where it named no zone."""
    replaced_at: datetime | None = None
    """When it was found that its source says something else now, or nothing; None while it stands."""
    replaced_by: Pointer | None = None
    """What took its place; None with ``replaced_at``: it is no longer in its source."""
    answers: Pointer | None = None
    """The message it answers, where the source says so."""
    language: str | None = None
    """What it is written in, or taken to be, as ISO 639-1; None where nothing tells."""
    until: datetime | None = None
    """When something that it says stopped being so; None while all of it holds, as far as is known."""
    superseded_by: Pointer | None = None
    """What says what holds instead; None with ``until``: it only ended."""
    ended: Ended | None = None
    """Which of the things that it says is so no longer; None where none of them holds, or all do."""
    tags: tuple[Tag, ...] = ()
    """Whom and what it is about, as far as it is known; where drawers are listed, they are left out."""

    def alone(self) -> Drawer:
        """Give it as who may only look at its wing is shown it: it cites nothing that stands in another.

        What stopped being so still is so, unless the same wing says what holds instead.
        """
        kept = replace(self, replaced_by=self._beside(self.replaced_by), answers=self._beside(self.answers))
        is_told_here = self._beside(self.superseded_by) is not None
        return kept if is_told_here else replace(kept, until=None, superseded_by=None, ended=None)

    def _beside(self, cited: Pointer | None) -> Pointer | None:
        return cited if cited is not None and cited.wing == self.pointer.wing else None


@dataclass(frozen=True, slots=True)
class PalaceContents:
    """A page of the palace's wings, in order of number."""

    wings: tuple[Wing, ...]
    total: int
    """How many wings there are."""
    next_offset: int | None
    """Where the next page begins; None with the last."""


@dataclass(frozen=True, slots=True)
class WingContents:
    """A wing and a page of its rooms, in order of number."""

    wing: Wing
    rooms: tuple[Room, ...]
    total: int
    """How many rooms there are within the time that was asked for."""
    next_offset: int | None
    """Where the next page begins; None with the last."""


@dataclass(frozen=True, slots=True)
class RoomContents:
    """A room with its closets, and a page of its drawers in the order they were said."""

    wing: Wing
    """That the room stands in now."""
    room: Room
    closets: tuple[Closet, ...]
    """All of them, in the order their topics first come up."""
    drawers: tuple[Drawer, ...]
    total: int
    """How many drawers there are in the closet and within the time that were asked for."""
    next_offset: int | None
    """Where the next page begins; None with the last."""


class CalendarUnit(StrEnum):
    """What a slot of a calendar is, the finest first."""

    DAY = "day"
    WEEK = "week"
    """From Monday."""
    MONTH = "month"
    YEAR = "year"


@dataclass(frozen=True, slots=True)
class CalendarSlot:
    """A day, a week, a month or a year, with how much was said in it."""

    start: datetime
    """Its first moment, in the person's zone."""
    end: datetime
    """The first moment behind it."""
    drawers: int


@dataclass(frozen=True, slots=True)
class Calendar:
    """When things were said: slots side by side, the earliest first, those of nothing too."""

    unit: CalendarUnit
    slots: tuple[CalendarSlot, ...]
    """None where nothing was said."""


class Span(NamedTuple):
    """A passage's place in its drawer: code points ``[start, end)``."""

    start: int
    end: int


class PassageKey(NamedTuple):
    """Which passage of a user's palace."""

    drawer_id: int
    ordinal: int
