"""Notes filed by hand: their versions, and where one stands among those of its day."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa
from sqlalchemy import select, update

from palace.db.database import UserSession
from palace.db.tables import Drawer, Room, RoomAlias, Tombstone
from palace.models import NoteVersion


def list_versions(session: UserSession, family: bytes) -> list[NoteVersion]:
    """List the notes, and the forgotten ones, whose identities begin so, in order of filing."""
    last = family + b"\xff" * (16 - len(family))
    filed = select(Drawer.identity, Drawer.conversation_id, Drawer.replaced_at).where(
        Drawer.user_id == session.user_id, Drawer.identity.between(family, last)
    )
    buried = select(Tombstone.identity, Tombstone.conversation_id).where(
        Tombstone.user_id == session.user_id,
        Tombstone.identity.between(family, last),
        Tombstone.restored_by.is_(None),
    )
    found = [
        NoteVersion(bytes(row.identity), row.conversation_id, is_replaced=row.replaced_at is not None)
        for row in session.execute(filed.order_by(Drawer.filed_at))
    ]
    found += [
        NoteVersion(bytes(row.identity), row.conversation_id, is_forgotten=True) for row in session.execute(buried)
    ]
    return found


def find_in_wing(session: UserSession, identity: bytes, *, said_at: datetime, wing_id: int, number: int) -> int | None:
    """Find the conversation of a note of this identity and moment that stands in a wing, or was moved from it."""
    moved = select(RoomAlias.room_id).where(
        RoomAlias.user_id == session.user_id, RoomAlias.room_id == Room.id, RoomAlias.wing_number == number
    )
    query = (
        select(Drawer.conversation_id)
        .join(Room, sa.and_(Room.user_id == Drawer.user_id, Room.id == Drawer.room_id))
        .where(
            Drawer.user_id == session.user_id,
            Drawer.identity == identity,
            Drawer.said_at == said_at,
            (Room.wing_id == wing_id) | moved.exists(),
        )
    )
    return session.execute(query).scalar_one_or_none()


def is_filed_by(session: UserSession, identity: bytes, run_id: int) -> bool:
    """Tell whether it was this run that filed a drawer."""
    query = select(Drawer.run_id).where(Drawer.user_id == session.user_id, Drawer.identity == identity)
    return session.execute(query).scalar_one_or_none() == run_id


def make_room_at(session: UserSession, conversation_id: int, said_at: datetime) -> int:
    """Give the position of a new note among those of its conversation, by time; later ones make room."""
    mine = (Drawer.user_id == session.user_id, Drawer.conversation_id == conversation_id)
    before = select(sa.func.max(Drawer.position)).where(*mine, Drawer.said_at <= said_at)
    last = session.execute(before).scalar_one_or_none()
    position = 0 if last is None else int(last) + 1
    session.execute(update(Drawer).where(*mine, Drawer.position >= position).values(position=Drawer.position + 1))
    return position
