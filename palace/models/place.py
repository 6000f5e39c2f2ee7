"""The places of the palace: wings, rooms, closets, drawers, and the pointers to them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from palace.models.source import Kinds, Role


class WingKind(StrEnum):
    """The kind of subject of a wing."""

    PERSON = "person"
    PROJECT = "project"
    TOPIC = "topic"
    AGENT = "agent"


LARGEST_NUMBER = 2**31 - 1
"""The largest value of an integer column of the database."""


class WingPointer(NamedTuple):
    """A wing's number, written ``W-042``."""

    wing: int

    def __str__(self) -> str:
        return f"W-{self.wing:03d}"


class RoomPointer(NamedTuple):
    """A room's numbers, written ``W-042/R-11``."""

    wing: int
    room: int

    @property
    def of_wing(self) -> WingPointer:
        """Return the pointer of its wing."""
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
        """Return the pointer of its room."""
        return RoomPointer(self.wing, self.room)

    def __str__(self) -> str:
        return f"§ {self.of_room}/D-{self.drawer:03d}"


class TagKind(StrEnum):
    """The kind of a tag, in the order in which tags are written."""

    PERSON = "p"
    PLACE = "l"
    EVENT = "e"
    ITEM = "i"
    """Anything else, including organisations and projects."""
    TIME = "t"


@dataclass(frozen=True, slots=True)
class Tag:
    """A person, place, event, item or time that a drawer is about."""

    kind: TagKind
    name: str
    """Its current name, whatever the drawer calls it; for a time, the day, month or year ("2026-07-03")."""


@dataclass(frozen=True, slots=True)
class Citation:
    """A drawer's pointer with its tags, ``§ W-042/R-11/D-007 @p Anna @l Ghent``."""

    pointer: Pointer
    tags: tuple[Tag, ...] = ()


@dataclass(frozen=True, slots=True)
class Wing:
    """A wing: one subject of the palace."""

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
    """When the latest of its rooms began; None if unknown or not counted."""

    @property
    def pointer(self) -> WingPointer:
        """Return the pointer of the wing."""
        return WingPointer(self.number)


@dataclass(frozen=True, slots=True)
class Room:
    """A room: a conversation, or one day of it."""

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
    """A closet: one topic in a room."""

    id: int
    slug: str
    name: str
    drawer_count: int = 0
    replaced_count: int = 0
    """How many of its drawers are old versions."""
    first_said_at: datetime | None = None
    """When its first drawer was said."""


@dataclass(frozen=True, slots=True)
class Ended:
    """A statement of a drawer that is no longer true, while others of the same drawer are."""

    subject: str
    """In lower case and without accents; "i" for the owner of the palace."""
    predicate: str
    object: str
    """As the drawer words it."""


@dataclass(frozen=True, slots=True)
class Drawer:
    """One verbatim message or note, with its place in the palace."""

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
    """Index in its conversation, from 0."""
    is_revision: bool = False
    """Whether it is an edited turn or another branch, filed beside the original."""
    is_repaired: bool = False
    """Whether NUL bytes or lone surrogates were replaced, because Postgres cannot store them."""
    redacted: Kinds = ()
    """Secrets removed from the message, counted by kind; the text has a marker for each."""
    said_offset: int | None = None
    """Offset from UTC, in minutes east, of the time in the source; None where it named no zone."""
    replaced_at: datetime | None = None
    """When the source was found to have another text, or none; None while it is current."""
    replaced_by: Pointer | None = None
    """The drawer that replaced it; None while it is current, or if it was deleted from its source."""
    answers: Pointer | None = None
    """The message that it replies to, if the source says so."""
    language: str | None = None
    """Its language or the one assumed, as ISO 639-1; None if unknown."""
    until: datetime | None = None
    """When one of its statements stopped being true; None while all of them are, as far as is known."""
    superseded_by: Pointer | None = None
    """The drawer that says what is true instead; None with ``until`` if the statement only ended."""
    ended: Ended | None = None
    """Which of its statements is no longer true; None if all of them are true, or none."""
    tags: tuple[Tag, ...] = ()
    """The people and things that it is about; empty where drawers are listed."""

    @property
    def dated_at(self) -> datetime:
        """When it was said; when it was filed, if the source does not tell."""
        return self.said_at or self.filed_at

    def alone(self) -> Drawer:
        """Return a copy for readers of its wing alone, without references to other wings.

        ``until`` is kept only if the drawer that says what is true instead is in the same wing.
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
    """Number of all wings."""
    next_offset: int | None
    """Offset of the next page; None on the last."""


@dataclass(frozen=True, slots=True)
class WingContents:
    """A wing and a page of its rooms, in order of number."""

    wing: Wing
    rooms: tuple[Room, ...]
    total: int
    """Number of rooms in the requested period."""
    next_offset: int | None
    """Offset of the next page; None on the last."""


@dataclass(frozen=True, slots=True)
class RoomContents:
    """A room with its closets, and a page of its drawers in the order they were said."""

    wing: Wing
    """The wing that the room is in now."""
    room: Room
    closets: tuple[Closet, ...]
    """All closets, in the order in which their topics first occur."""
    drawers: tuple[Drawer, ...]
    total: int
    """Number of drawers in the requested closet and period."""
    next_offset: int | None
    """Offset of the next page; None on the last."""


class CalendarUnit(StrEnum):
    """The unit of a calendar's slots, the finest first."""

    DAY = "day"
    WEEK = "week"
    """Weeks start on Monday."""
    MONTH = "month"
    YEAR = "year"


@dataclass(frozen=True, slots=True)
class CalendarSlot:
    """A day, week, month or year, with the number of drawers said in it."""

    start: datetime
    """Its start, in the person's zone."""
    end: datetime
    """Its end, exclusive."""
    drawers: int


@dataclass(frozen=True, slots=True)
class Calendar:
    """The number of drawers over time: consecutive slots, earliest first, including empty ones."""

    unit: CalendarUnit
    slots: tuple[CalendarSlot, ...]
    """Empty where there are no dated drawers."""


class Span(NamedTuple):
    """The position of a passage in its drawer: code points ``[start, end)``."""

    start: int
    end: int


class PassageKey(NamedTuple):
    """Identifies a passage in a user's palace."""

    drawer_id: int
    ordinal: int


LONGEST_NAME = 40


def indexed_text(speaker: str | None, said: str) -> str:
    """Return a text as it is indexed: after the speaker's name, because questions name people.

    Of a long name only the beginning is used, so that it does not displace the text.
    """
    return f"{speaker[:LONGEST_NAME]}: {said}" if speaker else said
