"""Drawers in outline: how each begins, and where it stands."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Row, Select, and_, func, select, tuple_

from palace.records import Pointer, Role, Span, WingKind
from palace.records.outline import DrawerMark, DrawerOutline, PassageOutline, Whereabouts, WingOutline
from palace.store.changes.moving import find_wing_id
from palace.store.database import UserSession
from palace.store.tree import find_room
from palace.tables import Drawer as DrawerRow
from palace.tables import Passage as PassageRow
from palace.tables import Room as RoomRow
from palace.tables import Wing as WingRow

BEGINS = 200
"""Characters of a drawer that are read: of a text of 10 MB, no more is fetched."""
ANY = -1
"""As a closet: whichever."""


def list_drawer_outlines(
    session: UserSession, room_id: int, closet_id: int | None, *, behind: DrawerMark | None, limit: int
) -> tuple[DrawerOutline, ...]:
    """List drawers of a room in the order they were said, behind a mark: of a closet, of ``ANY``, or of none."""
    query = _lines(session).where(DrawerRow.room_id == room_id)
    if closet_id != ANY:
        query = query.where(DrawerRow.closet_id.is_(None) if closet_id is None else DrawerRow.closet_id == closet_id)
    if behind is not None:
        query = query.where(tuple_(DrawerRow.position, DrawerRow.number) > tuple_(*behind))
    query = query.order_by(DrawerRow.position, DrawerRow.number).limit(limit)
    return tuple(_line(row) for row in session.execute(query))


def list_outlines_around(
    session: UserSession, drawer_id: int, count: int
) -> tuple[tuple[DrawerOutline, ...], tuple[DrawerOutline, ...]]:
    """List so many drawers of the same conversation on each side of one, in order; none where it is gone."""
    own = (DrawerRow.user_id == session.user_id, DrawerRow.id == drawer_id)
    here = session.execute(
        select(DrawerRow.conversation_id, DrawerRow.position, DrawerRow.room_id, DrawerRow.number).where(*own)
    ).one_or_none()
    if here is None:
        return (), ()
    order = (DrawerRow.position, DrawerRow.room_id, DrawerRow.number)
    at, here_at = tuple_(*order), tuple_(here.position, here.room_id, here.number)
    talk = _lines(session).where(DrawerRow.conversation_id == here.conversation_id).limit(count)
    before = talk.where(at < here_at).order_by(*(each.desc() for each in order))
    after = talk.where(at > here_at).order_by(*order)
    earlier, later = ([_line(row) for row in session.execute(query)] for query in (before, after))
    return tuple(reversed(earlier)), tuple(later)


def list_passages(session: UserSession, drawer_id: int) -> tuple[PassageOutline, ...]:
    """List the passages of a drawer in order, behind them its sentences that are indexed by themselves."""
    columns = (PassageRow.ordinal, PassageRow.char_start, PassageRow.char_end, PassageRow.kind)
    own = (PassageRow.user_id == session.user_id, PassageRow.drawer_id == drawer_id)
    rows = session.execute(select(*columns).where(*own).order_by(PassageRow.ordinal))
    return tuple(PassageOutline(row.ordinal, Span(row.char_start, row.char_end), row.kind) for row in rows)


def find_whereabouts(session: UserSession, place: tuple[int, ...]) -> Whereabouts | None:
    """Find where something stands by the one, two or three numbers of its pointer, or of one that it had."""
    room = find_room(session, place[0], place[1]) if len(place) > 1 else None
    if len(place) > 1 and room is None:
        return None
    wing = _find_wing(session, room.wing_id if room else find_wing_id(session, place[0]))
    if wing is None:
        return None
    if room is None or len(place) < 3:
        return Whereabouts(wing, room)
    query = _lines(session).where(DrawerRow.room_id == room.id, DrawerRow.number == place[2])
    row = session.execute(query).one_or_none()
    return Whereabouts(wing, room, row.closet_id, _line(row)) if row else None


def _find_wing(session: UserSession, wing_id: int | None) -> WingOutline | None:
    query = select(WingRow.id, WingRow.number, WingRow.name, WingRow.kind)
    row = session.execute(query.where(WingRow.user_id == session.user_id, WingRow.id == wing_id)).one_or_none()
    return WingOutline(row.id, row.number, row.name, WingKind(row.kind)) if row else None


def _lines(session: UserSession) -> Select[*tuple[Any, ...]]:
    return (
        select(
            DrawerRow.id,
            DrawerRow.number,
            DrawerRow.closet_id,
            func.left(DrawerRow.content, BEGINS).label("begins"),
            DrawerRow.role,
            DrawerRow.speaker,
            DrawerRow.said_at,
            DrawerRow.position,
            DrawerRow.replaced_at,
            RoomRow.number.label("room"),
            WingRow.number.label("wing"),
        )
        .join(RoomRow, and_(RoomRow.user_id == DrawerRow.user_id, RoomRow.id == DrawerRow.room_id))
        .join(WingRow, and_(WingRow.user_id == RoomRow.user_id, WingRow.id == RoomRow.wing_id))
        .where(
            DrawerRow.user_id == session.user_id,
            RoomRow.user_id == session.user_id,
            WingRow.user_id == session.user_id,
        )
    )


def _line(row: Row[*tuple[Any, ...]]) -> DrawerOutline:
    return DrawerOutline(
        id=row.id,
        pointer=Pointer(row.wing, row.room, row.number),
        begins=row.begins,
        role=Role(row.role),
        speaker=row.speaker,
        said_at=row.said_at,
        position=row.position,
        is_replaced=row.replaced_at is not None,
    )
