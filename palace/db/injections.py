"""Memory blocks put beside messages: stored by what was said up to there, and deleted with the drawers they quote."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy import func

from palace.db.database import UserSession
from palace.db.driver import Answer, TextResult
from palace.db.rows import any_id
from palace.db.tables import Injection, InjectionCitation


class KeptBlock(NamedTuple):
    """A stored memory block."""

    block: str
    drawer_ids: tuple[int, ...]
    """Ids of the drawers that it quotes."""


_BLOCKS = sa.text(
    # As text: every turn runs it, together with others.
    "SELECT i.key, i.block, i.cited_count, array_agg(c.drawer_id) FROM injection AS i"
    " LEFT JOIN injection_citation AS c ON c.user_id = i.user_id AND c.key = i.key"
    " WHERE i.user_id = :user_id AND i.key = ANY(CAST(:keys AS bytea[])) AND i.expires_at > statement_timestamp()"
    " GROUP BY i.user_id, i.key"
)
_KEEP = sa.text(
    "INSERT INTO injection (user_id, key, block, cited_count, made_at, expires_at)"
    " VALUES (:user_id, :key, :block, :count, :made_at, :expires_at) ON CONFLICT (user_id, key) DO UPDATE"
    " SET block = excluded.block, cited_count = excluded.cited_count, made_at = excluded.made_at,"
    " expires_at = excluded.expires_at"
)
_UNCITE = sa.text("DELETE FROM injection_citation WHERE user_id = :user_id AND key = :key")
_CITE = sa.text(
    "INSERT INTO injection_citation (user_id, key, drawer_id) SELECT user_id, CAST(:key AS bytea), id FROM drawer"
    " WHERE user_id = :user_id AND id = ANY(CAST(:drawers AS bigint[])) ORDER BY id"
)


def ask_blocks(session: UserSession, keys: Collection[bytes]) -> Answer[dict[bytes, KeptBlock]]:
    """Return the blocks under some keys, without expired ones and those that quote deleted drawers."""
    return session.ask(_BLOCKS, {"keys": list(keys)}, _read_blocks)


def _read_blocks(rows: TextResult) -> dict[bytes, KeptBlock]:
    found: dict[bytes, KeptBlock] = {}
    for key, block, count, cited in rows:
        ids = tuple(sorted(each for each in cited if each is not None))
        if len(ids) == count:
            found[key] = KeptBlock(block, ids)
    return found


def keep_block(session: UserSession, key: bytes, kept: KeptBlock, *, lasting: timedelta) -> None:
    """Store a block under a key, replacing another.

    If a drawer that it quotes was forgotten meanwhile, ``ask_blocks`` never returns it.
    """
    now = datetime.now(UTC)
    row = {"block": kept.block, "count": len(kept.drawer_ids), "made_at": now, "expires_at": now + lasting}
    session.ask(_KEEP, {"key": key, **row}, lambda _: None)
    session.ask(_UNCITE, {"key": key}, lambda _: None)
    session.ask(_CITE, {"key": key, "drawers": list(kept.drawer_ids)}, lambda _: None).get()


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
