"""Importing another palace's export: its wings and rooms here, and its drawers that have other identities here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import NamedTuple

import sqlalchemy as sa

from palace.db.database import UserSession
from palace.db.filing import places, versions
from palace.db.filing.conversations import ensure_conversation
from palace.db.memories import get_parts, identities_of, ids_of, put_memories
from palace.db.rows import any_bytes, batches, row_of
from palace.db.tables import Conversation, Drawer, Room, Tombstone, Wing, WingAlias
from palace.db.transfer.marks import EPOCH
from palace.db.transfer.places import lock_palace
from palace.models import MemoryPart, MemoryState, MemoryType
from palace.models.intake import LARGEST_NUMBER
from palace.models.lines import ConversationLine, Here, Home, RoomLine, WingLine

OF_OTHERS = "it is from another palace"
AHEAD = timedelta(hours=1)
"""How far the clock of another machine may be ahead; a later time counts as none."""


class Joined(NamedTuple):
    """The wing here that corresponds to one of the file."""

    wing_id: int
    number: int
    base: int | None
    """Offset of its rooms' numbers; None where each draws the next."""


def join_wing(session: UserSession, line: WingLine, *, reserves_numbers: bool = True) -> Joined:
    """Find a wing by one of its names, present or former, or create it; and reserve numbers for its rooms.

    The file's wing numbers, of this wing and of merged ones, are not used here.
    """
    lock_palace(session)
    wing_id = _find_called(session, line)
    if wing_id is None:
        wing_id = places.make_wing(session, row_of(Wing, line, number=places.next_wing_number(session), room_seq=0))
    _add_names(session, wing_id, line)
    number = session.select(Wing.number).where(Wing.id == wing_id)
    base = _set_aside(session, wing_id, line.room_seq) if reserves_numbers else None
    return Joined(wing_id, session.execute(number).scalar_one(), base)


def join_rooms(
    session: UserSession, conversation_id: int, rooms: Sequence[RoomLine], wings: Mapping[int, Joined]
) -> None:
    """Create the rooms that a conversation lacks: in its wing here, else in the file's."""
    known = places.find_rooms(session, conversation_id)
    home = places.find_home_wing(session, conversation_id)
    for line in rooms:
        if line.slice in known:
            continue
        joined = wings[line.wing]
        is_there = home is None or home == joined.wing_id
        wing_id = joined.wing_id if home is None else home
        if is_there and joined.base is not None:
            number = joined.base + line.number
        else:
            number = places.next_room_numbers(session, wing_id)[0]
        place = {"wing_id": wing_id, "conversation_id": conversation_id, "number": number}
        session.add(Room, [row_of(Room, line, drawer_seq=0, **place)])


def _find_called(session: UserSession, line: WingLine) -> int | None:
    slugs = [line.slug, *(alias.slug for alias in line.aliases)]
    return next((found for slug in slugs if (found := places.find_wing(session, slug)) is not None), None)


def _add_names(session: UserSession, wing_id: int, line: WingLine) -> None:
    named = {line.slug: line.name} | {alias.slug: alias.name for alias in line.aliases}
    free = named.keys() - set(session.values(session.select(Wing.slug).where(Wing.slug.in_(named))))
    session.add(WingAlias, [{"slug": slug, "name": named[slug], "wing_id": wing_id} for slug in sorted(free)])


def _set_aside(session: UserSession, wing_id: int, count: int) -> int | None:
    """Draw as many numbers as the file's wing has drawn, so that its rooms keep their order."""
    if not 0 < count <= LARGEST_NUMBER:
        return None
    last = session.select(Wing.room_seq).where(Wing.id == wing_id).with_for_update()
    if session.execute(last).scalar_one() + count > LARGEST_NUMBER:
        return None
    return places.next_room_numbers(session, wing_id, count)[0] - 1


def place_notes(session: UserSession, line: ConversationLine, day: str, wing_id: int, *, run_id: int) -> str:
    """Find or create the conversation of a wing's notes of a day; return its identity. Skips those in other wings."""
    number = places.get_wing(session, wing_id).number
    for turn in count(1):
        name = f"{line.reader}:{number}/{day}" + (f"#{turn}" if turn > 1 else "")
        found = ensure_conversation(session, identity=name, reader=line.reader, title=line.title, run_id=run_id)
        if places.find_home_wing(session, found) in (None, wing_id):
            return name
    raise AssertionError("unreachable")


