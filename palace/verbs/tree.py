"""Walking the palace: wings, rooms, closets, drawers."""

from __future__ import annotations

from palace.errors import BadRequest, NotFound
from palace.opened import OpenPalace
from palace.records import Closet, Drawer, Room, Wing
from palace.store.drawers import list_room_drawers
from palace.store.filing.places import find_wing
from palace.store.tree import (
    find_room,
    find_wing_by_id,
    find_wing_by_number,
    list_closets,
    list_rooms,
    list_wings,
)
from palace.text.pointers import find_wing_number, parse_room
from palace.text.slug import slugify


class TreeVerbs:
    """Walking the palace: wings, rooms, closets, drawers."""

    def __init__(self, opened: OpenPalace) -> None:
        self._opened = opened

    def wings(self) -> tuple[Wing, ...]:
        """List the wings in order of number."""
        with self._opened.session() as session:
            return list_wings(session)

    def wing(self, name: str) -> Wing:
        """Get a wing by name, alias or number (``W-042``).

        Raises:
            NotFound: there is none.
        """
        number = find_wing_number(name)
        with self._opened.session() as session:
            if number is not None:
                found = find_wing_by_number(session, number)
            else:
                wing_id = find_wing(session, slugify(name))
                found = find_wing_by_id(session, wing_id) if wing_id is not None else None
        if found is None:
            raise NotFound(f"there is no wing {name!r}; `palace ls` lists them")
        return found

    def rooms(self, wing: Wing) -> tuple[Room, ...]:
        """List a wing's rooms in order of number."""
        with self._opened.session() as session:
            return list_rooms(session, wing.id)

    def room(self, pointer: str) -> Room:
        """Get a room by the first two parts of a pointer, ``W-042/R-11``.

        Raises:
            BadRequest: the pointer has another shape; ``NotFound`` when there is no such room.
        """
        wing_number, room_number = parse_room(pointer)
        with self._opened.session() as session:
            found = find_room(session, wing_number, room_number)
        if found is None:
            raise NotFound(f"there is no room {pointer.strip()}; `palace ls W-{wing_number:03d}` lists the wing's")
        return found

    def closets(self, room: Room) -> tuple[Closet, ...]:
        """List a room's closets in the order their topics first come up."""
        with self._opened.session() as session:
            return list_closets(session, room.id)

    def drawers(self, room: Room, *, limit: int = 200, offset: int = 0) -> tuple[Drawer, ...]:
        """List a room's drawers in the order they were said."""
        if limit < 1 or offset < 0:
            raise BadRequest("limit must be 1 or more, offset 0 or more")
        with self._opened.session() as session:
            return tuple(list_room_drawers(session, room.id, limit=limit, offset=offset))
