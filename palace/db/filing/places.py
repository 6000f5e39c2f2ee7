"""Wings and rooms: found by slug or slice, numbered when created. Call each function in a short transaction of its own.

Only this module draws the numbers of wings, rooms and drawers. Each place stores the last number drawn, so none is used
twice, even after deletions; drawing one locks the place's row until the transaction ends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy import ColumnClause, ColumnElement, CompoundSelect, func, or_, tuple_, union_all

from palace.db.database import UserSession
from palace.db.tables import Base, Drawer, PalaceUser, Room, RoomAlias, Wing, WingAlias
from palace.models import NewRoom, WingKind

_WING = sa.text(
    "SELECT w.id FROM wing AS w WHERE w.user_id = :user_id AND w.slug = :slug"
    " UNION ALL SELECT a.wing_id FROM wing_alias AS a WHERE a.user_id = :user_id AND a.slug = :slug"
)
_WING_NAMES = sa.text(
    "SELECT w.id, w.slug, w.name, false AS is_alias, w.number FROM wing AS w WHERE w.user_id = :user_id UNION ALL"
    " SELECT a.wing_id, a.slug, a.name, true, 0 FROM wing_alias AS a WHERE a.user_id = :user_id"
    " ORDER BY is_alias, number, slug"
)
_ROOMS = sa.text(
    "SELECT r.slice, r.id FROM room AS r WHERE r.user_id = :user_id AND r.conversation_id = :conversation_id"
)
_HOME = sa.text(
    "SELECT r.wing_id FROM room AS r WHERE r.user_id = :user_id AND r.conversation_id = :conversation_id"
    " ORDER BY r.slice DESC LIMIT 1"
)
_DATE = sa.text(
    "UPDATE room AS r SET started_at = given.started_at FROM unnest(CAST(:slices AS text[]),"
    " CAST(:times AS timestamptz[])) AS given (slice, started_at) WHERE r.user_id = :user_id"
    " AND r.conversation_id = :conversation_id AND r.slice = given.slice AND r.started_at IS NULL"
)


def find_wing(session: UserSession, slug: str) -> int | None:
    """Return a wing's id by its slug, or an alias's slug; None without one."""
    return session.execute(_WING, {"slug": slug}).scalars().first()


def ensure_wing(session: UserSession, *, slug: str, name: str, kind: WingKind) -> int:
    """Return a wing's id by slug or alias; create it with the next number if missing."""
    found = find_wing(session, slug)
    if found is not None:
        return found
    return make_wing(session, {"number": next_wing_number(session), "slug": slug, "name": name, "kind": kind.value})


def make_wing(session: UserSession, row: Mapping[str, Any]) -> int:
    """Create a wing, unless another transaction has just created one with its slug; return its id."""
    session.add(Wing, [row])
    made = find_wing(session, row["slug"])
    assert made is not None
    return made


def is_merged(session: UserSession, slug: str) -> bool:
    """Check whether a wing of that name was merged into another."""
    query = session.select(WingAlias.slug).where(WingAlias.slug == slug)
    return session.execute(query.where(WingAlias.number.is_not(None))).one_or_none() is not None


class WingNames(NamedTuple):
    """A wing's number and name."""

    number: int
    name: str


def get_wing(session: UserSession, wing_id: int) -> WingNames:
    """Return the number and name of an existing wing."""
    query = session.select(Wing.number, Wing.name).where(Wing.id == wing_id)
    return WingNames(*session.execute(query).one())


def list_wing_names(session: UserSession) -> list[tuple[int, str, str]]:
    """List all names of wings with their ids and slugs: present names in order of number, then aliases."""
    return [(row.id, row.slug, row.name) for row in session.execute(_WING_NAMES)]


def raise_kind(session: UserSession, wing_id: int, kind: WingKind) -> None:
    """Set the kind of a wing, person or project, if it was a mere topic so far."""
    session.update(Wing, Wing.id == wing_id, Wing.kind == WingKind.TOPIC.value, kind=kind.value)


