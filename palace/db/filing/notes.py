"""Notes filed by hand: their versions, and where one stands among those of its day."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa

from palace.db.database import UserSession
from palace.db.tables import Drawer, Room, RoomAlias, Tombstone
from palace.models import NoteVersion


def list_versions(session: UserSession, family: bytes) -> list[NoteVersion]:
    """List the notes, and the forgotten ones, whose identities begin so, in order of filing."""
    last = family + b"\xff" * (16 - len(family))
    filed = session.select(Drawer.identity, Drawer.conversation_id, Drawer.replaced_at).where(
        Drawer.identity.between(family, last)
    )
    buried = session.select(Tombstone.identity, Tombstone.conversation_id).where(
        Tombstone.identity.between(family, last), Tombstone.restored_by.is_(None)
    )
    found = [
        NoteVersion(row.identity, row.conversation_id, is_replaced=row.replaced_at is not None)
        for row in session.execute(filed.order_by(Drawer.filed_at))
    ]
    found += [NoteVersion(row.identity, row.conversation_id, is_forgotten=True) for row in session.execute(buried)]
    return found


def find_in_wing(session: UserSession, identity: bytes, *, said_at: datetime, wing_id: int, number: int) -> int | None:
    """Find the conversation of a note of this identity and moment that stands in a wing, or was moved from it."""
    moved = session.select(RoomAlias.room_id).where(RoomAlias.room_id == Room.id, RoomAlias.wing_number == number)
    query = (
        session.select(Drawer.conversation_id)
        .join(Room)
        .where(Drawer.identity == identity, Drawer.said_at == said_at, (Room.wing_id == wing_id) | moved.exists())
    )
    return session.execute(query).scalar_one_or_none()


def is_filed_by(session: UserSession, identity: bytes, run_id: int) -> bool:
    """Tell whether it was this run that filed a drawer."""
    query = session.select(Drawer.run_id).where(Drawer.identity == identity)
    return session.execute(query).scalar_one_or_none() == run_id


def make_room_at(session: UserSession, conversation_id: int, said_at: datetime) -> int:
    """Give the position of a new note among those of its conversation, by time; later ones make room."""
    here = Drawer.conversation_id == conversation_id
    last = sa.func.coalesce(sa.func.max(Drawer.position), -1)
    position = int(session.execute(session.select(last).where(here, Drawer.said_at <= said_at)).scalar_one()) + 1
    session.update(Drawer, here, Drawer.position >= position, position=Drawer.position + 1)
    return position
