"""Memories: what is stored of a drawer that states one, and how often drawers were used."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields, replace
from datetime import UTC, datetime
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY, BYTEA

from palace.db.database import UserSession
from palace.db.drawers import get_drawers
from palace.db.driver import Answer, TextResult
from palace.db.rows import any_bytes, any_id, ids_text, record_of, row_of, vector_text
from palace.db.tables import Drawer as DrawerRow
from palace.db.tables import DrawerUse, Room, Wing
from palace.db.tables import Memory as MemoryRow
from palace.models import (
    EXPIRED,
    Generation,
    Memory,
    MemoryMaker,
    MemoryOrigin,
    MemoryPart,
    MemoryState,
    MemoryType,
    Pointer,
    Scope,
)
from palace.models.json_values import MOST_SHOWN

_ALL = Scope()


class Nearest(NamedTuple):
    """A memory near to a text."""

    drawer_id: int
    identity: bytes
    content: str
    said_at: datetime
    wing: str
    """The slug of its wing."""
    similarity: float
    """Cosine similarity."""
    part: MemoryPart


COLUMNS = tuple(column.name for column in MemoryRow.__table__.c if column.name not in ("user_id", "drawer_id"))
_CITED = ("evidence", "alike", "contradicts")


StoredMemories = Mapping[int, Mapping[str, Any]]
"""The fields of memories but their drawers, by the ids of these."""


def ask_memories(session: UserSession, drawer_ids: Collection[int], scope: Scope = _ALL) -> Answer[StoredMemories]:
    """Map those of some drawers that are memories to their fields; with wings in ``scope``, nothing else is cited."""

    def read(rows: TextResult) -> StoredMemories:
        return {row.drawer_id: _fields(row) for row in rows}

    parameters = {"drawer_ids": ids_text(drawer_ids), "wings": scope.places["wings"]}
    return session.ask("memories_of", parameters, read)


def get_memories(session: UserSession, drawer_ids: Collection[int], scope: Scope = _ALL) -> list[Memory]:
    """Return the memories among some drawers, in order of the ids; outside of the wings of a scope nothing is cited."""
    drawers, stored = get_drawers(session, drawer_ids), ask_memories(session, drawer_ids, scope).get()
    return [Memory(drawer=drawers[each], **stored[each]) for each in drawer_ids if each in stored and each in drawers]


def list_memory_ids(
    session: UserSession,
    scope: Scope,
    *,
    types: Collection[MemoryType] = (),
    states: Collection[str] = (),
    limit: int | None = None,
) -> list[int]:
    """List the drawers of current memories in some wings, the latest filed first; of any type and state if empty.

    Expired ones are of the state "expired", not "accepted".
    """
    query = _current(session)
    if scope.wing_ids is not None:
        query = query.join(Room, sa.and_(Room.user_id == DrawerRow.user_id, Room.id == DrawerRow.room_id))
        query = query.where(Room.wing_id.in_(scope.wing_ids))
    if types:
        query = query.where(MemoryRow.type.in_([each.value for each in types]))
    if states:
        is_over = sa.and_(MemoryRow.state == MemoryState.ACCEPTED.value, MemoryRow.expires_at <= datetime.now(UTC))
        query = query.where(sa.case((is_over, EXPIRED), else_=MemoryRow.state).in_(states))
    return session.values(query.order_by(DrawerRow.filed_at.desc(), DrawerRow.id.desc()).limit(limit))


def list_nearest(
    session: UserSession,
    near: tuple[Generation, Sequence[float]],
    kind: MemoryType,
    wing: str | None,
    *,
    limit: int,
) -> list[Nearest]:
    """List the accepted memories of a type nearest to a unit vector, nearest first; ``wing`` is the slug of theirs."""
    generation, vector = near
    parameters = {"vector": vector_text(vector), "type": kind.value, "wing": wing, "limit": limit}
    rows = session.run("nearest_memories", parameters, generation=generation.id).all()
    parts = get_parts(session, [row.id for row in rows])
    return [Nearest._make((*row, parts[row.id])) for row in rows]


def find_same(session: UserSession, content: str, part: MemoryPart, wing: str) -> bytes | None:
    """Return the identity of the current memory with this text, type and wing (its slug), in any state; None without.

    The evidence of ``part`` is added to it.
    """
    query = _joined(session.select(DrawerRow.identity, DrawerRow.id).select_from(MemoryRow))
    query = query.join(Room, sa.and_(Room.user_id == DrawerRow.user_id, Room.id == DrawerRow.room_id)).join(Wing)
    here = (MemoryRow.type == part.type.value, DrawerRow.content == content, Wing.slug == wing)
    query = query.where(*here, DrawerRow.replaced_at.is_(None)).order_by(DrawerRow.id).limit(1)
    for identity, drawer_id in session.execute(query):
        for known in get_parts(session, [drawer_id], holds=True).values():
            evidence = tuple(dict.fromkeys((*known.evidence, *part.evidence)))
            if evidence != known.evidence:
                put_memories(session, {drawer_id: replace(known, evidence=evidence, updated_at=datetime.now(UTC))})
            return bytes(identity)
    return None


def get_parts(session: UserSession, drawer_ids: Collection[int], *, holds: bool = False) -> dict[int, MemoryPart]:
    """Map drawers to what is stored of them as memories; ``holds`` locks it until the transaction ends."""
    query = session.select(MemoryRow.drawer_id, *(getattr(MemoryRow, name) for name in COLUMNS))
    query = query.where(MemoryRow.drawer_id == any_id(drawer_ids)).order_by(MemoryRow.drawer_id)
    rows = session.execute(query.with_for_update() if holds else query)
    return {row.drawer_id: record_of(MemoryPart, row) for row in rows}


def put_memories(session: UserSession, parts: Mapping[int, MemoryPart]) -> None:
    """Store what makes drawers memories, by drawer id; what was stored before is replaced."""
    if parts:
        rows = [_row(drawer_id, part) for drawer_id, part in sorted(parts.items())]
        session.put(MemoryRow, rows, key=("drawer_id",), columns=COLUMNS)


def identities_of(session: UserSession, drawer_ids: Sequence[int]) -> dict[int, bytes]:
    """Map drawers to their identities."""
    query = session.select(DrawerRow.id, DrawerRow.identity).where(DrawerRow.id == any_id(drawer_ids))
    return {row.id: row.identity for row in session.execute(query)}


def ids_of(session: UserSession, identities: Collection[bytes]) -> list[int]:
    """List the drawers of some identities."""
    return session.values(session.select(DrawerRow.id).where(DrawerRow.identity == any_bytes(identities)))


def contradict(session: UserSession, known: Collection[bytes], by: bytes) -> None:
    """Note with some memories that another one contradicts them, all by identity."""
    parts = get_parts(session, ids_of(session, known), holds=True)
    marked = {each: part for each, part in parts.items() if by not in part.contradicts}
    now = datetime.now(UTC)
    put_memories(
        session,
        {each: replace(part, contradicts=(*part.contradicts, by), updated_at=now) for each, part in marked.items()},
    )


def list_contradicting(session: UserSession) -> list[int]:
    """List the current, accepted memories that contradict others."""
    query = _current(session)
    query = query.where(sa.func.cardinality(MemoryRow.contradicts) > 0, MemoryRow.state == MemoryState.ACCEPTED.value)
    return session.values(query.order_by(MemoryRow.drawer_id))


def count_unsupported(session: UserSession) -> int:
    """Count the memories that cite as evidence a drawer that is gone."""
    cited = sa.func.unnest(MemoryRow.evidence).column_valued("cited")
    there = session.select(DrawerRow.id).where(DrawerRow.identity == cited)
    gone = sa.select(cited).where(~there.exists()).correlate(MemoryRow).exists()
    return session.count(MemoryRow, gone)


def standing_on(session: UserSession, chosen: sa.Select[int]) -> sa.Select[int]:
    """Select some drawers, and the memories that stand on any of them, or on such memories."""
    cited = sa.func.unnest(MemoryRow.evidence).label("cited")
    citing = _joined(session.select(MemoryRow.drawer_id, DrawerRow.identity, cited)).subquery()
    known = session.select(DrawerRow.id, DrawerRow.identity).where(DrawerRow.id.in_(chosen)).cte(recursive=True)
    every = known.union(
        sa.select(citing.c.drawer_id, citing.c.identity).join(known, known.c.identity == citing.c.cited)
    )
    return sa.select(every.c.id)


def rename_cited(session: UserSession, names: Mapping[bytes, bytes], among: Collection[bytes] | None = None) -> None:
    """Change the identities that memories cite, all or some; ``names`` maps old ones to new ones."""
    cited = {name: getattr(MemoryRow, name) for name in _CITED}
    there = () if among is None else (MemoryRow.drawer_id == any_id(ids_of(session, among)),)
    lists = session.execute(session.select(*cited.values()).where(*there))
    for old in names.keys() & {bytes(each) for row in lists for identities in row for each in identities}:
        was, now = sa.cast(old, BYTEA), sa.cast(names[old], BYTEA)
        changed = {name: sa.func.array_replace(each, was, now, type_=ARRAY(BYTEA)) for name, each in cited.items()}
        session.update(MemoryRow, sa.or_(*(was == sa.any_(each) for each in cited.values())), *there, **changed)


def count_injected(session: UserSession, drawer_ids: Collection[int]) -> None:
    """Count drawers as put into a request now."""
    _count(session, drawer_ids, "injected_count")


def count_used(session: UserSession, drawer_ids: Collection[int]) -> None:
    """Count drawers as used by a reply."""
    _count(session, drawer_ids, "used_count")


def count_corrected(session: UserSession, drawer_ids: Collection[int]) -> None:
    """Count drawers as contradicted by the person after they were put into a request."""
    _count(session, drawer_ids, "corrected_count")


def _current(session: UserSession) -> sa.Select[int]:
    return _joined(session.select(MemoryRow.drawer_id)).where(DrawerRow.replaced_at.is_(None))


def _joined(query: sa.Select[*tuple[Any, ...]]) -> sa.Select[*tuple[Any, ...]]:
    return query.join(DrawerRow, sa.and_(DrawerRow.user_id == MemoryRow.user_id, DrawerRow.id == MemoryRow.drawer_id))


def _count(session: UserSession, drawer_ids: Collection[int], name: str) -> None:
    there = session.select(DrawerRow.id).where(DrawerRow.id == any_id(drawer_ids)).order_by(DrawerRow.id)
    session.add(DrawerUse, [{"drawer_id": each} for each in session.values(there)])
    now = {"used_at": datetime.now(UTC)} if name == "injected_count" else {}
    column = getattr(DrawerUse, name)
    session.update(DrawerUse, DrawerUse.drawer_id == any_id(drawer_ids), **{name: column + 1}, **now)


def _row(drawer_id: int, part: MemoryPart) -> dict[str, Any]:
    # An export takes no more of each; the first ones say most.
    cited = {name: list(getattr(part, name)[:MOST_SHOWN]) for name in _CITED}
    return row_of(MemoryRow, part, drawer_id=drawer_id, updated_at=part.updated_at or datetime.now(UTC), **cited)


def _fields(row: Any) -> Mapping[str, Any]:
    kinds = {"type": MemoryType, "state": MemoryState, "origin": MemoryOrigin, "maker": MemoryMaker}
    stored: dict[str, Any] = {
        each.name: getattr(row, each.name, None) for each in fields(Memory) if each.name != "drawer"
    }
    cited = {name: tuple(Pointer(*numbers) for numbers in stored[name] or ()) for name in _CITED}
    return stored | {name: kind(stored[name]) for name, kind in kinds.items()} | cited
