"""What an export reads, in one order that does not depend on internal ids: of a whole palace, or of one wing.

Every function wants the same snapshot. Drawers come from the server a few at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import ColumnElement, Row, Select, and_, func, select, union
from sqlalchemy.dialects.postgresql import aggregate_order_by
from sqlalchemy.orm import InstrumentedAttribute, aliased

from palace.db.database import UserSession
from palace.db.sql.rows import batches
from palace.db.tables import (
    Conversation,
    ConversationEdge,
    Drawer,
    MiningRun,
    PalaceUser,
    Room,
    RoomAlias,
    RunBasis,
    Tombstone,
    Wing,
    WingAlias,
)
from palace.models import Role, WingKind
from palace.models.lines import (
    AliasPart,
    ConversationLine,
    DrawerLine,
    FormerPlace,
    HeaderLine,
    RoomLine,
    RunLine,
    TombstoneLine,
    WingLine,
)

PAGE = 500
"""Conversations, or runs, that are read together."""
WINDOW = 200
"""Drawers that are in memory at a time."""

# The database's own collation may be any; bytes are the same everywhere.
_BY_IDENTITY = Conversation.identity.collate("C")


def get_header(session: UserSession) -> HeaderLine:
    """Get which palace this is."""
    query = select(PalaceUser.palace_key, PalaceUser.wing_seq).where(PalaceUser.id == session.user_id)
    return HeaderLine(*session.execute(query).one())


def number_runs(session: UserSession, wing_id: int | None) -> dict[int, int]:
    """Map run ids to their places in an export, from 1; of a wing, only the runs that its rooms cite."""
    query = select(MiningRun.id).where(MiningRun.user_id == session.user_id)
    if wing_id is not None:
        query = query.where(MiningRun.id.in_(_cited_in(session, wing_id)))
    ids = session.execute(query.order_by(MiningRun.started_at, MiningRun.id)).scalars()
    return {run_id: place for place, run_id in enumerate(ids, start=1)}


def iter_runs(session: UserSession, places: Mapping[int, int]) -> Iterator[RunLine]:
    """Give the runs in order of their places."""
    for page in batches(list(places)):
        mine = select(MiningRun).where(MiningRun.user_id == session.user_id, MiningRun.id.in_(page)).subquery()
        rows = {row.id: row for row in session.execute(select(mine))}
        basis = _basis_of(session, page, places)
        for run_id in page:
            row = rows[run_id]
            yield RunLine(
                source=row.source,
                started_at=row.started_at,
                finished_at=row.finished_at,
                drawer_count=row.drawer_count,
                undone_at=row.undone_at,
                basis=tuple(sorted(basis.get(run_id, ()))),
            )


def list_wings(session: UserSession, wing_id: int | None) -> list[WingLine]:
    """List the wings in order of number, each with its aliases in order of slug."""
    query = select(WingAlias.wing_id, WingAlias.slug, WingAlias.name, WingAlias.number)
    query = query.where(WingAlias.user_id == session.user_id).order_by(WingAlias.slug.collate("C"))
    aliases: dict[int, list[AliasPart]] = {}
    for row in session.execute(query):
        aliases.setdefault(row.wing_id, []).append(AliasPart(row.slug, row.name, row.number))
    wings = select(Wing.id, Wing.number, Wing.slug, Wing.name, Wing.kind, Wing.room_seq, Wing.created_at)
    wings = wings.where(Wing.user_id == session.user_id).order_by(Wing.number)
    if wing_id is not None:
        wings = wings.where(Wing.id == wing_id)
    return [
        WingLine(
            number=row.number,
            slug=row.slug,
            name=row.name,
            kind=WingKind(row.kind),
            room_seq=row.room_seq,
            created_at=row.created_at,
            aliases=tuple(aliases.get(row.id, ())),
        )
        for row in session.execute(wings)
    ]


def iter_conversation_pages(
    session: UserSession, wing_id: int | None, among: Sequence[int] | None = None
) -> Iterator[Sequence[Row[*tuple[Any, ...]]]]:
    """Give the conversations in order of identity, some at a time; of a wing, those with a room in it."""
    query = select(
        Conversation.id,
        Conversation.identity,
        Conversation.reader,
        Conversation.title,
        Conversation.run_id,
        Conversation.filed_at,
        select(func.array_agg(aggregate_order_by(ConversationEdge.line_hash, ConversationEdge.line_hash)))
        .where(ConversationEdge.user_id == session.user_id, ConversationEdge.conversation_id == Conversation.id)
        .scalar_subquery()
        .label("edges"),
    ).where(Conversation.user_id == session.user_id)
    if wing_id is not None:
        query = query.where(_has_room(session, Room.wing_id == wing_id))
    if among is not None:
        query = query.where(Conversation.id.in_(among))
    found = session.execute(query.order_by(_BY_IDENTITY).execution_options(yield_per=PAGE))
    yield from found.partitions()


def conversation_line(row: Row[*tuple[Any, ...]], runs: Mapping[int, int]) -> ConversationLine:
    """Make the line of a conversation."""
    return ConversationLine(
        identity=row.identity,
        reader=row.reader,
        title=row.title,
        run=runs[row.run_id],
        filed_at=row.filed_at,
        edges=tuple(row.edges or ()),
    )


def list_rooms(session: UserSession, conversations: Sequence[int], wing_id: int | None) -> dict[int, list[RoomLine]]:
    """Map conversations to their rooms, in order of the wing's number and their own."""
    query = (
        _with_wing(
            Room.id,
            Room.conversation_id,
            Room.slice,
            Wing.number.label("wing"),
            Room.number,
            Room.name,
            Room.started_at,
            Room.drawer_seq,
            Room.created_at,
        )
        .where(*_rooms_of(session, conversations, wing_id))
        .order_by(Wing.number, Room.number)
    )
    rows = session.execute(query).all()
    former = _former_places(session, [row.id for row in rows])
    rooms: dict[int, list[RoomLine]] = {}
    for row in rows:
        line = RoomLine(
            slice=row.slice,
            wing=row.wing,
            number=row.number,
            name=row.name,
            started_at=row.started_at,
            drawer_seq=row.drawer_seq,
            created_at=row.created_at,
            former=tuple(former.get(row.id, ())),
        )
        rooms.setdefault(row.conversation_id, []).append(line)
    return rooms


