"""What stands where, for the tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from palace.records import Closet, Drawer, Room, RoomPointer, Wing
from palace_cli.render.excerpt import preview
from palace_cli.tui.source.places import Level, Page, Place

if TYPE_CHECKING:
    from palace.palace import Palace

PAGE = 100
"""Places that are listed at a time."""
PREVIEW = 80
"""Characters of a drawer on its line."""


class TreeSource:
    """Lists places, a page at a time. Every method blocks: call it from a thread."""

    def __init__(self, palace: Palace) -> None:
        self._tree = palace.tree

    def page(self, place: Place | None, after: Place | None = None) -> Page:
        """List what stands in a place, behind what ``after`` stands for; in the palace where it is None."""
        offset = after.offset if after else 0
        if place is None:
            wings = self._tree.wings(limit=PAGE + 1, offset=offset)
            return _page([_wing(each) for each in wings], offset)
        if place.level is Level.WING:
            wing = self._tree.wing(str(place.pointer))
            rooms = self._tree.rooms(wing, limit=PAGE + 1, offset=offset)
            return _page([_room(each, wing) for each in rooms], offset)
        return self._of_room(place, offset)

    def _of_room(self, place: Place, offset: int) -> Page:
        pointer = RoomPointer(place.pointer[0], place.pointer[1])  # type: ignore[misc]
        room = self._tree.room(str(pointer))
        closets = self._tree.closets(room)
        if place.level is Level.ROOM and len(closets) > 1:
            return Page(tuple(_closet(each, pointer) for each in closets))
        chosen = next((each for each in closets if each.id == place.id), None)
        drawers = self._tree.drawers(
            room, closet=chosen if place.level is Level.CLOSET else None, limit=PAGE + 1, offset=offset
        )
        return _page([_drawer(each) for each in drawers], offset)


def _page(places: list[Place], offset: int) -> Page:
    if len(places) <= PAGE:
        return Page(tuple(places))
    last = places[PAGE - 1]
    more = Place(Level.MORE, last.id, last.pointer, "more", offset=offset + PAGE)
    return Page(tuple(places[:PAGE]), more)


def _wing(wing: Wing) -> Place:
    return Place(Level.WING, wing.id, wing.pointer, wing.name, wing.drawer_count)


def _room(room: Room, wing: Wing) -> Place:
    return Place(
        Level.ROOM, room.id, RoomPointer(wing.number, room.number), room.name, room.drawer_count, room.started_at
    )


def _closet(closet: Closet, pointer: RoomPointer) -> Place:
    return Place(Level.CLOSET, closet.id, pointer, closet.name, closet.drawer_count)


def _drawer(drawer: Drawer) -> Place:
    return Place(Level.DRAWER, drawer.id, drawer.pointer, preview(drawer.content, limit=PREVIEW), when=drawer.said_at)
