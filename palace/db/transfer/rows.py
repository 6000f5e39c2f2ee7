"""What an export reads, of a whole palace or one wing, in an order that does not depend on internal ids.

Call every function in the same snapshot. Drawers are fetched a few at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Row, ScalarSelect, Select, and_, func, select, union
from sqlalchemy.dialects.postgresql import aggregate_order_by

from palace.db.database import UserSession
from palace.db.rows import batches, columns_of, grouped, record_of
from palace.db.tables import (
    Conversation,
    ConversationEdge,
    Drawer,
    Memory,
    MiningRun,
    PalaceUser,
    Room,
    RoomAlias,
    RunBasis,
    Tombstone,
    Wing,
    WingAlias,
    aliased,
)
from palace.models.lines import (
    AliasPart,
    ConversationLine,
    DrawerLine,
    FormerPlace,
    HeaderLine,
    MemoryMember,
    RoomLine,
    RunLine,
    TombstoneLine,
    WingLine,
)

PAGE = 500
"""Conversations, or runs, that are read together."""
WINDOW = 200
"""The most drawers in memory at a time."""

# The database's own collation may be any; "C" is the same everywhere.
_BY_IDENTITY = Conversation.identity.collate("C")


def get_header(session: UserSession) -> HeaderLine:
    """Return the palace's key and last wing number."""
    return HeaderLine(*session.execute(session.select(PalaceUser.palace_key, PalaceUser.wing_seq)).one())


def number_runs(session: UserSession, wing_id: int | None, among: Sequence[int] | None = None) -> dict[int, int]:
    """Map run ids to their indices in an export, from 1; of a wing, or of some conversations, only those cited."""
    query = session.select(MiningRun.id)
    if among is not None:
        query = query.where(MiningRun.id.in_(_cited_among(session, among)))
    elif wing_id is not None:
        query = query.where(MiningRun.id.in_(_cited_in(session, wing_id)))
    ids = session.execute(query.order_by(MiningRun.started_at, MiningRun.id)).scalars()
    return {run_id: index for index, run_id in enumerate(ids, start=1)}


def iter_runs(session: UserSession, places: Mapping[int, int]) -> Iterator[RunLine]:
    """Yield the runs in order of their indices."""
    for page in batches(list(places)):
        query = session.select(MiningRun.id, *columns_of(MiningRun, RunLine)).where(MiningRun.id.in_(page))
        rows = {row.id: row for row in session.execute(query)}
        relied = session.select(RunBasis.run_id, RunBasis.basis_id).where(RunBasis.run_id.in_(page))
        basis = grouped((run, places[other]) for run, other in session.execute(relied) if other in places)
        for run_id in page:
            yield record_of(RunLine, rows[run_id], basis=tuple(sorted(basis.get(run_id, ()))))


def list_wings(session: UserSession, wing_id: int | None) -> list[WingLine]:
    """List the wings in order of number, each with its aliases in order of slug."""
    query = session.select(WingAlias.wing_id, WingAlias.slug, WingAlias.name, WingAlias.number)
    found = session.execute(query.order_by(WingAlias.slug.collate("C")))
    aliases = grouped((wing, AliasPart(*alias)) for wing, *alias in found)
    wings = session.select(Wing.id, *columns_of(Wing, WingLine)).order_by(Wing.number)
    if wing_id is not None:
        wings = wings.where(Wing.id == wing_id)
    return [record_of(WingLine, row, aliases=tuple(aliases.get(row.id, ()))) for row in session.execute(wings)]


def iter_conversation_pages(
    session: UserSession, wing_id: int | None, among: Sequence[int] | None = None
) -> Iterator[Sequence[Row[*tuple[Any, ...]]]]:
    """Yield the conversations in pages, in order of identity; of a wing, those with a room in it."""
    hashes = func.array_agg(aggregate_order_by(ConversationEdge.line_hash, ConversationEdge.line_hash))
    edges = session.select(hashes).where(ConversationEdge.conversation_id == Conversation.id)
    query = session.select(
        Conversation.id,
        Conversation.run_id,
        *columns_of(Conversation, ConversationLine),
        edges.scalar_subquery().label("edges"),
    )
    if wing_id is not None:
        query = query.where(_has_room(session, Room.wing_id == wing_id))
    if among is not None:
        query = query.where(Conversation.id.in_(among))
    yield from session.execute(query.order_by(_BY_IDENTITY).execution_options(yield_per=PAGE)).partitions()


def conversation_line(row: Row[*tuple[Any, ...]], runs: Mapping[int, int]) -> ConversationLine:
    """Return the line of a conversation."""
    return record_of(ConversationLine, row, run=runs[row.run_id])


def list_rooms(session: UserSession, conversations: Sequence[int], wing_id: int | None) -> dict[int, list[RoomLine]]:
    """Map conversations to their rooms, in order of the wing's number and their own."""
    query = (
        session.select(Room.id, Room.conversation_id, *columns_of(Room, RoomLine), Wing.number.label("wing"))
        .join(Wing)
        .where(*_rooms_of(conversations, wing_id))
        .order_by(Wing.number, Room.number)
    )
    rows = session.execute(query).all()
    stood = session.select(RoomAlias.room_id, RoomAlias.wing_number, RoomAlias.room_number)
    stood = stood.where(RoomAlias.room_id.in_([row.id for row in rows]))
    found = session.execute(stood.order_by(RoomAlias.wing_number, RoomAlias.room_number))
    former = grouped((room, FormerPlace(*numbers)) for room, *numbers in found)
    return grouped(
        (row.conversation_id, record_of(RoomLine, row, former=tuple(former.get(row.id, ())))) for row in rows
    )


