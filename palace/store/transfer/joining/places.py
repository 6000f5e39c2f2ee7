"""Wings and rooms of another palace: found by what they are called, or made under numbers of this one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from palace.files.lines import RoomLine, WingLine
from palace.intake.limits import LARGEST_NUMBER
from palace.store.database import UserSession
from palace.store.filing.drawers import batches
from palace.store.filing.places import find_home_wing, find_rooms, find_wing, next_room_numbers, next_wing_number
from palace.store.transfer.beginning import lock_palace
from palace.tables import Room, Wing, WingAlias


class Joined(NamedTuple):
    """A wing of the file as it stands here."""

    wing_id: int
    number: int
    base: int | None
    """What its rooms' numbers are counted on from; None where each draws the next."""


def join_wing(session: UserSession, line: WingLine) -> Joined:
    """Find a wing by its name, one that it has here or had there, or make it; and set numbers aside for its rooms.

    The numbers that it and merged wings had there mean nothing here.
    """
    lock_palace(session)
    wing_id = _find_called(session, line)
    if wing_id is None:
        wing_id = _make(session, line)
    _add_names(session, wing_id, line)
    number = select(Wing.number).where(Wing.user_id == session.user_id, Wing.id == wing_id)
    return Joined(wing_id, session.execute(number).scalar_one(), _set_aside(session, wing_id, line.room_seq))


def join_rooms(
    session: UserSession, conversation_id: int, rooms: Sequence[RoomLine], wings: Mapping[int, Joined]
) -> None:
    """Make the rooms that a conversation lacks: in the wing where it stands here, else in the file's."""
    known = find_rooms(session, conversation_id)
    home = find_home_wing(session, conversation_id)
    for line in rooms:
        if line.slice in known:
            continue
        joined = wings[line.wing]
        is_there = home is None or home == joined.wing_id
        wing_id = joined.wing_id if home is None else home
        number = joined.base + line.number if is_there and joined.base is not None else None
        row = {
            "wing_id": wing_id,
            "number": next_room_numbers(session, wing_id)[0] if number is None else number,
            "conversation_id": conversation_id,
            "slice": line.slice,
            "name": line.name,
            "started_at": line.started_at,
            "created_at": line.created_at,
        }
        session.insert(insert(Room).on_conflict_do_nothing(), row)


def _find_called(session: UserSession, line: WingLine) -> int | None:
    slugs = [line.slug, *(alias.slug for alias in line.aliases)]
    return next((found for slug in slugs if (found := find_wing(session, slug)) is not None), None)


def _make(session: UserSession, line: WingLine) -> int:
    row = {
        "number": next_wing_number(session),
        "slug": line.slug,
        "name": line.name,
        "kind": line.kind.value,
        "created_at": line.created_at,
    }
    session.insert(insert(Wing).on_conflict_do_nothing(), row)
    made = find_wing(session, line.slug)
    assert made is not None
    return made


def _add_names(session: UserSession, wing_id: int, line: WingLine) -> None:
    named = {line.slug: line.name} | {alias.slug: alias.name for alias in line.aliases}
    taken = select(Wing.slug).where(Wing.user_id == session.user_id, Wing.slug.in_(named))
    free = named.keys() - set(session.execute(taken).scalars())
    rows = [{"slug": slug, "name": named[slug], "wing_id": wing_id} for slug in sorted(free)]
    for batch in batches(rows):
        session.insert(insert(WingAlias).on_conflict_do_nothing(), list(batch))


def _set_aside(session: UserSession, wing_id: int, count: int) -> int | None:
    """Draw as many numbers as the file's wing has given out, so that its rooms keep their order."""
    if not 0 < count <= LARGEST_NUMBER:
        return None
    last = select(Wing.room_seq).where(Wing.user_id == session.user_id, Wing.id == wing_id).with_for_update()
    if session.execute(last).scalar_one() + count > LARGEST_NUMBER:
        return None
    return next_room_numbers(session, wing_id, count)[0] - 1