def order_notes(session: UserSession, conversation_id: int) -> None:
    """Set the positions of a day's notes in order of time."""
    query = (
        session.select(Drawer.identity, Drawer.position)
        .where(Drawer.conversation_id == conversation_id)
        .order_by(Drawer.said_at.nulls_last(), Drawer.position, Drawer.number)
    )
    placed = [(row.identity, row.position) for row in session.execute(query)]
    moved = {identity: index for index, (identity, position) in enumerate(placed) if index != position}
    versions.move(session, conversation_id, moved)


def list_here(session: UserSession, conversation_id: int) -> list[Here]:
    """List the drawers and tombstones of a conversation, in order; texts only of redacted drawers."""
    content = sa.case((Drawer.said.is_not(None), Drawer.content), else_=sa.null())
    drawers = (
        session.select(Drawer.identity, Drawer.position, Drawer.role, Drawer.said_at, content.label("content"))
        .where(Drawer.conversation_id == conversation_id)
        .order_by(Drawer.position, Drawer.number)
    )
    graves = (
        session.select(Tombstone.identity, Tombstone.position)
        .where(Tombstone.conversation_id == conversation_id, Tombstone.restored_by.is_(None))
        .order_by(Tombstone.position, Tombstone.identity)
    )
    filed = [Here(row.identity, row.position, row.role, row.said_at, row.content) for row in session.execute(drawers)]
    return filed + [Here(row.identity, row.position, is_forgotten=True) for row in session.execute(graves)]


def find_homes(session: UserSession, identities: Sequence[bytes]) -> dict[bytes, Home]:
    """Map those identities that are filed or forgotten here to their conversations."""
    found: dict[bytes, Home] = {}
    for table in (Tombstone, Drawer):
        of_it = sa.and_(Conversation.user_id == table.user_id, Conversation.id == table.conversation_id)
        for batch in batches(identities):
            query = (
                session.select(table.identity, Conversation.identity)
                .join(Conversation, of_it)
                .where(table.identity == any_bytes(batch))
            )
            for identity, name in session.execute(query):
                found[identity] = Home(name, is_filed=table is Drawer)
    return found


def proposed(part: MemoryPart, known: MemoryPart | None = None) -> MemoryPart:
    """Return what another palace stored of a memory: an instruction accepted there is not accepted here by that.

    ``known`` is what is stored here. A time in the future becomes the present.
    """
    now = datetime.now(UTC)
    part = replace(part, updated_at=min(part.updated_at or now, now))
    if part.type is not MemoryType.INSTRUCTION or part.state is not MemoryState.ACCEPTED:
        return part
    if known is not None and known.type is MemoryType.INSTRUCTION:
        return replace(part, state=known.state, reason=known.reason)
    return replace(part, state=MemoryState.PROPOSED, reason=OF_OTHERS)


def join_memories(session: UserSession, memories: Mapping[bytes, MemoryPart]) -> None:
    """Take over what another machine changed later of memories here, by identity."""
    ids = {identity: drawer_id for drawer_id, identity in identities_of(session, ids_of(session, memories)).items()}
    here = get_parts(session, list(ids.values()), holds=True)
    latest = datetime.now(UTC) + AHEAD

    def changed(part: MemoryPart) -> datetime:
        return part.updated_at if part.updated_at and part.updated_at <= latest else EPOCH

    given = {drawer_id: memories[identity] for identity, drawer_id in ids.items() if drawer_id in here}
    later = {each: part for each, part in given.items() if changed(part) > changed(here[each])}
    put_memories(session, {each: proposed(part, here[each]) for each, part in later.items()})


def join_positions(session: UserSession, conversation_id: int, positions: Mapping[bytes, int]) -> None:
    """Move the turns of a conversation that were moved up on another machine, by identity."""
    here = {each.identity: each.position for each in list_here(session, conversation_id)}
    moved = {identity: position for identity, position in positions.items() if position > here.get(identity, position)}
    versions.move(session, conversation_id, moved)
