"""Rooms with what tells where they belong."""

from __future__ import annotations

from sqlalchemy import and_, func, select

from palace.records import Role, RoomPointer, StandingRoom
from palace.store.database import UserSession
from palace.tables import Closet, Drawer, Room, Wing


def list_standing(session: UserSession) -> list[StandingRoom]:
    """List the rooms that hold anything, in order of wing and number; it looks at every drawer's speaker."""
    closets = _closets(session)
    machines = func.bool_or(Drawer.role.in_([Role.ASSISTANT.value, Role.TOOL.value]))
    # With two who speak, they are the first and the last by name.
    first, last, people = func.min(Drawer.speaker), func.max(Drawer.speaker), func.count(Drawer.speaker.distinct())
    said = (
        select(
            Drawer.room_id,
            machines.label("machines"),
            people.label("people"),
            first.label("first"),
            last.label("last"),
        )
        .where(Drawer.user_id == session.user_id)
        .group_by(Drawer.room_id)
        .subquery()
    )
    query = (
        select(
            Room.id,
            Room.wing_id,
            Room.number,
            Room.name,
            Room.slice,
            Wing.number.label("wing"),
            said.c.machines,
            said.c.people,
            said.c.first,
            said.c.last,
        )
        .join(Wing, and_(Wing.user_id == Room.user_id, Wing.id == Room.wing_id))
        .join(said, said.c.room_id == Room.id)
        .where(Room.user_id == session.user_id)
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


def _closets(session: UserSession) -> dict[int, list[str]]:
    query = select(Closet.room_id, Closet.name).where(Closet.user_id == session.user_id).order_by(Closet.slug)
    found: dict[int, list[str]] = {}
    for room_id, name in session.execute(query):
        found.setdefault(room_id, []).append(name)
    return found
