"""Lists the places of the palace for the tree. Every method blocks: call it in a thread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from palace.errors import NotFound
from palace.models import Closet, Drawer, Room, RoomContents, RoomPointer, Wing, WingContents
from palace.nlp.pointers import is_pointer
from palace_cli.render.drawer import preview
from palace_cli.tui.places import Level, Mark, Page, Place, Step, with_shared

if TYPE_CHECKING:
    from palace.api.palace import Palace


PAGE = 100
"""Places that are listed at a time."""
MOST_AGAIN = 500
"""Places that are listed again after a change at most; those beyond are behind "… more" again."""
PREVIEW = 160
"""The longest name of a drawer, in characters; the tree shows what it has room for."""
BEGINS = 200
"""Characters of a drawer that its name is made of."""
UNSORTED = "not sorted yet"
"""The name for drawers that are in no closet."""
BEFORE = 10
"""Drawers that are listed before one that is jumped to."""


class Listing:
    """Lists places, a page at a time."""

    def __init__(self, palace: Palace) -> None:
        self._palace = palace
        self._tree = palace.tree

    def first(self) -> tuple[tuple[object, ...], Page]:
        """Return the state before listing (``change``), and the wings."""
        return self.change(), self.page(None)

    def page(self, place: Place | None, behind: Mark = None, *, limit: int | None = None) -> Page:
        """List the contents of a place, or of the palace, behind a mark."""
        most = min(limit or PAGE, MOST_AGAIN)
        found = self._list(place, behind, most + 1)
        if found and found[0].level is Level.CLOSET:
            return Page(with_shared(found))
        return Page(with_shared(found[:most]), behind, goes_on=len(found) > most)

    def counted(self, places: Sequence[Place]) -> list[Place]:
        """Return wings with their counts, which take longer than listing them."""
        counted = {wing.id: wing for wing in self._tree.wings(ids=[place.id for place in places])}
        return [
            replace(place, count=counted[place.id].drawer_count, when=counted[place.id].latest_at)
            for place in places
            if place.id in counted
        ]

    def change(self) -> tuple[object, ...]:
        """Return a value that differs after every change of the palace."""
        return self._tree.change()

    def way_to(self, pointer: str) -> list[Step]:
        """Return the steps from the wings down to a place, each with a page that contains the next one.

        Raises:
            BadRequest: it is no pointer; ``NotFound``: nothing is there.
        """
        drawer = self._palace.show(pointer).drawer if is_pointer(pointer) else None
        found = self._tree.contents(str(drawer.pointer.of_room) if drawer else pointer, limit=1)
        assert isinstance(found, (WingContents, RoomContents))
        wing = _wing(found.wing)
        steps = [self._step(None, wing, found.wing.number - 1)]
        if isinstance(found, WingContents):
            return steps
        room = _room(found.room, found.wing.number)
        steps.append(self._step(wing, room, replace(found.room, number=found.room.number + 1)))
        return steps if drawer is None else [*steps, *self._into(room, drawer)]

    def _into(self, room: Place, drawer: Drawer) -> list[Step]:
        closets = self.page(room)
        within, steps = room, []
        name = drawer.closet_name or UNSORTED
        closet = next((each for each in closets.places if each.level is Level.CLOSET and each.name == name), None)
        if closet is not None:
            steps, within = [Step(room, closets, closet)], closet
        return [*steps, self._step(within, place_of(drawer), (drawer.position - BEFORE, 0))]

    def _step(self, within: Place | None, to: Place, behind: Mark) -> Step:
        first = self.page(within)
        is_there = any(each.key == to.key for each in first.places)
        return Step(within, first if is_there else self.page(within, behind), to)

    def _list(self, place: Place | None, behind: Mark, limit: int) -> list[Place]:
        if place is None:
            after = behind if isinstance(behind, int) else 0
            return [_wing(each) for each in self._tree.wings(after=after, limit=limit, counted=False)]
        if place.level is Level.WING:
            at = behind if isinstance(behind, Room) else None
            rooms = self._tree.latest_rooms(place.id, behind=at, limit=limit)
            return [_room(each, place.pointer.wing) for each in rooms]
        if place.level is Level.ROOM and behind is None:
            closets = self._closets(place)
            if len(closets) > 1:
                return closets
        return self._drawers(place, behind, limit)

    def _closets(self, room: Place) -> list[Place]:
        """List a room's closets, then the drawers that are in none yet as one more."""
        try:
            found = self._tree.contents(str(room.pointer), limit=1)
        except NotFound:
            return []
        assert isinstance(found, RoomContents)
        sorted_in = sum(closet.drawer_count for closet in found.closets)
        rest = Closet(0, "", UNSORTED, found.room.drawer_count - sorted_in)
        return [_closet(each, room) for each in (*found.closets, rest) if each.drawer_count]

    def _drawers(self, place: Place, behind: Mark, limit: int) -> list[Place]:
        at = behind if isinstance(behind, tuple) else None
        room_id, closet_id = (place.within, place.id) if place.level is Level.CLOSET else (place.id, None)
        found = self._tree.drawers_behind(room_id, at, closet_id=closet_id, limit=limit)
        return [place_of(each) for each in found]


def _wing(wing: Wing) -> Place:
    return Place(Level.WING, wing.id, wing.pointer, wing.name, mark=wing.number)


def _room(room: Room, wing_number: int) -> Place:
    pointer = RoomPointer(wing_number, room.number)
    return Place(Level.ROOM, room.id, pointer, room.name, room.drawer_count, room.started_at, mark=room)


def _closet(closet: Closet, room: Place) -> Place:
    pointer, began = RoomPointer(*room.pointer[:2]), closet.first_said_at
    return Place(Level.CLOSET, closet.id, pointer, closet.name, closet.drawer_count, began, within=room.id)


def place_of(drawer: Drawer) -> Place:
    """Return the line of a drawer, named by its first words."""
    name = preview(drawer.content[:BEGINS].lstrip("# \n"), limit=PREVIEW)
    mark, is_old = (drawer.position, drawer.pointer.drawer), drawer.replaced_at is not None
    return Place(Level.DRAWER, drawer.id, drawer.pointer, name, when=drawer.said_at, mark=mark, is_faint=is_old)
