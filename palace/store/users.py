"""Users by name."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from palace.store.database import Database
from palace.tables import PalaceUser


def ensure_user(database: Database, name: str) -> int:
    """Find the user's id by name, making the user at first sight."""
    by_name = select(PalaceUser.id).where(PalaceUser.name == name)
    with database.transaction(None, user_name=name) as session:
        found = session.execute(by_name).scalar_one_or_none()
        if found is None:
            session.execute(insert(PalaceUser).values(name=name).on_conflict_do_nothing())
            found = session.execute(by_name).scalar_one()
        return int(found)
