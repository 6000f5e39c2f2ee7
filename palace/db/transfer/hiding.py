"""Reading drawers whole before they are forgotten, and filing them again as they were."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, NoReturn

from sqlalchemy import and_, delete, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import InstrumentedAttribute, aliased

from palace.db.database import UserSession
from palace.db.filing import versions
from palace.db.filing.conversations import find_conversation, lock_conversation, restore_title, write_edges
from palace.db.filing.places import find_rooms
from palace.db.replies import file_replies, iter_replies
from palace.db.sql.rows import any_bytes, batches
from palace.db.tables import Drawer, Room, Tombstone, Wing
from palace.db.transfer import filing, places, rows
from palace.errors import DatabaseRefused
from palace.models import NewDrawer, Pointer
from palace.models.lines import FormerPlace, HiddenParts, ReplyLine, RoomLine, TombstoneLine, WingLine


class _OwnIds(dict[int, int]):
    """Runs go by their own ids, not by their places in a file."""

    def __missing__(self, run_id: int) -> int:
        return run_id


class _ById(Sequence[int]):
    """The same for what counts places from 1 and looks them up from 0."""

    def __getitem__(self, place: Any) -> Any:
        return place + 1

    def __len__(self) -> NoReturn:
        raise TypeError("ids have no end")


def collect_parts(session: UserSession, drawer_ids: Sequence[int]) -> list[HiddenParts]:
    """Read drawers with all that it takes to file them again; those that they stand beside are not locked here."""
    chosen = select(Drawer.identity, Drawer.conversation_id)
    chosen = chosen.where(Drawer.user_id == session.user_id, Drawer.id.in_(drawer_ids))
    found = session.execute(chosen).all()
    identities = {bytes(row.identity) for row in found}
    wings = {wing.number: wing for wing in rows.list_wings(session, None)}
    replaces = _citing(session, drawer_ids, Drawer.replaced_by)
    answered = _citing(session, drawer_ids, Drawer.answers)
    parts = []
    for page in rows.iter_conversation_pages(session, None, among=sorted({row.conversation_id for row in found})):
        reading = _Reading(session, [row.id for row in page], identities)
        lines = {row.id: rows.conversation_line(row, _OwnIds()) for row in page}
        for conversation_id, drawer in rows.iter_drawers(session, reading.ids, None, _OwnIds()):
            if drawer.identity not in identities:
                continue
            room = next(room for room in reading.rooms[conversation_id] if room.slice == drawer.slice)
            parts.append(
                HiddenParts(
                    wing=wings[room.wing],
                    conversation=lines[conversation_id],
                    room=room,
                    drawer=drawer,
                    grave=reading.graves.get(drawer.identity),
                    replaces=tuple(sorted(replaces.get(drawer.identity, ()))),
                    answered_by=tuple(sorted(answered.get(drawer.identity, ()))),
                    replies=tuple(reading.replies.get(drawer.identity, ())),
                )
            )
    return parts


class _Reading:
    """What stands beside the drawers of some conversations."""

    def __init__(self, session: UserSession, ids: list[int], chosen: Collection[bytes]) -> None:
        self.ids = ids
        self.rooms = rows.list_rooms(session, ids, None)
        self.graves: dict[bytes, TombstoneLine] = {
            line.identity: line for _, line in rows.iter_tombstones(session, ids, None, _OwnIds())
        }
        self.replies: dict[bytes, list[ReplyLine]] = {}
        for _, reply in iter_replies(session, ids, None):
            first = next((identity for identity in reply.drawers if identity in chosen), None)
            if first is not None:
                self.replies.setdefault(first, []).append(reply)


def put_back(session: UserSession, parts: Sequence[HiddenParts], drawers: Sequence[NewDrawer]) -> int:
    """File drawers of one conversation again, under the numbers and dates that they had; give the conversation's id.

    Raises:
        DatabaseRefused: the conversation went meanwhile; the same again finds it.
    """
    line = parts[0].conversation
    is_new = find_conversation(session, line.identity) is None
    conversation_id = places.ensure_conversation(session, line, title=line.title, run_id=line.run)
    if not lock_conversation(session, conversation_id):
        raise DatabaseRefused("what is to be restored is being forgotten; run the same command again")
    rooms = _rooms_of(parts, known=find_rooms(session, conversation_id))
    wings: dict[int, WingLine] = {each.wing.number: each.wing for each in parts}
    places.renew_rooms(session, conversation_id, rooms, wings, wanted={room.slice for room in rooms})
    _unbury(session, conversation_id, parts)
    placed = list(zip((each.drawer for each in parts), drawers, strict=True))
    filing.file_again(session, conversation_id, placed, rooms=find_rooms(session, conversation_id), runs=_ById())
    restore_title(session, conversation_id, line.title)
    if is_new:
        write_edges(session, conversation_id, line.edges)
    return conversation_id


def _rooms_of(parts: Sequence[HiddenParts], *, known: Collection[str]) -> list[RoomLine]:
    """List the rooms; those that are to be made go by the places where they stood, wherever they are made.

    A room that was made anew meanwhile does not: it has other drawers under the numbers of that time.
    """
    rooms = {each.room.slice: each.room for each in parts}
    stood: dict[str, set[FormerPlace]] = {name: set() for name in rooms}
    for each in parts:
        stood[each.room.slice] |= {*each.room.former, FormerPlace(each.room.wing, each.room.number)}
    return [room if name in known else replace(room, former=tuple(sorted(stood[name]))) for name, room in rooms.items()]


def link_back(session: UserSession, parts: Sequence[HiddenParts]) -> None:
    """Say again which drawers took whose place and answer which, and keep again what was replied about them."""
    lines = [each.drawer for each in parts]
    filing.link_again(session, lines=[line for line in lines if line.replaced_at or line.answers], runs=_ById())
    answers = [(reply, each.drawer.identity) for each in parts for reply in each.answered_by]
    versions.link_answers(session, answers)
    for each in parts:
        newer = select(Drawer.id).where(Drawer.user_id == session.user_id, Drawer.identity == each.drawer.identity)
        for identity in each.replaces:
            former = (Drawer.user_id == session.user_id, Drawer.identity == identity)
            marked = (Drawer.replaced_at.is_not(None), Drawer.replaced_by.is_(None))
            session.execute(update(Drawer).where(*former, *marked).values(replaced_by=newer.scalar_subquery()))
        if each.replies:
            file_replies(session, each.conversation.identity, each.replies)


def _unbury(session: UserSession, conversation_id: int, parts: Sequence[HiddenParts]) -> None:
    """Take the tombstones away; that of an earlier forgetting, which was taken back, stands as it stood."""
    identities = [each.drawer.identity for each in parts]
    named = Tombstone.identity == any_bytes(identities)
    session.execute(delete(Tombstone).where(Tombstone.user_id == session.user_id, named))
    graves = [
        {
            "identity": each.grave.identity,
            "conversation_id": conversation_id,
            "position": each.grave.position,
            "forgotten_at": each.grave.forgotten_at,
            "restored_by": each.grave.restored_by,
        }
        for each in parts
        if each.grave is not None and each.grave.restored_by is not None
    ]
    if graves:
        session.insert(insert(Tombstone).on_conflict_do_nothing(), graves)


def _citing(
    session: UserSession, drawer_ids: Sequence[int], column: InstrumentedAttribute[int | None]
) -> dict[bytes, set[bytes]]:
    """Map the identities of drawers to those of the drawers that cite them."""
    cited = aliased(Drawer)
    query = (
        select(cited.identity, Drawer.identity)
        .join(cited, and_(cited.user_id == Drawer.user_id, cited.id == column))
        .where(Drawer.user_id == session.user_id, cited.user_id == session.user_id, cited.id.in_(drawer_ids))
    )
    found: dict[bytes, set[bytes]] = {}
    for one, other in session.execute(query):
        found.setdefault(bytes(one), set()).add(bytes(other))
    return found


def pointers_of(session: UserSession, identities: Sequence[bytes]) -> Mapping[bytes, Pointer]:
    """Tell where drawers stand."""
    query = (
        select(Drawer.identity, Wing.number, Room.number, Drawer.number)
        .join(Room, and_(Room.user_id == Drawer.user_id, Room.id == Drawer.room_id))
        .join(Wing, and_(Wing.user_id == Room.user_id, Wing.id == Room.wing_id))
        .where(Drawer.user_id == session.user_id, Room.user_id == session.user_id, Wing.user_id == session.user_id)
    )
    return {
        bytes(identity): Pointer(*numbers)
        for batch in batches(identities)
        for identity, *numbers in session.execute(query.where(Drawer.identity == any_bytes(batch)))
    }
