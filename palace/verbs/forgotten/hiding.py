"""Hiding what is forgotten before it goes, and knowing it by its pointers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from palace.errors import NotFound
from palace.records import Pointer
from palace.store.changes.hidden import Hidden, hide
from palace.store.changes.removal import Follower
from palace.store.database import UserSession
from palace.store.transfer.hiding import collect_parts
from palace.text.pointers import find_wing_number, is_pointer, is_room, parse_pointer, parse_room
from palace.text.slug import slugify

GONE = "`palace forget --list` lists what can be restored; what was forgotten longer ago is deleted"


@dataclass(frozen=True, slots=True)
class Hiding:
    """Writes down what is about to be forgotten, before whatever else follows."""

    follower: Follower
    due_at: datetime
    pointers: list[Pointer] = field(default_factory=list)
    """Of the drawers that were written down."""

    def before(self, session: UserSession, drawer_ids: Sequence[int]) -> None:
        """Read the drawers while they are there."""
        parts = collect_parts(session, drawer_ids)
        hide(session, parts, self.due_at)
        self.pointers.extend(sorted(Pointer(each.wing.number, each.room.number, each.drawer.number) for each in parts))
        self.follower.before(session, drawer_ids)

    def after(self, session: UserSession, conversations: Collection[int]) -> None:
        """Follow as usual."""
        self.follower.after(session, conversations)


def choose_hidden(hidden: Sequence[Hidden], names: Sequence[str]) -> list[Hidden]:
    """Choose what some pointers, or names of wings, mean.

    Raises:
        NotFound: one of them means nothing that is hidden.
    """
    chosen: dict[bytes, Hidden] = {}
    by_pointer = defaultdict(list)
    for each in hidden:
        by_pointer[each.pointer].append(each)
    for name in names:
        # Many pointers are named at once where what was forgotten together is taken back.
        among = by_pointer[parse_pointer(name)] if is_pointer(name) else hidden
        meant = [each for each in among if is_meant(each, name)]
        if not meant:
            raise NotFound(f"nothing of {name!r} is hidden: {GONE}")
        chosen |= {each.parts.drawer.identity: each for each in meant}
    return list(chosen.values())


def is_meant(hidden: Hidden, name: str) -> bool:
    """Tell whether a pointer of a drawer, a room or a wing, or a wing's name, means a hidden drawer."""
    if is_pointer(name):
        return hidden.pointer == parse_pointer(name)
    if is_room(name):
        return hidden.pointer.of_room == parse_room(name)
    number = find_wing_number(name)
    return hidden.pointer.wing == number if number is not None else hidden.parts.wing.slug == slugify(name)
