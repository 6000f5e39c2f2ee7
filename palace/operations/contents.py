"""List the contents of a place, a page at a time, and count drawers by time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

from palace.db import tree as stored
from palace.db.database import UserSession
from palace.db.drawers import Part, count_room_drawers, list_room_drawers
from palace.db.recent import count_said, find_said_extent
from palace.errors import BadRequest, NotFound
from palace.models import (
    LARGEST_NUMBER,
    Calendar,
    CalendarSlot,
    CalendarUnit,
    Closet,
    PalaceContents,
    Room,
    RoomContents,
    Wing,
    WingContents,
    intake,
)
from palace.nlp.words import slugify
from palace.opened import OpenPalace
from palace.recall.slots import cut_into_slots

MOST_NAMED = 5
"""Closets that are named where there is none of a name."""


@dataclass(frozen=True, slots=True)
class Page:
    """The requested part of a list."""

    limit: int | None
    """None for the whole list."""
    offset: int
    since: datetime | None = None
    until: datetime | None = None

    @classmethod
    def of(
        cls,
        opened: OpenPalace,
        *,
        limit: int | None,
        offset: int,
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> Page:
        """Validate a caller's paging arguments.

        Raises:
            BadRequest: a number is out of range, or an argument is of a wrong type.
        """
        first = intake.integer("offset", offset)
        most = None if limit is None else intake.integer("limit", limit)
        if not 0 <= first <= LARGEST_NUMBER or (most is not None and not 1 <= most <= LARGEST_NUMBER):
            raise BadRequest(f"limit must be from 1, offset from 0, both to {LARGEST_NUMBER}")
        zone = opened.settings.zone
        return cls(most, first, intake.moment("since", since, zone), intake.moment("until", until, zone))

    @property
    def times(self) -> tuple[datetime | None, datetime | None]:
        """Return the requested period: from the first time on, before the second."""
        return self.since, self.until

    def goes_on(self, listed: Sequence[object], count: Callable[[], int]) -> tuple[int, int | None]:
        """Return the total number, and the offset of the next page; ``count`` is called only if needed."""
        end = self.offset + len(listed)
        is_last = self.limit is None or len(listed) < self.limit
        total = end if is_last and (listed or not self.offset) else count()
        return total, end if listed and end < total else None


def contents_of_palace(opened: OpenPalace, page: Page) -> PalaceContents:
    """List a page of the wings.

    Raises:
        BadRequest: a time was given, which wings do not have.
    """
    if page.times != (None, None):
        raise BadRequest("since and until narrow a wing or a room: name one")

    def read(session: UserSession) -> PalaceContents:
        wings = stored.list_wings(session, limit=page.limit, offset=page.offset)
        return PalaceContents(wings, *page.goes_on(wings, lambda: stored.count_places(session)[0]))

    return opened.run(read)


def contents_of_wing(opened: OpenPalace, wing: Wing, page: Page) -> WingContents:
    """List a page of a wing's rooms that began in the requested period."""

    def read(session: UserSession) -> WingContents:
        rooms = stored.list_rooms(session, wing.id, limit=page.limit, offset=page.offset, begun=page.times)
        total = page.goes_on(rooms, lambda: stored.count_rooms(session, wing.id, begun=page.times))
        return WingContents(wing, rooms, *total)

    return opened.run(read)


def contents_of_room(opened: OpenPalace, room: Room, page: Page, closet: str | None) -> RoomContents:
    """List a room's closets and a page of its drawers in the requested period, of one closet if it is named.

    Raises:
        NotFound: there is no such closet, or the room is gone.
    """

    def read(session: UserSession) -> RoomContents:
        wing = stored.find_wing_by_id(session, room.wing_id)
        if wing is None:
            raise NotFound(f"the room {room.name!r} was forgotten or moved meanwhile; `palace ls` lists what there is")
        chosen = None if closet is None else get_closet(session, room, closet).id
        part = Part(room.id, chosen, *page.times)
        drawers = tuple(list_room_drawers(session, part, limit=page.limit, offset=page.offset))
        total = page.goes_on(drawers, lambda: count_room_drawers(session, part))
        return RoomContents(wing, room, stored.list_closets(session, room.id), drawers, *total)

    return opened.run(read)


LARGEST_CALENDAR = 1000
"""Slots of a calendar, at most: more than the columns of a terminal."""


def count_calendar(opened: OpenPalace, *, most: int, wing: Wing | None, said: tuple[object, object]) -> Calendar:
    """Count drawers by time, in at most so many slots.

    Raises:
        BadRequest: a number is out of range, a time is invalid, or ``since`` is not earlier than ``until``.
    """
    zone = opened.settings.zone
    if not 1 <= intake.integer("slots", most) <= LARGEST_CALENDAR:
        raise BadRequest(f"slots must be from 1 to {LARGEST_CALENDAR}, not {most}")
    since, until = intake.moment("since", said[0], zone), intake.moment("until", said[1], zone)
    if since and until and since >= until:
        raise BadRequest("since must be earlier than until")

    def count(session: UserSession) -> Calendar:
        extent = find_said_extent(session)
        if extent is None:
            return Calendar(CalendarUnit.DAY, ())
        first = extent[0] if since is None else max(extent[0], since)
        last = extent[1] if until is None else min(extent[1], until - timedelta(microseconds=1))
        if first > last:
            return Calendar(CalendarUnit.DAY, ())
        unit, edges = cut_into_slots(first, last, zone, most=most)
        counts = count_said(session, edges, wing_id=None if wing is None else wing.id)
        slots = (CalendarSlot(*ends, counts.get(index, 0)) for index, ends in enumerate(pairwise(edges)))
        return Calendar(unit, tuple(slots))

    return opened.run(count)


def get_closet(session: UserSession, room: Room, name: str) -> Closet:
    """Return a closet of a room by its name.

    Raises:
        NotFound: there is none; the message lists the closets of the room.
    """
    found = stored.find_closets(session, room.id, name, slugify(name))
    if not found:
        names = [repr(closet.name) for closet in stored.list_closets(session, room.id)]
        more = f" and {len(names) - MOST_NAMED:,} more" if len(names) > MOST_NAMED else ""
        there = f"it has {', '.join(names[:MOST_NAMED])}{more}" if names else "it has none"
        raise NotFound(f"there is no closet {name!r} in the room {room.name!r}: {there}")
    return found[0]
