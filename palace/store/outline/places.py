"""Wings, rooms and closets in outline. Empty rooms and wings are left out."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import and_, func, select

from palace.records import Room, WingKind
from palace.records.outline import Change, ClosetOutline, RoomMark, WingHolds, WingOutline
from palace.store.database import UserSession
from palace.tables import ActivityEvent, CountDelta
from palace.tables import Closet as ClosetRow
from palace.tables import Drawer as DrawerRow
from palace.tables import Room as RoomRow


def list_wing_outlines(session: UserSession, *, after: int, limit: int) -> tuple[WingOutline, ...]:
    """List wings in order of number, those behind a number."""
    rows = session.run("outlined_wings", {"after": after, "limit": limit})
    return tuple(WingOutline(row.id, row.number, row.name, WingKind(row.kind)) for row in rows)


def count_wings(session: UserSession, wing_ids: Collection[int]) -> dict[int, WingHolds]:
    """Count what some wings hold; every drawer of theirs is counted, in an index."""
    rows = session.run("held_by_wings", {"wing_ids": list(wing_ids)})
    return {row.wing_id: WingHolds(row.rooms, int(row.drawers), row.first, row.last) for row in rows}


def list_rooms_latest(session: UserSession, wing_id: int, *, behind: RoomMark | None, limit: int) -> tuple[Room, ...]:
    """List a wing's rooms, the latest begun first and those nobody knows the beginning of last, behind a mark."""
    number, began = (behind.number, behind.started_at) if behind else (0, None)
    parameters = {"wing_id": wing_id, "behind": number, "behind_at": began, "limit": limit}
    return tuple(Room(*row) for row in session.run("outlined_rooms", parameters))


def list_closet_outlines(session: UserSession, room_id: int) -> tuple[ClosetOutline, ...]:
    """List a room's closets in the order their topics first come up; what is in none stands last."""
    query = (
        select(DrawerRow.closet_id, ClosetRow.name, func.count(), func.min(DrawerRow.said_at))
        .outerjoin(ClosetRow, and_(ClosetRow.user_id == DrawerRow.user_id, ClosetRow.id == DrawerRow.closet_id))
        .where(DrawerRow.user_id == session.user_id, DrawerRow.room_id == room_id)
        .group_by(DrawerRow.closet_id, ClosetRow.name)
        .order_by(DrawerRow.closet_id.is_(None), func.min(DrawerRow.position), ClosetRow.name)
    )
    return tuple(ClosetOutline(*row) for row in session.execute(query))


def get_change(session: UserSession) -> Change:
    """Give what is another after every change; read from the ends of indexes."""
    user_id = session.user_id
    drawers = select(func.coalesce(func.sum(CountDelta.amount), 0)).where(
        CountDelta.user_id == user_id, CountDelta.counted == "drawer"
    )
    event, happened = (
        select(func.coalesce(func.max(ActivityEvent.id), 0)).where(ActivityEvent.user_id == user_id),
        select(func.max(ActivityEvent.happened_at)).where(ActivityEvent.user_id == user_id),
    )
    lasts = (
        select(func.coalesce(func.max(table.id), 0)).where(table.user_id == user_id)
        for table in (DrawerRow, RoomRow, ClosetRow)
    )
    wanted = (event, happened, drawers, *lasts)
    row = session.execute(select(*(each.scalar_subquery() for each in wanted))).one()
    return Change(row[0], row[1], int(row[2]), *row[3:])
