"""Where what was restored stands, and whether the pointers that it had lead there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from palace.files.hidden import HiddenParts
from palace.records import MovedPlace, Pointer, RoomPointer
from palace.store.database import UserSession
from palace.store.transfer.hiding import pointers_of
from palace.store.tree import find_room, find_wing_by_number

_NAMED = 3
"""How many of the pointers that lead nowhere, or elsewhere, are named in a warning."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where drawers stand."""

    pointers: tuple[str, ...]
    wings: tuple[str, ...]
    """What the wings are called."""
    moved: tuple[MovedPlace, ...]
    told: tuple[str, ...]
    """A warning of the former pointers that do not lead there."""


def keep_numbers(parts: Sequence[HiddenParts], hidden: Iterable[HiddenParts]) -> list[HiddenParts]:
    """Have wings and rooms give out none of the numbers that any hidden drawer knows of.

    Each knows the last that was given out before it was forgotten itself; more were, if another was forgotten later.
    """
    rooms: dict[int, int] = defaultdict(int)
    drawers: dict[RoomPointer, int] = defaultdict(int)
    for each in hidden:
        room = RoomPointer(each.room.wing, each.room.number)
        rooms[room.wing] = max(rooms[room.wing], each.wing.room_seq)
        drawers[room] = max(drawers[room], each.room.drawer_seq)
    return [
        replace(
            each,
            wing=replace(each.wing, room_seq=rooms[each.room.wing]),
            room=replace(each.room, drawer_seq=drawers[RoomPointer(each.room.wing, each.room.number)]),
        )
        for each in parts
    ]


def find_places(session: UserSession, were: Mapping[bytes, Pointer]) -> Places:
    """Find where drawers stand that stood elsewhere, perhaps, by their identities."""
    found = pointers_of(session, list(were))
    elsewhere = sorted((was, found[identity]) for identity, was in were.items() if found.get(identity, was) != was)
    wings = (find_wing_by_number(session, number) for number in sorted({pointer.wing for pointer in found.values()}))
    return Places(
        pointers=tuple(map(str, sorted(found.values()))),
        wings=tuple(wing.name for wing in wings if wing),
        moved=_moved(elsewhere),
        told=_told(_astray(session, elsewhere)),
    )


def _moved(elsewhere: Sequence[tuple[Pointer, Pointer]]) -> tuple[MovedPlace, ...]:
    """Name rooms rather than each of their drawers, where those have the numbers that they had."""
    rooms = {(was.of_room, now.of_room) for was, now in elsewhere if was.drawer == now.drawer}
    drawers = [(was, now) for was, now in elsewhere if was.drawer != now.drawer]
    return tuple(MovedPlace(str(was), str(now)) for was, now in [*sorted(rooms), *drawers])


def _astray(session: UserSession, elsewhere: Sequence[tuple[Pointer, Pointer]]) -> list[tuple[Pointer, Pointer]]:
    """List those whose former pointers do not lead to where they stand."""
    rooms = {(was.of_room, now.of_room) for was, now in elsewhere}
    leads = {(was, now) for was, now in rooms if _is_same(session, was, now)}
    return [(was, now) for was, now in elsewhere if was.drawer != now.drawer or (was.of_room, now.of_room) not in leads]


def _is_same(session: UserSession, one: RoomPointer, other: RoomPointer) -> bool:
    found, there = (find_room(session, each.wing, each.room) for each in (one, other))
    return found is not None and there is not None and found.id == there.id


def _told(astray: Sequence[tuple[Pointer, Pointer]]) -> tuple[str, ...]:
    if not astray:
        return ()
    named = ", ".join(f"{was} (it is {now})" for was, now in astray[:_NAMED])
    more = f", and {len(astray) - _NAMED:,} more" if len(astray) > _NAMED else ""
    return (f"the places were taken meanwhile, so these pointers do not lead to what was restored: {named}{more}",)