def iter_drawers(
    session: UserSession, conversations: Sequence[int], wing_id: int | None, runs: Mapping[int, int]
) -> Iterator[tuple[int, DrawerLine]]:
    """Yield the drawers with their conversation's id, in order of conversation, position, room and number."""
    cited = {name: _cited(session, getattr(Drawer, name), wing_id).label(name) for name in ("replaced_by", "answers")}
    own = [column for column in columns_of(Drawer, DrawerLine) if column.key not in cited]
    columns = (Drawer.id, Drawer.conversation_id, Drawer.run_id, Drawer.replaced_run_id, Room.slice)
    query = (
        select(*columns, *own, *cited.values())
        .select_from(Room)
        .join(Wing)
        .join(Drawer, and_(Drawer.user_id == Room.user_id, Drawer.room_id == Room.id))
        .join(Conversation)
        .where(Room.user_id == session.user_id, *_rooms_of(conversations, wing_id))
        .where(Drawer.conversation_id.in_(conversations))
        .order_by(_BY_IDENTITY, Drawer.position, Wing.number, Room.number, Drawer.number)
    )
    memories = _memories_of(session, conversations)
    for row in session.execute(query.execution_options(yield_per=WINDOW)):
        replaced_run = None if row.replaced_run_id is None else runs[row.replaced_run_id]
        others = {"run": runs[row.run_id], "replaced_run": replaced_run, "memory": memories.get(row.id)}
        yield row.conversation_id, record_of(DrawerLine, row, **others)


def _memories_of(session: UserSession, conversations: Sequence[int]) -> dict[int, MemoryMember]:
    """Map the drawers of some conversations that are memories to their members."""
    here = session.select(Drawer.id).where(Drawer.conversation_id.in_(conversations))
    query = session.select(Memory.drawer_id, *columns_of(Memory, MemoryMember)).where(Memory.drawer_id.in_(here))
    return {row.drawer_id: record_of(MemoryMember, row) for row in session.execute(query)}


def _cited(session: UserSession, column: ColumnElement[int], wing_id: int | None) -> ScalarSelect[Any]:
    """Select the identity of a drawer that another one refers to, if the export contains it."""
    cited, room = aliased(Drawer), aliased(Room)
    query = session.select(cited.identity).where(cited.id == column)
    if wing_id is not None:
        query = query.join(room, and_(room.user_id == cited.user_id, room.id == cited.room_id))
        query = query.where(room.wing_id == wing_id)
    return query.scalar_subquery()


def iter_tombstones(
    session: UserSession, conversations: Sequence[int], wing_id: int | None, runs: Mapping[int, int]
) -> Iterator[tuple[int, TombstoneLine]]:
    """Yield the tombstones with their conversation's id, in order of conversation, position and identity.

    Of a wing, only those of conversations without rooms elsewhere: a tombstone does not say which room it was in.
    """
    query = (
        session.select(Tombstone.conversation_id, *columns_of(Tombstone, TombstoneLine))
        .join(Conversation)
        .where(*_only_in(session, wing_id), Tombstone.conversation_id.in_(conversations))
        .order_by(_BY_IDENTITY, Tombstone.position, Tombstone.identity)
    )
    for row in session.execute(query.execution_options(yield_per=PAGE)):
        restored_by = None if row.restored_by is None else runs[row.restored_by]
        yield row.conversation_id, record_of(TombstoneLine, row, restored_by=restored_by)


def _cited_in(session: UserSession, wing_id: int) -> Select[int]:
    """Select the runs to which a wing's conversations, drawers and tombstones refer."""
    conversations = session.select(Conversation.run_id).where(_has_room(session, Room.wing_id == wing_id))
    drawers, replacing = (
        session.select(column).join(Room).where(Room.wing_id == wing_id)
        for column in (Drawer.run_id, Drawer.replaced_run_id)
    )
    tombstones = session.select(Tombstone.restored_by).join(Conversation)
    tombstones = tombstones.where(*_only_in(session, wing_id), Tombstone.restored_by.is_not(None))
    return select(union(conversations, drawers, replacing, tombstones).subquery().c[0])


def _cited_among(session: UserSession, conversations: Sequence[int]) -> Select[int]:
    """Select the runs to which some conversations, their drawers and tombstones refer."""
    cited = [session.select(Conversation.run_id).where(Conversation.id.in_(conversations))]
    columns = ((Drawer, Drawer.run_id), (Drawer, Drawer.replaced_run_id), (Tombstone, Tombstone.restored_by))
    for table, column in columns:
        of_them = table.conversation_id.in_(conversations)
        cited.append(session.select(column).where(of_them, column.is_not(None)))
    return select(union(*cited).subquery().c[0])


def _rooms_of(conversations: Sequence[int], wing_id: int | None) -> tuple[ColumnElement[bool], ...]:
    found = (Room.conversation_id.in_(conversations),)
    return found if wing_id is None else (*found, Room.wing_id == wing_id)


def _only_in(session: UserSession, wing_id: int | None) -> tuple[ColumnElement[bool], ...]:
    if wing_id is None:
        return ()
    return _has_room(session, Room.wing_id == wing_id), ~_has_room(session, Room.wing_id != wing_id)


def _has_room(session: UserSession, where: ColumnElement[bool]) -> ColumnElement[bool]:
    return session.select(Room.id).where(Room.conversation_id == Conversation.id, where).exists()
