"""What becomes of memories with time and use: expiry, fading, confidence, and what was used most."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import sqlalchemy as sa

from palace.db.database import UserSession
from palace.db.filing import versions
from palace.db.filing.versions import FAMILY
from palace.db.rows import any_id
from palace.db.tables import Drawer as DrawerRow
from palace.db.tables import DrawerUse, Room, aliased
from palace.db.tables import Memory as MemoryRow
from palace.models import MemoryState, MemoryType, Replacement, Scope


class MemoryUse(NamedTuple):
    """What of a memory says how useful it is."""

    drawer_id: int
    importance: float
    confidence: float
    used: int
    injected: int
    corrected: int
    touched_at: datetime
    """When it was filed, changed or last put into a request."""


_MAY_EXPIRE = (
    MemoryRow.state == MemoryState.ACCEPTED.value,
    MemoryRow.expires_at.is_(None),
    ~MemoryRow.is_pinned,
)
"""Conditions of memories that may expire by rule."""


def expire_unused(session: UserSession, kind: MemoryType, lasting: timedelta) -> int:
    """Let the memories of a type expire that were neither filed nor put into a request for so long; return how many."""
    over = sa.func.greatest(DrawerRow.filed_at, DrawerUse.used_at) <= datetime.now(UTC) - lasting
    return _change(session, over, MemoryRow.type == kind.value, expires_at=datetime.now(UTC))


def fade_unused(session: UserSession, lasting: timedelta) -> int:
    """Halve the importance of memories that were not filed, changed or put into a request for so long."""
    now = datetime.now(UTC)
    touched = sa.func.greatest(DrawerRow.filed_at, DrawerUse.used_at, MemoryRow.updated_at)
    return _change(session, touched <= now - lasting, importance=MemoryRow.importance / 2, updated_at=now)


def expire_faded(session: UserSession, least: float) -> int:
    """Let the memories expire whose importance is below a limit."""
    now = datetime.now(UTC)
    return session.update(MemoryRow, *_MAY_EXPIRE, MemoryRow.importance < least, expires_at=now).rowcount


def expire(session: UserSession, drawer_ids: Collection[int]) -> int:
    """Let some memories expire now; return how many."""
    now = datetime.now(UTC)
    return session.update(MemoryRow, *_MAY_EXPIRE, MemoryRow.drawer_id == any_id(drawer_ids), expires_at=now).rowcount


def has_more(session: UserSession, kind: MemoryType, most: int) -> bool:
    """Check whether a type may have more memories that can expire by rule; superseded ones count too."""
    return session.count(MemoryRow, *_MAY_EXPIRE, MemoryRow.type == kind.value) > most


def list_memory_uses(session: UserSession, kind: MemoryType) -> list[MemoryUse]:
    """List what says how useful the memories of a type are, without pinned ones and those that expire anyway."""
    counted = (sa.func.coalesce(each, 0) for each in (DrawerUse.used_count, DrawerUse.injected_count))
    touched = sa.func.greatest(DrawerRow.filed_at, DrawerUse.used_at, MemoryRow.updated_at)
    corrected = sa.func.coalesce(DrawerUse.corrected_count, 0)
    query = session.select(
        MemoryRow.drawer_id, MemoryRow.importance, MemoryRow.confidence, *counted, corrected, touched
    )
    query = _joined(query).where(*_MAY_EXPIRE, MemoryRow.type == kind.value, DrawerRow.replaced_at.is_(None))
    return [MemoryUse(*row) for row in session.execute(query.order_by(MemoryRow.drawer_id))]


def change_confidence(session: UserSession, drawer_ids: Collection[int], *, toward: float, by: float) -> None:
    """Move the confidence of the memories among some drawers toward 0 or 1, by a share of the distance."""
    moved = MemoryRow.confidence + (toward - MemoryRow.confidence) * by
    session.update(MemoryRow, MemoryRow.drawer_id == any_id(drawer_ids), confidence=moved)


class Use(NamedTuple):
    """How often a drawer was put into requests, and what came of it."""

    drawer_id: int
    injected_count: int
    used_count: int
    corrected_count: int
    used_at: datetime


def list_used(session: UserSession, scope: Scope, *, limit: int) -> list[Use]:
    """List the drawers in a scope's wings that were put into requests, those that replies used most first."""
    query = session.select(*(getattr(DrawerUse, name) for name in Use._fields)).join(
        DrawerRow, sa.and_(DrawerRow.user_id == DrawerUse.user_id, DrawerRow.id == DrawerUse.drawer_id)
    )
    if scope.wing_ids is not None:
        query = query.join(Room, sa.and_(Room.user_id == DrawerRow.user_id, Room.id == DrawerRow.room_id))
        query = query.where(Room.wing_id.in_(scope.wing_ids))
    order = (DrawerUse.used_count.desc(), DrawerUse.corrected_count.desc(), DrawerUse.injected_count.desc())
    rows = session.execute(query.order_by(*order, DrawerUse.drawer_id).limit(limit))
    return [Use(*row) for row in rows]


