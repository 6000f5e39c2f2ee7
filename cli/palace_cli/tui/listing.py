"""What stands where, for the tree. Every method blocks: it is called in a thread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from palace.records import Room, RoomPointer
from palace.records.outline import Change, ClosetOutline, DrawerMark, DrawerOutline, RoomMark, Whereabouts, WingOutline
from palace_cli.render.drawer import preview
from palace_cli.tui.places import Level, Mark, Page, Place, Step

if TYPE_CHECKING:
    from palace.palace import Palace


PAGE = 100
"""Places that are listed at a time."""
MOST_AGAIN = 500
"""Places of a list that are listed again when something changed; what was loaded beyond is behind "… more" again."""
PREVIEW = 160
"""Characters of a drawer on its line at most; the tree shows what it has room for."""
BEFORE = 10
"""Drawers that are listed before one that is jumped to."""


class Listing:
    """Lists places, a page at a time."""

    def __init__(self, palace: Palace) -> None:
        self._outline = palace.outline

    def first(self) -> tuple[Change, Page]:
        """List the wings; what changes from before that on is seen as a change."""
        return self.change(), self.page(None)

    def page(self, place: Place | None, behind: Mark = None, *, limit: int | None = None) -> Page:
        """List what stands in a place behind a mark; in the palace where it is None."""
        most = min(limit or PAGE, MOST_AGAIN)
        found = self._list(place, behind, most + 1)
        if found and found[0].level is Level.CLOSET:
            return Page(tuple(found))
        return Page(tuple(found[:most]), behind, goes_on=len(found) > most)

    def counted(self, places: Sequence[Place]) -> list[Place]:
        """Give wings with what they hold, which takes longer than listing them."""
        held = self._outline.wings_hold([place.id for place in places])
        return [
            replace(place, count=held[place.id].drawers, when=held[place.id].last)
            for place in places
            if place.id in held
        ]

    def change(self) -> Change:
        return self._outline.change()

    def way_to(self, pointer: str) -> list[Step]:
        """Give the steps that lead to a place, each with a page on which it goes on.

        Raises:
            BadRequest: it is no pointer; ``NotFound``: nothing is there.
        """
        found = self._outline.find(pointer)
        wing = _wing(found.wing)
        steps = [self._step(None, wing, found.wing.number - 1)]
        if found.room is None:
            return steps
        room = _room(found.room, found.wing.number)
        steps.append(self._step(wing, room, RoomMark(found.room.started_at, found.room.number + 1)))
        return steps if found.drawer is None else [*steps, *self._into(room, found, found.drawer)]

    def _into(self, room: Place, found: Whereabouts, line: DrawerOutline) -> list[Step]:
        closets = self.page(room)
        within, steps = room, []
        closet = next((each for each in closets.places if each.id == (found.closet_id or 0)), None)
        if closet is not None and closet.level is Level.CLOSET:
            steps, within = [Step(room, closets, closet)], closet
        mark = DrawerMark(line.position - BEFORE, 0) if line.position > PAGE else None
        return [*steps, Step(within, self.page(within, mark), _drawer(line))]

    def _step(self, within: Place | None, to: Place, behind: Mark) -> Step:
        first = self.page(within)
        is_there = any(each.key == to.key for each in first.places)
        return Step(within, first if is_there else self.page(within, behind), to)

    def _list(self, place: Place | None, behind: Mark, limit: int) -> list[Place]:
        outline = self._outline
        if place is None:
            after = behind if isinstance(behind, int) else 0
            return [_wing(each) for each in outline.wings(after=after, limit=limit)]
        if place.level is Level.WING:
            at = behind if isinstance(behind, RoomMark) else None
            rooms = outline.rooms(place.id, behind=at, limit=limit)
            return [_room(each, place.pointer.wing) for each in rooms]
        if place.level is Level.ROOM and behind is None:
            closets = outline.closets(place.id)
            if len(closets) > 1:
                return [_closet(each, place) for each in closets]
        return self._drawers(place, behind, limit)

    def _drawers(self, place: Place, behind: Mark, limit: int) -> list[Place]:
        at = behind if isinstance(behind, DrawerMark) else None
        if place.level is Level.CLOSET:
            lines = self._outline.drawers(place.within, closet_id=place.id or None, behind=at, limit=limit)
        else:
            lines = self._outline.drawers(place.id, behind=at, limit=limit)
        return [_drawer(each) for each in lines]


def _wing(wing: WingOutline) -> Place:
    return Place(Level.WING, wing.id, wing.pointer, wing.name, mark=wing.number)


def _room(room: Room, wing_number: int) -> Place:
    pointer = RoomPointer(wing_number, room.number)
    mark = RoomMark(room.started_at, room.number)
    return Place(Level.ROOM, room.id, pointer, room.name, room.drawer_count, room.started_at, mark=mark)


def _closet(closet: ClosetOutline, room: Place) -> Place:
    name = closet.name or "not sorted yet"
    pointer = RoomPointer(*room.pointer[:2])
    return Place(Level.CLOSET, closet.id or 0, pointer, name, closet.drawers, closet.first, within=room.id)


def _drawer(line: DrawerOutline) -> Place:
    name = preview(line.begins, limit=PREVIEW)
    return Place(
        Level.DRAWER, line.id, line.pointer, name, when=line.said_at, mark=line.mark, is_faint=line.is_replaced
    )
