"""Memory blocks put beside messages: stored by what was said up to there, and deleted with the drawers they quote."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy import and_, func
from sqlalchemy.dialects.postgresql import BYTEA, insert

from palace.db.database import UserSession
from palace.db.rows import any_bytes, any_id
from palace.db.tables import Drawer, Injection, InjectionCitation


class KeptBlock(NamedTuple):
    """A stored memory block."""

    block: str
    drawer_ids: tuple[int, ...]
    """Ids of the drawers that it quotes."""


def find_blocks(session: UserSession, keys: Collection[bytes]) -> dict[bytes, KeptBlock]:
    """Return the blocks under some keys, without expired ones and those that quote deleted drawers."""
    if not keys:
        return {}
    cited = and_(InjectionCitation.user_id == Injection.user_id, InjectionCitation.key == Injection.key)
    query = (
        session.select(
            Injection.key,
            Injection.block,
            Injection.cited_count,
            func.array_agg(InjectionCitation.drawer_id).label("ids"),
        )
        .outerjoin(InjectionCitation, cited)
        .where(Injection.key == any_bytes(keys), Injection.expires_at > func.statement_timestamp())
        .group_by(Injection.user_id, Injection.key)
    )
    found: dict[bytes, KeptBlock] = {}
    for row in session.execute(query):
        ids = tuple(sorted(each for each in row.ids if each is not None))
        if len(ids) == row.cited_count:
            found[row.key] = KeptBlock(row.block, ids)
    return found


def keep_block(session: UserSession, key: bytes, kept: KeptBlock, *, lasting: timedelta) -> None:
    """Store a block under a key, replacing another.

    If a drawer that it quotes was forgotten meanwhile, ``find_blocks`` never returns it.
    """
    now = datetime.now(UTC)
    values = {"block": kept.block, "cited_count": len(kept.drawer_ids), "made_at": now, "expires_at": now + lasting}
    session.put(Injection, {"key": key, **values}, key=("key",), columns=tuple(values))
    session.delete(InjectionCitation, InjectionCitation.key == key)
    there = session.select(Drawer.user_id, sa.literal(key, BYTEA), Drawer.id)
    there = there.where(Drawer.id == any_id(kept.drawer_ids)).order_by(Drawer.id)
    session.execute(insert(InjectionCitation).from_select(["user_id", "key", "drawer_id"], there))


def drop_block(session: UserSession, key: bytes) -> None:
    """Delete the block under a key, if there is one."""
    session.delete(Injection, Injection.key == key)


def drop_citing(session: UserSession, drawer_ids: Sequence[int]) -> int:
    """Delete the blocks that quote any of some drawers; return how many."""
    quoting = session.select(InjectionCitation.key).where(InjectionCitation.drawer_id == any_id(drawer_ids))
    return session.delete(Injection, Injection.key.in_(quoting)).rowcount


def drop_expired(session: UserSession) -> None:
    """Delete the expired blocks."""
    over = Injection.expires_at <= func.statement_timestamp()
    session.delete(Injection, over)