def list_corrected(session: UserSession, least: int) -> Sequence[tuple[int, int]]:
    """List the drawers that the person contradicted at least so often after they were shown, with how often."""
    query = session.select(DrawerUse.drawer_id, DrawerUse.corrected_count).where(DrawerUse.corrected_count >= least)
    return [(row[0], row[1]) for row in session.execute(query.order_by(DrawerUse.drawer_id))]


def supersede(session: UserSession, former: Collection[bytes], by: bytes) -> None:
    """Let a memory take the place of others, by identity; undoing the run that filed it takes that back."""
    run_id = session.execute(session.select(DrawerRow.run_id).where(DrawerRow.identity == by)).scalar_one()
    versions.replace(session, [Replacement(each, by, run_id) for each in former])


def has_newer_version(session: UserSession, drawer_id: int) -> bool:
    """Check whether a memory was replaced by another version of its own, not by another memory."""
    return session.has(_former_versions(session).where(DrawerRow.id == drawer_id))


def list_successors(session: UserSession, memory: bytes) -> list[bytes]:
    """List the memories that took a memory's place one after the other as they contradict it, by identity."""
    found, newer = [memory], aliased(DrawerRow)
    query = (
        session.select(newer.identity)
        .join(DrawerRow, sa.and_(newer.user_id == DrawerRow.user_id, newer.id == DrawerRow.replaced_by))
        .join(MemoryRow, sa.and_(MemoryRow.user_id == DrawerRow.user_id, MemoryRow.drawer_id == DrawerRow.id))
        .where(newer.identity == sa.any_(MemoryRow.contradicts))
    )
    while next_one := session.values(query.where(DrawerRow.identity == found[-1], newer.identity.not_in(found))):
        found += next_one
    return found[1:]


def with_superseded(session: UserSession, drawer_ids: Sequence[int]) -> list[int]:
    """List some memories behind those whose place they took, directly or in several steps, in order of filing."""
    this = DrawerRow.__table__
    ids = session.select(DrawerRow.id).where(DrawerRow.id == any_id(drawer_ids)).cte("known", recursive=True)
    former = sa.select(this.c.id).join(ids, ids.c.id == this.c.replaced_by).where(this.c.user_id == session.user_id)
    every = ids.union(former.where(this.c.id.in_(session.select(MemoryRow.drawer_id))))
    query = session.select(DrawerRow.id).where(DrawerRow.id.in_(sa.select(every.c.id)))
    return session.values(query.order_by(DrawerRow.replaced_at.nulls_last(), DrawerRow.filed_at, DrawerRow.id))


def bring_back(session: UserSession, drawer_ids: Collection[int], *, versions_too: bool = True) -> None:
    """Make the memories current whose place some drawers took, and their former versions, unless left out."""
    here = [DrawerRow.replaced_by == any_id(drawer_ids), DrawerRow.id.in_(session.select(MemoryRow.drawer_id))]
    if not versions_too:
        here.append(DrawerRow.id.not_in(_former_versions(session)))
    session.update(DrawerRow, *here, replaced_at=None, replaced_by=None, replaced_run_id=None)


def _former_versions(session: UserSession) -> sa.Select[int]:
    this, newer = DrawerRow, aliased(DrawerRow)
    same = sa.func.substr(newer.identity, 1, FAMILY) == sa.func.substr(this.identity, 1, FAMILY)
    return session.select(this.id).join(
        newer, sa.and_(newer.user_id == this.user_id, newer.id == this.replaced_by, same)
    )


def _joined(query: sa.Select[*tuple[Any, ...]]) -> sa.Select[*tuple[Any, ...]]:
    return query.join(
        DrawerRow, sa.and_(DrawerRow.user_id == MemoryRow.user_id, DrawerRow.id == MemoryRow.drawer_id)
    ).outerjoin(DrawerUse, sa.and_(DrawerUse.user_id == MemoryRow.user_id, DrawerUse.drawer_id == MemoryRow.drawer_id))


def _change(session: UserSession, which: sa.ColumnElement[bool], *where: Any, **values: Any) -> int:
    """Change the memories that may expire by rule, are current, and meet a condition."""
    chosen = _joined(session.select(MemoryRow.drawer_id)).where(
        which, DrawerRow.replaced_at.is_(None), *_MAY_EXPIRE, *where
    )
    # Again with the conditions: one may have been pinned meanwhile.
    return session.update(MemoryRow, *_MAY_EXPIRE, MemoryRow.drawer_id.in_(session.values(chosen)), **values).rowcount