def count_stood(session: UserSession, wing_id: int) -> dict[int, int]:
    """Count the conversations with a room that is or was in a wing, by the id of the wing it is in now."""
    numbers: CompoundSelect[int | None] = union_all(
        session.select(Wing.number).where(Wing.id == wing_id),
        session.select(WingAlias.number).where(WingAlias.wing_id == wing_id, WingAlias.number.is_not(None)),
    )
    stood = session.select(RoomAlias.room_id).where(RoomAlias.wing_number.in_(numbers))
    query = session.select(Room.wing_id, func.count(Room.conversation_id.distinct()))
    query = query.where(or_(Room.wing_id == wing_id, Room.id.in_(stood))).group_by(Room.wing_id)
    return dict(session.execute(query).all())


def find_rooms(session: UserSession, conversation_id: int) -> dict[str, int]:
    """Map the slices of a conversation to the ids of their rooms."""
    return dict(session.execute(_ROOMS, {"conversation_id": conversation_id}).all())


def find_home_wing(session: UserSession, conversation_id: int) -> int | None:
    """Return the wing that a conversation is in: that of its latest room, if some were moved; None without rooms."""
    return session.execute(_HOME, {"conversation_id": conversation_id}).scalar_one_or_none()


def ensure_rooms(session: UserSession, conversation_id: int, wing_id: int, rooms: Sequence[NewRoom]) -> bool:
    """Create the rooms that a conversation's slices lack, numbered in the given order.

    Returns False if the wing or the conversation is gone meanwhile.
    """
    parameters = {
        "conversation_id": conversation_id,
        "wing_id": wing_id,
        "slices": [room.slice for room in rooms],
        "names": [room.name for room in rooms],
        "times": [room.started_at for room in rooms],
    }
    return bool(session.run("ensure_rooms", parameters).scalar_one())


def next_wing_number(session: UserSession) -> int:
    """Draw the next number of a wing."""
    return _draw(session, PalaceUser, PalaceUser.wing_seq)[0]


def next_room_numbers(session: UserSession, wing_id: int, count: int = 1) -> range:
    """Draw the next numbers of rooms in a wing."""
    return _draw(session, Wing, Wing.room_seq, Wing.id == wing_id, count=count)


def next_drawer_numbers(session: UserSession, room_id: int, count: int = 1) -> range:
    """Draw the next numbers of drawers in a room."""
    return _draw(session, Room, Room.drawer_seq, Room.id == room_id, count=count)


def raise_room_number(session: UserSession, wing_id: int, last: int) -> None:
    """Make a wing draw room numbers above ``last`` only; locks nothing if it does already."""
    session.update(Wing, Wing.id == wing_id, Wing.room_seq < last, room_seq=func.greatest(Wing.room_seq, last))


def raise_drawer_number(session: UserSession, room_id: int, last: int) -> None:
    """Make a room draw drawer numbers above ``last`` only; locks nothing if it does already."""
    session.update(Room, Room.id == room_id, Room.drawer_seq < last, drawer_seq=func.greatest(Room.drawer_seq, last))


def date_rooms(session: UserSession, conversation_id: int, rooms: Sequence[NewRoom]) -> None:
    """Set when undated rooms of a conversation began, where that is known now."""
    known = [room for room in rooms if room.started_at is not None]
    if known:
        slices, times = [room.slice for room in known], [room.started_at for room in known]
        session.execute(_DATE, {"conversation_id": conversation_id, "slices": slices, "times": times})


def list_dated(session: UserSession, run_ids: Sequence[int]) -> dict[int, datetime]:
    """Map the rooms where runs filed to the earliest moment of their drawers there; rooms without any are left out."""
    query = session.select(Drawer.room_id, func.min(Drawer.said_at)).where(
        Drawer.run_id.in_(run_ids), Drawer.said_at.is_not(None)
    )
    return dict(session.execute(query.group_by(Drawer.room_id)).all())


def undate_rooms(session: UserSession, dated: Mapping[int, datetime]) -> None:
    """Remove the beginnings of rooms that were set to these moments, where no dated drawer is left."""
    left = session.select(Drawer.id).where(Drawer.room_id == Room.id, Drawer.said_at.is_not(None))
    began = tuple_(Room.id, Room.started_at).in_(list(dated.items()))
    session.update(Room, began, ~left.exists(), started_at=None)


def _draw(
    session: UserSession, table: type[Base], last: ColumnClause[int], *place: ColumnElement[bool], count: int = 1
) -> range:
    """Raise the last number that a place has drawn; return the new numbers, in order."""
    made = session.update(table, *place, returning=last, **{last.key: last + count})
    drawn = int(made.scalar_one())
    return range(drawn - count + 1, drawn + 1)
