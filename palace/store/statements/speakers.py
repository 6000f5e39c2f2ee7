"""Who said anything."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import ColumnElement, func, select

from palace.records import Scope
from palace.store.database import UserSession
from palace.tables import Drawer as DrawerRow
from palace.tables import Room

MOST_SPEAKERS = 10_000
_ALL = Scope()


def has_speaker(session: UserSession, name: str, scope: Scope = _ALL) -> bool:
    """Tell whether a drawer is by a speaker of this name, in any case, in the wings of a scope."""
    said = select(DrawerRow.id).where(
        DrawerRow.user_id == session.user_id,
        func.lower(DrawerRow.speaker) == func.lower(name),
        *_within(session, scope),
    )
    return bool(session.execute(select(said.exists())).scalar_one())


def list_speakers(session: UserSession, scope: Scope = _ALL) -> list[str]:
    """List the names of who said anything in the wings of a scope, at most 10,000 of them."""
    names = select(DrawerRow.speaker).where(
        DrawerRow.user_id == session.user_id, DrawerRow.speaker.is_not(None), *_within(session, scope)
    )
    return list(session.execute(names.distinct().limit(MOST_SPEAKERS)).scalars())


def _within(session: UserSession, scope: Scope) -> Iterator[ColumnElement[bool]]:
    if scope.wing_ids is not None:
        rooms = select(Room.id).where(Room.user_id == session.user_id, Room.wing_id.in_(scope.wing_ids))
        yield DrawerRow.room_id.in_(rooms)
