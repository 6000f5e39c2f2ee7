"""Users by name."""

from __future__ import annotations

from difflib import get_close_matches
from uuid import UUID

from sqlalchemy import select, text
from sqlalchemy.dialects.postgresql import insert

from palace.db.database import Database, UserSession, owner_connection
from palace.db.driver import Answer
from palace.db.tables import PalaceUser
from palace.errors import NotFound

_NAME = text("SELECT name FROM palace_user WHERE id = :user_id")


def find_user(database: Database, name: str) -> int | None:
    """Return a user's id by name; None without one."""
    with database.without_user(user_name=name) as connection:
        return connection.execute(select(PalaceUser.id).where(PalaceUser.name == name)).scalar_one_or_none()


def get_name(database: Database, user_id: int) -> str:
    """Return the name of a user by id.

    Raises:
        NotFound: the user does not exist any more.
    """
    with database.of(user_id).transaction() as session:
        name = ask_name(session).get()
    if name is None:
        raise NotFound(f"there is no user number {user_id}")
    return name


def ask_name(session: UserSession) -> Answer[str | None]:
    """Return the name of the session's user, read together with others; None if they were deleted."""
    return session.ask(_NAME, {}, lambda rows: rows.scalar_one_or_none())


def list_alike(database: Database, name: str) -> list[str]:
    """List the few users whose names are most similar, best first; none on a shared server.

    There, nobody may learn who else has a palace. The embedded server is reached only by the owner of its folder, who
    can read everything in it anyway.
    """
    if database.server is None:
        return []
    with owner_connection(database, database.schema.search_path) as connection:
        return get_close_matches(name, connection.execute(select(PalaceUser.name)).scalars().all())


def ensure_user(database: Database, name: str) -> int:
    """Return a user's id by name; create the user if missing."""
    by_name = select(PalaceUser.id).where(PalaceUser.name == name)
    with database.without_user(user_name=name) as connection:
        found = connection.execute(by_name).scalar_one_or_none()
        if found is None:
            connection.execute(insert(PalaceUser).values(name=name).on_conflict_do_nothing())
            found = connection.execute(by_name).scalar_one()
        return int(found)


def get_palace_key(session: UserSession) -> UUID:
    """Return the key that identifies the palace, wherever it is kept."""
    query = session.select(PalaceUser.palace_key)
    key: UUID = session.execute(query).scalar_one()
    return key
