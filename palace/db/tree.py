"""The palace as a tree: wings, rooms, closets. Empty rooms and wings are left out."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, func, or_, select, union_all

from palace.db.database import UserSession
from palace.db.rows import record_of
from palace.db.tables import ActivityEvent, CountDelta
from palace.db.tables import Closet as ClosetRow
from palace.db.tables import Drawer as DrawerRow
from palace.db.tables import Room as RoomRow
from palace.db.tables import RoomAlias as RoomAliasRow
from palace.db.tables import Wing as WingRow
from palace.db.tables import WingAlias as AliasRow
from palace.models import Closet, Room, Wing, WingKind

Moments = tuple[datetime | None, datetime | None]
"""A half-open stretch of time; either end may be None."""
MOST_NAMES = 10_000


def list_wings(
    session: UserSession,
    *,
    limit: int | None = None,
    offset: int = 0,
    after: int = 0,
    ids: Collection[int] | None = None,
    counted: bool = True,
) -> tuple[Wing, ...]:
    """List the wings in order of number: those after a number, those with some ids, or all.

    Without ``counted``, the counts are 0: counting reads each of their drawers.
    """
    parameters = {"after": after, "ids": None if ids is None else list(ids), "limit": limit, "offset": offset}
    rows = session.run("wings", parameters | {"counted": counted})
    return tuple(
        Wing(
            row.id,
            row.number,
            row.slug,
            row.name,
            WingKind(row.kind),
            row.rooms,
            int(row.drawers),
            int(row.replaced),
            row.latest_at,
        )
        for row in rows
    )


def list_wing_names(session: UserSession) -> list[str]:
    """List the names of non-empty wings, at most 10,000, in order of number."""
    holds = session.select(RoomRow.id).join(DrawerRow).where(RoomRow.wing_id == WingRow.id).exists()
    query = session.select(WingRow.name).where(holds).order_by(WingRow.number)
    return session.values(query.limit(MOST_NAMES))


def find_wing_by_number(session: UserSession, number: int) -> Wing | None:
    """Return a wing by its number, or that of a wing merged into it; None without one."""
    wing_id = find_wing_id(session, number)
    return None if wing_id is None else find_wing_by_id(session, wing_id)


def find_wing_by_id(session: UserSession, wing_id: int) -> Wing | None:
    """Return a wing by its id; None without one."""
    return next(iter(list_wings(session, ids=[wing_id])), None)


def find_wing_id(session: UserSession, number: int) -> int | None:
    """Return a wing's id by its number or that of a wing merged into it, even if it is empty; None without one."""
    query = union_all(
        session.select(WingRow.id).where(WingRow.number == number),
        session.select(AliasRow.wing_id).where(AliasRow.number == number),
    )
    return session.execute(query).scalars().first()


def list_rooms(
    session: UserSession, wing_id: int, *, limit: int | None = None, offset: int = 0, begun: Moments = (None, None)
) -> tuple[Room, ...]:
    """List a wing's rooms in order of number; only those that began within ``begun``.

    Rooms with an unknown beginning are not within any stretch of time.
    """
    query = _rooms(session).where(RoomRow.wing_id == wing_id, *_within(begun)).order_by(RoomRow.number)
    return tuple(record_of(Room, row) for row in session.execute(query.limit(limit).offset(offset)))


def list_latest_rooms(session: UserSession, wing_id: int, *, behind: Room | None, limit: int) -> tuple[Room, ...]:
    """List a wing's rooms after ``behind``, latest beginning first, those with an unknown beginning last."""
    number, began = (behind.number, behind.started_at) if behind else (0, None)
    parameters = {"wing_id": wing_id, "behind": number, "behind_at": began, "limit": limit}
    return tuple(Room(*row) for row in session.run("latest_rooms", parameters))


def count_rooms(session: UserSession, wing_id: int, *, begun: Moments) -> int:
    """Count the rooms that ``list_rooms`` lists without a limit."""
    holds = session.select(DrawerRow.id).where(DrawerRow.room_id == RoomRow.id).exists()
    return session.count(RoomRow, RoomRow.wing_id == wing_id, holds, *_within(begun))


def _within(begun: Moments) -> list[ColumnElement[bool]]:
    since, until = begun
    from_then = [] if since is None else [RoomRow.started_at >= since]
    return from_then if until is None else [*from_then, RoomRow.started_at < until]


def find_room(session: UserSession, wing_number: int, room_number: int) -> Room | None:
    """Return a room by the numbers of its pointer, present or former; None without one."""
    wing = session.select(WingRow.id).where(WingRow.number == wing_number)
    former = session.select(RoomAliasRow.room_id).where(
        RoomAliasRow.wing_number == wing_number, RoomAliasRow.room_number == room_number
    )
    now = and_(RoomRow.wing_id == wing.scalar_subquery(), RoomRow.number == room_number)
    row = session.execute(_rooms(session).where(or_(now, RoomRow.id == former.scalar_subquery()))).one_or_none()
    return record_of(Room, row) if row else None


def find_closets(session: UserSession, room_id: int, name: str, slug: str) -> tuple[Closet, ...]:
    """Return a room's closets with a name or slug."""
    return tuple(closet for closet in list_closets(session, room_id) if closet.slug == slug or closet.name == name)


def list_closets(session: UserSession, room_id: int) -> tuple[Closet, ...]:
    """List a room's closets in the order in which their topics first come up."""
    query = (
        session.select(
            ClosetRow.id,
            ClosetRow.slug,
            ClosetRow.name,
            func.count(DrawerRow.id),
            func.count(DrawerRow.replaced_at),
            func.min(DrawerRow.said_at),
        )
        .join(
            DrawerRow,
            and_(
                DrawerRow.user_id == ClosetRow.user_id,
                DrawerRow.room_id == ClosetRow.room_id,
                DrawerRow.closet_id == ClosetRow.id,
            ),
        )
        .where(ClosetRow.room_id == room_id)
        .group_by(ClosetRow.user_id, ClosetRow.id)
        .order_by(func.min(DrawerRow.position), ClosetRow.slug)
    )
    return tuple(Closet(*row) for row in session.execute(query))


def count_places(session: UserSession) -> tuple[int, int]:
    """Count the non-empty wings and rooms."""
    query = session.select(func.count(RoomRow.wing_id.distinct()), func.count()).where(
        session.select(DrawerRow.id).where(DrawerRow.room_id == RoomRow.id).exists()
    )
    wings, rooms = session.execute(query).one()
    return wings, rooms


def get_change(session: UserSession) -> tuple[object, ...]:
    """Return a value that differs after every change, read from the ends of indexes."""
    last = (ActivityEvent.id, ActivityEvent.happened_at, DrawerRow.id, RoomRow.id, ClosetRow.id)
    wanted = [session.select(func.max(column)) for column in last]
    wanted.insert(2, session.select(func.sum(CountDelta.amount)).where(CountDelta.counted == "drawer"))
    return tuple(session.execute(select(*(each.scalar_subquery() for each in wanted))).one())


def count_replaced(session: UserSession) -> int:
    """Count the replaced drawers."""
    return session.count(DrawerRow, DrawerRow.replaced_at.is_not(None))


def _rooms(session: UserSession) -> Select[*tuple[Any, ...]]:
    return (
        session.select(
            RoomRow.id,
            RoomRow.wing_id,
            RoomRow.number,
            RoomRow.name,
            RoomRow.started_at,
            func.count(DrawerRow.id).label("drawer_count"),
            func.count(DrawerRow.replaced_at).label("replaced_count"),
        )
        .join(DrawerRow)
        .group_by(RoomRow.user_id, RoomRow.id)
    )
