"""Notes of another palace: filed with those of the same wing and day, in order of time."""

from __future__ import annotations

from itertools import count

from sqlalchemy import select

from palace.files.lines import ConversationLine
from palace.store.database import UserSession
from palace.store.filing import versions
from palace.store.filing.conversations import ensure_conversation
from palace.store.filing.places import find_home_wing, get_wing
from palace.tables import Drawer


def place_notes(session: UserSession, line: ConversationLine, day: str, wing_id: int, *, run_id: int) -> str:
    """Find or make the conversation of a wing's day; give its identity. One that was moved to another wing is none."""
    number = get_wing(session, wing_id).number
    for turn in count(1):
        name = f"{line.reader}:{number}/{day}" + (f"#{turn}" if turn > 1 else "")
        found = ensure_conversation(session, identity=name, reader=line.reader, title=line.title, run_id=run_id)
        if find_home_wing(session, found) in (None, wing_id):
            return name
    raise AssertionError("unreachable")


def order_notes(session: UserSession, conversation_id: int) -> None:
    """Put the notes of a day in order of time."""
    query = (
        select(Drawer.identity, Drawer.position)
        .where(Drawer.user_id == session.user_id, Drawer.conversation_id == conversation_id)
        .order_by(Drawer.said_at.nulls_last(), Drawer.position, Drawer.number)
    )
    placed = [(bytes(row.identity), row.position) for row in session.execute(query)]
    moved = {identity: place for place, (identity, position) in enumerate(placed) if place != position}
    versions.move(session, conversation_id, moved)
