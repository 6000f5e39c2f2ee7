"""Reading drawers completely before they are forgotten, and restoring them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from sqlalchemy import ColumnElement, and_

from palace.db.database import UserSession
from palace.db.filing import versions
from palace.db.filing.conversations import (
    ensure_conversation,
    find_conversation,
    lock_conversation,
    restore_title,
    write_edges,
)
from palace.db.filing.places import find_rooms
from palace.db.memory_life import supersede
from palace.db.replies import file_replies, iter_replies
from palace.db.rows import any_bytes, any_id, grouped
from palace.db.tables import Drawer, Tombstone, aliased
from palace.db.transfer import filing, places, rows
from palace.db.transfer.marks import mark_restored
from palace.errors import DatabaseRefused
from palace.models import NewDrawer
from palace.models.lines import FormerPlace, HiddenParts, ReplyLine, RoomLine, TombstoneLine, WingLine


class _OwnIds(dict[int, int]):
    """Maps runs to their own ids, instead of indices in a file."""

    def __missing__(self, run_id: int) -> int:
        return run_id


def collect_parts(session: UserSession, drawer_ids: Sequence[int]) -> list[HiddenParts]:
    """Read drawers with all that is needed to file them again; takes no locks."""
    chosen = session.select(Drawer.identity, Drawer.conversation_id).where(Drawer.id == any_id(drawer_ids))
    found = session.execute(chosen).all()
    identities = {row.identity for row in found}
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
                    replaces=tuple(replaces.get(drawer.identity, ())),
                    answered_by=tuple(answered.get(drawer.identity, ())),
                    replies=tuple(reading.replies.get(drawer.identity, ())),
                )
            )
    return parts


class _Reading:
    """The rooms, tombstones and replies of some conversations."""

    def __init__(self, session: UserSession, ids: list[int], chosen: Collection[bytes]) -> None:
        self.ids = ids
        self.rooms = rows.list_rooms(session, ids, None)
        self.graves: dict[bytes, TombstoneLine] = {
            line.identity: line for _, line in rows.iter_tombstones(session, ids, None, _OwnIds())
        }
        self.replies: dict[bytes | None, list[ReplyLine]] = grouped(
            (next((identity for identity in reply.drawers if identity in chosen), None), reply)
            for _, reply in iter_replies(session, ids, None)
        )


def put_back(session: UserSession, parts: Sequence[HiddenParts], drawers: Sequence[NewDrawer]) -> int:
    """File drawers of one conversation again, with their old numbers and dates; return the conversation's id.

    Raises:
        DatabaseRefused: the conversation was removed meanwhile; running the command again restores it.
    """
    line = parts[0].conversation
    is_new = find_conversation(session, line.identity) is None
    conversation_id = ensure_conversation(
        session,
        identity=line.identity,
        reader=line.reader,
        title=line.title,
        run_id=line.run,
        filed_at=line.filed_at,
    )
    if not lock_conversation(session, conversation_id):
        raise DatabaseRefused("what is to be restored is being forgotten; run the same command again")
    rooms = _rooms_of(parts, known=find_rooms(session, conversation_id))
    wings: dict[int, WingLine] = {each.wing.number: each.wing for each in parts}
    places.renew_rooms(session, conversation_id, rooms, wings, wanted={room.slice for room in rooms})
    _unbury(session, conversation_id, parts)
    placed = list(zip((each.drawer for each in parts), drawers, strict=True))
    filing.file_again(session, conversation_id, placed, rooms=find_rooms(session, conversation_id), runs=_OwnIds())
    restore_title(session, conversation_id, line.title)
    if is_new:
        write_edges(session, conversation_id, line.edges)
    return conversation_id


def _rooms_of(parts: Sequence[HiddenParts], *, known: Collection[str]) -> list[RoomLine]:
    """List the rooms to restore; new ones keep as aliases all places where they were, wherever they are created.

    A room that was created again meanwhile does not: it has other drawers under the numbers of that time.
    """
    rooms = {each.room.slice: each.room for each in parts}
    stood: dict[str, set[FormerPlace]] = {name: set() for name in rooms}
    for each in parts:
        stood[each.room.slice] |= {*each.room.former, FormerPlace(each.room.wing, each.room.number)}
    return [room if name in known else replace(room, former=tuple(sorted(stood[name]))) for name, room in rooms.items()]


def link_back(session: UserSession, parts: Sequence[HiddenParts]) -> None:
    """Restore the links between drawers (replacements and answers), and the replies about them."""
    lines = [each.drawer for each in parts]
    filing.link_again(session, lines=lines, runs=_OwnIds())
    answers = [(reply, each.drawer.identity) for each in parts for reply in each.answered_by]
    versions.link_answers(session, answers)
    for each in parts:
        newer = session.select(Drawer.id).where(Drawer.identity == each.drawer.identity)
        for identity in each.replaces:
            former = (Drawer.identity == identity, Drawer.replaced_at.is_not(None), Drawer.replaced_by.is_(None))
            session.update(Drawer, *former, replaced_by=newer.scalar_subquery())
        if each.drawer.memory and each.replaces:
            supersede(session, each.replaces, each.drawer.identity)
        if each.replies:
            file_replies(session, each.conversation.identity, each.replies)


def _unbury(session: UserSession, conversation_id: int, parts: Sequence[HiddenParts]) -> None:
    """Delete the tombstones; one that was already out of force before is inserted again as it was."""
    mark_restored(session, [each.drawer.identity for each in parts])
    session.delete(Tombstone, Tombstone.identity == any_bytes([each.drawer.identity for each in parts]))
    graves = [each.grave for each in parts if each.grave is not None and each.grave.restored_by is not None]
    filing.bury_again(session, conversation_id, graves, runs=_OwnIds())


def _citing(session: UserSession, drawer_ids: Sequence[int], column: ColumnElement[int]) -> dict[bytes, list[bytes]]:
    """Map the identities of drawers to those of the drawers that refer to them, in order."""
    cited = aliased(Drawer)
    query = (
        session.select(Drawer.identity, cited.identity)
        .join(cited, and_(cited.user_id == Drawer.user_id, cited.id == column))
        .where(cited.id == any_id(drawer_ids))
    )
    return grouped((there, citing) for citing, there in sorted(tuple(row) for row in session.execute(query)))