def iter_drawers(
    session: UserSession, conversations: Sequence[int], wing_id: int | None, runs: Mapping[int, int]
) -> Iterator[tuple[int, DrawerLine]]:
    """Give the drawers, each with its conversation's id, in order of conversation, position, room and number."""
    query = (
        _with_wing(
            Drawer.conversation_id,
            Room.slice,
            Drawer.number,
            Drawer.run_id,
            Drawer.identity,
            Drawer.position,
            Drawer.role,
            Drawer.speaker,
            Drawer.said_at,
            Drawer.filed_at,
            Drawer.is_revision,
            Drawer.is_repaired,
            Drawer.content,
            Drawer.redacted,
            Drawer.said,
            Drawer.said_offset,
            Drawer.reading,
            Drawer.replaced_at,
            _cited(session, Drawer.replaced_by, wing_id).label("replaced_by"),
            Drawer.replaced_run_id,
            _cited(session, Drawer.answers, wing_id).label("answers"),
        )
        .join(Drawer, and_(Drawer.user_id == Room.user_id, Drawer.room_id == Room.id))
        .join(
            Conversation,
            and_(Conversation.user_id == Drawer.user_id, Conversation.id == Drawer.conversation_id),
        )
        .where(*_rooms_of(session, conversations, wing_id))
        .where(Drawer.user_id == session.user_id, Drawer.conversation_id.in_(conversations))
        .where(Conversation.user_id == session.user_id)
        .order_by(_BY_IDENTITY, Drawer.position, Wing.number, Room.number, Drawer.number)
    )
    for row in session.execute(query.execution_options(yield_per=WINDOW)):
        yield row.conversation_id, _drawer_line(row, runs)


def _drawer_line(row: Row[*tuple[Any, ...]], runs: Mapping[int, int]) -> DrawerLine:
    return DrawerLine(
        slice=row.slice,
        number=row.number,
        run=runs[row.run_id],
        identity=bytes(row.identity),
        position=row.position,
        role=Role(row.role),
        speaker=row.speaker,
        said_at=row.said_at,
        filed_at=row.filed_at,
        is_revision=row.is_revision,
        is_repaired=row.is_repaired,
        content=row.content,
        said_offset=row.said_offset,
        reading=row.reading,
        replaced_at=row.replaced_at,
        replaced_by=None if row.replaced_by is None else bytes(row.replaced_by),
        replaced_run=None if row.replaced_run_id is None else runs[row.replaced_run_id],
        answers=None if row.answers is None else bytes(row.answers),
        redacted=row.redacted,
        said=None if row.said is None else bytes(row.said),
    )


def _cited(
    session: UserSession, column: InstrumentedAttribute[int | None], wing_id: int | None
) -> sa.ScalarSelect[bytes]:
    """Select the identity of a drawer that another one cites, where the export has it."""
    cited = aliased(Drawer)
    query = select(cited.identity).where(cited.user_id == session.user_id, cited.id == column)
    if wing_id is not None:
        room = aliased(Room)
        query = query.join(room, and_(room.user_id == cited.user_id, room.id == cited.room_id))
        query = query.where(room.wing_id == wing_id)
    return query.scalar_subquery()


