"""Files of the memory tool: conversations whose title is the path and whose drawers are the versions."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import sqlalchemy as sa

from palace.db.database import UserSession
from palace.db.tables import Conversation, Drawer, Room

READER = "memory_file"


class StoredFile(NamedTuple):
    """A file with its current version."""

    path: str
    conversation_id: int
    identity: bytes
    """Of the drawer with its text."""
    size: int
    """Bytes of the text in UTF-8."""


def list_files(session: UserSession, wing_id: int, path: str, above: Collection[str] = ()) -> list[StoredFile]:
    """List the files of a wing at a path, below it, or at one of the paths ``above``, oldest first.

    A file whose current version was forgotten is left out.
    """
    size = sa.func.octet_length(Drawer.content)
    query = (
        session.select(Conversation.title, Conversation.id, Drawer.identity, size)
        .join(Drawer)
        .join(Room, sa.and_(Room.user_id == Drawer.user_id, Room.id == Drawer.room_id))
        .where(
            Conversation.reader == READER,
            Room.wing_id == wing_id,
            Drawer.replaced_at.is_(None),
            sa.or_(
                Conversation.title.in_([path, *above]),
                Conversation.title.startswith(f"{path}/", autoescape=True),
            ),
        )
    )
    return [StoredFile(*row) for row in session.execute(query.order_by(Conversation.id, Drawer.position))]


def count_files(session: UserSession) -> int:
    """Count the user's files in all wings."""
    current = session.select(Drawer.id).where(Drawer.conversation_id == Conversation.id, Drawer.replaced_at.is_(None))
    return session.count(Conversation, Conversation.reader == READER, current.exists())


def drawers_of_files(session: UserSession, conversation_ids: Sequence[int]) -> sa.Select[int]:
    """Select the ids of all versions of some files."""
    return session.select(Drawer.id).where(Drawer.conversation_id.in_(conversation_ids))


def rename_file(session: UserSession, conversation_id: int, path: str) -> None:
    """Change the path of a file, and the name of its room with it."""
    session.update(Conversation, Conversation.id == conversation_id, title=path)
    session.update(Room, Room.conversation_id == conversation_id, name=path)
