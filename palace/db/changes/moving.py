"""Moving rooms, and merging and renaming wings; old names and pointers remain valid. Also lists rooms for placement."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import func, insert

from palace.db.database import UserSession
from palace.db.filing.places import next_room_numbers
from palace.db.projects import follow_merged
from palace.db.rows import grouped
from palace.db.tables import Closet, Drawer, Room, RoomAlias, Wing, WingAlias
from palace.models import Role, RoomPointer, StandingRoom


def lock_wings(session: UserSession, wing_ids: Sequence[int]) -> None:
    """Lock wings, so that no other transaction creates, moves or removes rooms in them until this one ends."""
    query = session.select(Wing.id).where(Wing.id.in_(wing_ids))
    session.execute(query.order_by(Wing.id).with_for_update()).all()


def list_movable(session: UserSession, wing_id: int) -> list[int]:
    """List the ids of all rooms of a wing, empty ones included, in order of number."""
    return session.values(session.select(Room.id).where(Room.wing_id == wing_id).order_by(Room.number))


def list_numbers(session: UserSession, room_ids: Sequence[int]) -> dict[int, str]:
    """Map the ids of non-empty rooms to their pointers, ``W-001/R-02``."""
    inhabited = session.select(Drawer.id).where(Drawer.room_id == Room.id).exists()
    query = session.select(Room.id, Wing.number, Room.number).join(Wing).where(Room.id.in_(room_ids), inhabited)
    return {room_id: str(RoomPointer(wing, room)) for room_id, wing, room in session.execute(query)}


def move_room(session: UserSession, room_id: int, wing_id: int) -> None:
    """Move a room to another wing, under the number that it once had there, else the next.

    Both wings must be locked. Nothing happens if the room was removed meanwhile.
    """
    here = session.select(Room.number, Wing.id, Wing.number).join(Wing).where(Room.id == room_id)
    found = session.execute(here.with_for_update(of=Room)).one_or_none()
    if found is None or found[1] == wing_id:
        return
    room_number, _, from_number = found
    number = _take_back_number(session, room_id, wing_id) or next_room_numbers(session, wing_id)[0]
    former = {"wing_number": from_number, "room_number": room_number, "room_id": room_id}
    session.insert(insert(RoomAlias), former)
    session.update(Room, Room.id == room_id, wing_id=wing_id, number=number)


def merge_wing(session: UserSession, wing_id: int, into: int) -> None:
    """Delete an emptied wing and make its name and number aliases of ``into``. Both must be locked."""
    gone = session.execute(session.select(Wing.slug, Wing.name, Wing.number).where(Wing.id == wing_id)).one()
    session.update(WingAlias, WingAlias.wing_id == wing_id, wing_id=into)
    follow_merged(session, wing_id, into)
    session.delete(Wing, Wing.id == wing_id)
    alias = {"slug": gone.slug, "name": gone.name, "number": gone.number, "wing_id": into}
    session.insert(insert(WingAlias), alias)


def rename_wing(session: UserSession, wing_id: int, *, slug: str, name: str) -> None:
    """Rename a wing; the old name becomes an alias. The wing must be locked, the slug free or its own."""
    old = session.execute(session.select(Wing.slug, Wing.name).where(Wing.id == wing_id)).one()
    if old.slug != slug:
        # An alias with a merged wing's number must stay.
        session.delete(WingAlias, WingAlias.slug == slug, WingAlias.wing_id == wing_id, WingAlias.number.is_(None))
        session.insert(insert(WingAlias), {"slug": old.slug, "name": old.name, "wing_id": wing_id})
    session.update(Wing, Wing.id == wing_id, slug=slug, name=name)


def rename_room(session: UserSession, room_id: int, name: str) -> None:
    """Rename a room."""
    session.update(Room, Room.id == room_id, name=name)


def _take_back_number(session: UserSession, room_id: int, wing_id: int) -> int | None:
    wing_number = session.select(Wing.number).where(Wing.id == wing_id).scalar_subquery()
    former = (RoomAlias.room_id == room_id, RoomAlias.wing_number == wing_number)
    return session.delete(RoomAlias, *former, returning=RoomAlias.room_number).scalar_one_or_none()


def list_standing(session: UserSession) -> list[StandingRoom]:
    """List the non-empty rooms, in order of wing and number; scans every drawer for its speaker."""
    closets = grouped(session.execute(session.select(Closet.room_id, Closet.name).order_by(Closet.slug)))
    machines = func.bool_or(Drawer.role.in_([Role.ASSISTANT.value, Role.TOOL.value]))
    # If there are two speakers, they are the first and the last by name.
    first, last, people = func.min(Drawer.speaker), func.max(Drawer.speaker), func.count(Drawer.speaker.distinct())
    said = (
        session.select(
            Drawer.room_id, machines.label("machines"), people.label("people"), first.label("first"), last.label("last")
        )
        .group_by(Drawer.room_id)
        .subquery()
    )
    query = (
        session.select(
            Room.id,
            Room.wing_id,
            Room.number,
            Room.name,
            Room.slice,
            Wing.number.label("wing"),
            *said.c,
        )
        .join(Wing)
        .join(said, said.c.room_id == Room.id)
        .order_by(Wing.number, Room.number)
    )
    return [
        StandingRoom(
            pointer=str(RoomPointer(row.wing, row.number)),
            wing_id=row.wing_id,
            name=row.name.removesuffix(f", {row.slice}") if row.slice else row.name,
            closets=tuple(closets.get(row.id, ())),
            people=(row.first, row.last) if row.people == 2 and not row.machines else (),
        )
        for row in session.execute(query)
    ]
