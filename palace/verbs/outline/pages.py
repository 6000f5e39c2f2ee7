"""The palace in outline: for who shows it on a screen, page by page, and wants no text that is not looked at."""

from __future__ import annotations

from collections.abc import Sequence

from palace.errors import BadRequest, NotFound
from palace.intake import given
from palace.opened import OpenPalace
from palace.records import Room
from palace.records.outline import (
    Change,
    ClosetOutline,
    DrawerMark,
    DrawerOutline,
    PassageOutline,
    RoomMark,
    Whereabouts,
    WingHolds,
    WingOutline,
)
from palace.store.outline.drawers import (
    ANY,
    find_whereabouts,
    list_drawer_outlines,
    list_outlines_around,
    list_passages,
)
from palace.store.outline.places import (
    count_wings,
    get_change,
    list_closet_outlines,
    list_rooms_latest,
    list_wing_outlines,
)
from palace.text.aaak import parse_citation
from palace.text.pointers import is_room, parse_room
from palace.verbs.tree import TreeVerbs

PAGE = 100


class OutlineVerbs:
    """Places of the palace, a page at a time, each behind what was listed last; however large the palace is."""

    def __init__(self, opened: OpenPalace) -> None:
        self._opened = opened

    def wings(self, *, after: int = 0, limit: int = PAGE) -> tuple[WingOutline, ...]:
        """List wings in order of number, behind a number; what they hold is left to ``wings_hold``."""
        behind, most = given.integer("after", after), given.row_count("limit", limit)
        return self._opened.run(lambda session: list_wing_outlines(session, after=behind, limit=most))

    def wings_hold(self, wing_ids: Sequence[int]) -> dict[int, WingHolds]:
        """Count what wings hold, by their ids; those that hold nothing any more are left out."""
        return self._opened.run(lambda session: count_wings(session, wing_ids))

    def rooms(self, wing_id: int, *, behind: RoomMark | None = None, limit: int = PAGE) -> tuple[Room, ...]:
        """List a wing's rooms, the latest begun first, behind the mark of one; none where the wing is gone."""
        most = given.row_count("limit", limit)
        return self._opened.run(lambda session: list_rooms_latest(session, wing_id, behind=behind, limit=most))

    def closets(self, room_id: int) -> tuple[ClosetOutline, ...]:
        """List a room's closets in the order their topics first come up; last what is sorted into none yet."""
        return self._opened.run(lambda session: list_closet_outlines(session, room_id))

    def drawers(
        self, room_id: int, *, closet_id: int | None = ANY, behind: DrawerMark | None = None, limit: int = PAGE
    ) -> tuple[DrawerOutline, ...]:
        """List a room's drawers in the order they were said, behind the mark of one.

        ``closet_id`` takes those of one closet, and None those that are in none.
        """
        most = given.row_count("limit", limit)
        return self._opened.run(
            lambda session: list_drawer_outlines(session, room_id, closet_id, behind=behind, limit=most)
        )

    def around(self, drawer_id: int, *, count: int = 1) -> tuple[tuple[DrawerOutline, ...], tuple[DrawerOutline, ...]]:
        """List what was said before and after a drawer in its conversation, whatever rooms that is filed in."""
        most = given.row_count("count", count)
        return self._opened.run(lambda session: list_outlines_around(session, drawer_id, most))

    def passages(self, drawer_id: int) -> tuple[PassageOutline, ...]:
        """List how a drawer is cut into what is indexed; empty where it is gone, or not cut yet."""
        return self._opened.run(lambda session: list_passages(session, drawer_id))

    def find(self, pointer: str) -> Whereabouts:
        """Find where a wing (``W-042`` or its name), a room or a drawer stands now, by its pointer or one that it had.

        Raises:
            NotFound: there is nothing there; the message has the wing that was meant, perhaps.
        """
        place = self._numbers(given.text("pointer", pointer))
        found = self._opened.run(lambda session: find_whereabouts(session, place))
        if found is None:
            raise NotFound(f"there is nothing at {pointer.strip()}; `palace ls` lists what there is")
        return found

    def change(self) -> Change:
        """Give what is another whenever the palace has changed; a question of a millisecond."""
        return self._opened.run(get_change)

    def _numbers(self, pointer: str) -> tuple[int, ...]:
        if is_room(pointer):
            return parse_room(pointer)
        try:
            return parse_citation(pointer).pointer
        except BadRequest:
            # It names a wing, or nothing.
            return (TreeVerbs(self._opened).wing(pointer).number,)
