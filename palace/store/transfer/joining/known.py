"""What this palace has of a conversation of another's, to be told under whatever name it goes by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import select

from palace.files.joined import Here, Home
from palace.store.database import UserSession
from palace.store.filing.drawers import batches
from palace.tables import Conversation, Drawer, Tombstone


def list_here(session: UserSession, conversation_id: int) -> list[Here]:
    """List the drawers and the forgotten ones of a conversation, in order; contents of redacted ones alone."""
    content = sa.case((Drawer.said.is_not(None), Drawer.content), else_=sa.null())
    drawers = (
        select(Drawer.identity, Drawer.position, Drawer.role, Drawer.said_at, content.label("content"))
        .where(Drawer.user_id == session.user_id, Drawer.conversation_id == conversation_id)
        .order_by(Drawer.position, Drawer.number)
    )
    graves = (
        select(Tombstone.identity, Tombstone.position)
        .where(
            Tombstone.user_id == session.user_id,
            Tombstone.conversation_id == conversation_id,
            Tombstone.restored_by.is_(None),
        )
        .order_by(Tombstone.position, Tombstone.identity)
    )
    filed = [
        Here(bytes(row.identity), row.position, row.role, row.said_at, row.content) for row in session.execute(drawers)
    ]
    return filed + [Here(bytes(row.identity), row.position, is_forgotten=True) for row in session.execute(graves)]


def find_homes(session: UserSession, identities: Sequence[bytes]) -> dict[bytes, Home]:
    """Map those identities that are filed or forgotten here to the conversation that has them."""
    found: dict[bytes, Home] = {}
    for table in (Tombstone, Drawer):
        of_it = sa.and_(Conversation.user_id == table.user_id, Conversation.id == table.conversation_id)
        for batch in batches(identities):
            query = (
                select(table.identity, Conversation.identity)
                .join(Conversation, of_it)
                .where(table.user_id == session.user_id, Conversation.user_id == session.user_id)
                .where(table.identity == _any(batch))
            )
            for identity, name in session.execute(query):
                found[bytes(identity)] = Home(name, is_filed=table is Drawer)
    return found


def find_standing_drawers(session: UserSession, identities: Sequence[bytes]) -> set[bytes]:
    """Find which of some drawers are here and are what their source says, as far as this palace knows."""
    found: set[bytes] = set()
    for batch in batches(identities):
        query = select(Drawer.identity).where(
            Drawer.user_id == session.user_id, Drawer.replaced_at.is_(None), Drawer.identity == _any(batch)
        )
        found |= {bytes(identity) for identity in session.execute(query).scalars()}
    return found


def _any(identities: Sequence[bytes]) -> Any:
    return sa.any_(sa.cast(list(identities), sa.ARRAY(sa.LargeBinary)))
