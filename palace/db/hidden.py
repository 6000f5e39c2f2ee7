"""Forgotten drawers that can still be restored: stored, listed, and deleted when due."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from palace.db.database import UserSession
from palace.db.rows import any_bytes, batches
from palace.db.tables import Drawer, HiddenDrawer
from palace.models import Pointer
from palace.models.lines import HiddenParts, parts_from_json, parts_to_json


class Hidden(NamedTuple):
    """A forgotten drawer that can be restored."""

    pointer: Pointer
    """Its pointer before it was forgotten."""
    hidden_at: datetime
    due_at: datetime
    parts: HiddenParts


def hide(session: UserSession, parts: Sequence[HiddenParts], due_at: datetime) -> None:
    """Store drawers that are about to be forgotten, replacing earlier copies."""
    for batch in batches(parts):
        given = json.dumps([parts_to_json(each) for each in batch], ensure_ascii=False)
        session.run("hide_drawers", {"parts": given, "due_at": due_at})


def list_hidden(session: UserSession) -> list[Hidden]:
    """List what can be restored, in order of pointer."""
    query = session.select(HiddenDrawer).where(HiddenDrawer.due_at > sa.func.statement_timestamp())
    places = (HiddenDrawer.wing_number, HiddenDrawer.room_number, HiddenDrawer.number)
    rows = session.execute(query.order_by(*places))
    return [
        Hidden(
            Pointer(row.wing_number, row.room_number, row.number),
            row.hidden_at,
            row.due_at,
            parts_from_json(row.parts),
        )
        for row in rows
    ]


def drop_hidden(session: UserSession, identities: Sequence[bytes]) -> None:
    """Delete the stored copies of some drawers, and decisions about names that only they contain."""
    for batch in batches(identities):
        _delete(session, HiddenDrawer.identity == any_bytes(batch))


def sweep_hidden(session: UserSession) -> None:
    """Delete copies that are due or filed again, and decisions about names that no text contains any more."""
    again = session.select(Drawer.id).where(Drawer.identity == HiddenDrawer.identity)
    _delete(session, sa.or_(HiddenDrawer.due_at <= sa.func.statement_timestamp(), again.exists()))


def _delete(session: UserSession, which: sa.ColumnElement[bool]) -> None:
    content = HiddenDrawer.parts["drawer"]["content"].astext.label("content")
    texts = list(session.delete(HiddenDrawer, which, returning=content).scalars())
    while texts:
        # The new name in a deleted decision may itself have been decided on.
        texts = list(session.run("drop_decisions_of", {"texts": texts}).scalars())