def iter_tombstones(
    session: UserSession, conversations: Sequence[int], wing_id: int | None, runs: Mapping[int, int]
) -> Iterator[tuple[int, TombstoneLine]]:
    """Give the tombstones, each with its conversation's id, in order of conversation, position and identity.

    Of a wing, only those of conversations that stand nowhere else: a tombstone does not say which room it was of.
    """
    query = (
        select(
            Tombstone.conversation_id,
            Tombstone.identity,
            Tombstone.position,
            Tombstone.forgotten_at,
            Tombstone.restored_by,
        )
        .join(
            Conversation,
            and_(Conversation.user_id == Tombstone.user_id, Conversation.id == Tombstone.conversation_id),
        )
        .where(*_tombstones_of(session, wing_id), Tombstone.conversation_id.in_(conversations))
        .order_by(_BY_IDENTITY, Tombstone.position, Tombstone.identity)
    )
    for row in session.execute(query.execution_options(yield_per=PAGE)):
        restored_by = None if row.restored_by is None else runs[row.restored_by]
        yield (
            row.conversation_id,
            TombstoneLine(bytes(row.identity), row.position, row.forgotten_at, restored_by),
        )


def _cited_in(session: UserSession, wing_id: int) -> Select[int]:
    """Select the runs that the conversations, drawers and tombstones of a wing's export cite."""
    conversations = select(Conversation.run_id).where(
        Conversation.user_id == session.user_id, _has_room(session, Room.wing_id == wing_id)
    )
    drawers, replacing = (
        select(column)
        .join(Room, and_(Room.user_id == Drawer.user_id, Room.id == Drawer.room_id))
        .where(Drawer.user_id == session.user_id, Room.user_id == session.user_id, Room.wing_id == wing_id)
        for column in (Drawer.run_id, Drawer.replaced_run_id)
    )
    tombstones = (
        select(Tombstone.restored_by)
        .join(
            Conversation,
            and_(Conversation.user_id == Tombstone.user_id, Conversation.id == Tombstone.conversation_id),
        )
        .where(*_tombstones_of(session, wing_id), Tombstone.restored_by.is_not(None))
    )
    return select(union(conversations, drawers, replacing, tombstones).subquery().c[0])


def _basis_of(session: UserSession, run_ids: Sequence[int], places: Mapping[int, int]) -> dict[int, list[int]]:
    query = select(RunBasis.run_id, RunBasis.basis_id).where(
        RunBasis.user_id == session.user_id, RunBasis.run_id.in_(run_ids)
    )
    basis: dict[int, list[int]] = {}
    for run_id, basis_id in session.execute(query):
        if basis_id in places:
            basis.setdefault(run_id, []).append(places[basis_id])
    return basis


def _former_places(session: UserSession, room_ids: Sequence[int]) -> dict[int, list[FormerPlace]]:
    query = select(RoomAlias.room_id, RoomAlias.wing_number, RoomAlias.room_number)
    query = query.where(RoomAlias.user_id == session.user_id, RoomAlias.room_id.in_(room_ids))
    former: dict[int, list[FormerPlace]] = {}
    for row in session.execute(query.order_by(RoomAlias.wing_number, RoomAlias.room_number)):
        former.setdefault(row.room_id, []).append(FormerPlace(row.wing_number, row.room_number))
    return former


def _with_wing(*columns: Any) -> Select[*tuple[Any, ...]]:
    return select(*columns).select_from(Room).join(Wing, and_(Wing.user_id == Room.user_id, Wing.id == Room.wing_id))


def _rooms_of(
    session: UserSession, conversations: Sequence[int], wing_id: int | None
) -> tuple[ColumnElement[bool], ...]:
    found = (Room.user_id == session.user_id, Wing.user_id == session.user_id, Room.conversation_id.in_(conversations))
    return found if wing_id is None else (*found, Room.wing_id == wing_id)


def _tombstones_of(session: UserSession, wing_id: int | None) -> tuple[ColumnElement[bool], ...]:
    mine = (Tombstone.user_id == session.user_id, Conversation.user_id == session.user_id)
    if wing_id is None:
        return mine
    return (*mine, _has_room(session, Room.wing_id == wing_id), ~_has_room(session, Room.wing_id != wing_id))


def _has_room(session: UserSession, where: ColumnElement[bool]) -> ColumnElement[bool]:
    rooms = select(Room.id).where(Room.user_id == session.user_id, Room.conversation_id == Conversation.id, where)
    return rooms.exists()
