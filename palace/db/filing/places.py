"""Wings and rooms: found by slug or slice, numbered when created. Call each function in a short transaction of its own.

Only this module draws the numbers of wings, rooms and drawers. Each place stores the last number drawn, so none is used
twice, even after deletions; drawing one locks the place's row until the transaction ends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnClause, ColumnElement, CompoundSelect, func, or_, tuple_, union_all

from palace.db.database import UserSession
from palace.db.tables import Base, Conversation, Drawer, PalaceUser, Room, RoomAlias, Wing, WingAlias
from palace.models import NewRoom, WingKind


def find_wing(session: UserSession, slug: str) -> int | None:
    """Return a wing's id by its slug, or an alias's slug; None without one."""
    query = union_all(
        session.select(Wing.id).where(Wing.slug == slug),
        session.select(WingAlias.wing_id).where(WingAlias.slug == slug),
    )
    return session.execute(query).scalars().first()


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
    own = session.select(Wing.id, Wing.slug, Wing.name).order_by(Wing.number)
    others = session.select(WingAlias.wing_id, WingAlias.slug, WingAlias.name)
    rows = [*session.execute(own), *session.execute(others.order_by(WingAlias.slug))]
    return [(wing_id, slug, name) for wing_id, slug, name in rows]


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
    query = session.select(Room.slice, Room.id).where(Room.conversation_id == conversation_id)
    return dict(session.execute(query).all())


def find_home_wing(session: UserSession, conversation_id: int) -> int | None:
    """Return the wing that a conversation is in: that of its latest room, if some were moved; None without rooms."""
    query = session.select(Room.wing_id).where(Room.conversation_id == conversation_id).order_by(Room.slice.desc())
    return session.execute(query).scalars().first()


def ensure_rooms(session: UserSession, conversation_id: int, wing_id: int, rooms: Sequence[NewRoom]) -> bool:
    """Create the rooms that a conversation's slices lack, numbered in the given order.

    Returns False if the wing or the conversation is gone meanwhile.
    """
    known = find_rooms(session, conversation_id)
    missing = [room for room in rooms if room.slice not in known]
    if not missing:
        return True
    if not _hold(session, wing_id, conversation_id):
        return False
    rows = [
        {
            "wing_id": wing_id,
            "number": number,
            "conversation_id": conversation_id,
            "slice": room.slice,
            "name": room.name,
            "started_at": room.started_at,
        }
        for number, room in zip(next_room_numbers(session, wing_id, len(missing)), missing, strict=True)
    ]
    session.add(Room, rows)
    return True


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
    for room in rooms:
        if room.started_at is not None:
            session.update(
                Room,
                Room.conversation_id == conversation_id,
                Room.slice == room.slice,
                Room.started_at.is_(None),
                started_at=room.started_at,
            )


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


def _hold(session: UserSession, wing_id: int, conversation_id: int) -> bool:
    """Lock a wing and a conversation against deletion until the transaction ends; False if one is gone."""
    wing = session.select(Wing.id).where(Wing.id == wing_id).with_for_update(key_share=True)
    talk = session.select(Conversation.id).where(Conversation.id == conversation_id)
    talk = talk.with_for_update(read=True, key_share=True)
    return all(session.execute(query).one_or_none() is not None for query in (wing, talk))
