"""Keeping palaces in step: the states of conversations, and marks of what need not travel again."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import sqlalchemy as sa

from palace.db.database import UserSession
from palace.db.memories import standing_on
from palace.db.rows import any_bytes, any_id, batches
from palace.db.tables import Drawer, MiningRun, SyncMark, SyncPeer, Tombstone
from palace.db.users import get_palace_key
from palace.models import Peer
from palace.models.external_keys import Key
from palace.models.lines import TombstoneLine

TAKEN, RESTORED = "taken", "restored"
"""What marks are kept for, besides the folders."""
EPOCH = datetime.fromtimestamp(0, UTC)


class State(NamedTuple):
    """The state of a conversation."""

    conversation_id: int
    identity: str
    digest: str
    bytes: int
    """The size of its drawers."""


def list_states(session: UserSession) -> list[State]:
    """List the conversations with their states, in order of id."""
    return [State(row.id, row.identity, row.digest.hex(), row.bytes) for row in session.run("sync_states")]


def list_marks(session: UserSession, kept_for: str) -> set[str]:
    """List the marks kept for a purpose, in hexadecimal."""
    found = session.values(session.select(SyncMark.digest).where(SyncMark.kept_for == kept_for))
    return {digest.hex() for digest in found}


def add_marks(session: UserSession, kept_for: str, digests: Collection[str]) -> None:
    """Add marks; existing ones stay."""
    session.add(SyncMark, [{"kept_for": kept_for, "digest": bytes.fromhex(each)} for each in sorted(digests)])


def drop_marks(session: UserSession, kept_for: str, digests: Collection[str] | None = None) -> None:
    """Drop some marks, or all that are kept for a purpose."""
    some = () if digests is None else (SyncMark.digest == any_bytes([bytes.fromhex(each) for each in digests]),)
    session.delete(SyncMark, SyncMark.kept_for == kept_for, *some)


def find_to_forget(session: UserSession, graves: Iterable[TombstoneLine]) -> dict[int, TombstoneLine]:
    """Map drawers here to the tombstones that came for them, except those that were restored here since."""
    latest = {grave.identity: grave for grave in sorted(graves, key=lambda grave: grave.forgotten_at)}
    restored = _list_restored(session, latest)
    anew = [each for each, grave in latest.items() if each not in restored or restored[each] < grave.forgotten_at]
    found: dict[int, TombstoneLine] = {}
    for batch in batches(anew):
        query = session.select(Drawer.id, Drawer.identity).where(Drawer.identity == any_bytes(batch))
        found |= {row.id: latest[bytes(row.identity)] for row in session.execute(query)}
    return found


def _list_restored(session: UserSession, identities: Collection[bytes]) -> dict[bytes, datetime]:
    """Map drawers to when they were last restored, or filed again by a run that restores."""
    key = Key(get_palace_key(session))
    marks = {each[16:]: int(each[:16], 16) for each in sorted(list_marks(session, RESTORED))}
    hidden = {each: key.hide(each).hex() for each in identities}
    found = {each: EPOCH + timedelta(microseconds=marks[name]) for each, name in hidden.items() if name in marks}
    for batch in batches(list(identities)):
        query = session.select(Tombstone.identity, MiningRun.started_at).join(
            MiningRun, sa.and_(MiningRun.user_id == Tombstone.user_id, MiningRun.id == Tombstone.restored_by)
        )
        rows = session.execute(query.where(Tombstone.identity == any_bytes(batch)))
        found |= {bytes(row.identity): row.started_at for row in rows}
    return found


def mark_restored(session: UserSession, identities: Iterable[bytes]) -> None:
    """Store that drawers were restored now, so that no older tombstone of another machine forgets them again."""
    now = f"{(datetime.now(UTC) - EPOCH) // timedelta(microseconds=1):016x}"
    key = Key(get_palace_key(session))
    add_marks(session, RESTORED, [now + key.hide(each).hex() for each in identities])


def and_standing_on(session: UserSession, drawer_ids: Collection[int]) -> sa.Select[int]:
    """Select drawers and the memories that stand on them."""
    return standing_on(session, session.select(Drawer.id).where(Drawer.id == any_id(drawer_ids)))


def date_graves(session: UserSession, graves: Iterable[TombstoneLine]) -> None:
    """Set when drawers were forgotten where they were forgotten first."""
    for grave in graves:
        session.update(Tombstone, Tombstone.identity == grave.identity, forgotten_at=grave.forgotten_at)


def get_number(session: UserSession, peer: str) -> int:
    """Return the number of the last bundle of a machine in a folder, 0 without one."""
    query = session.select(SyncPeer.number).where(SyncPeer.name == peer)
    return int(session.execute(query).scalar_one_or_none() or 0)


def put_number(session: UserSession, peer: str, number: int) -> None:
    """Store the number of the last bundle of a machine in a folder."""
    session.put(SyncPeer, {"name": peer, "number": number}, key=["name"], columns=["number"])


def put_synced(session: UserSession, peer: str, at: datetime) -> None:
    """Store when a peer was in step."""
    session.put(SyncPeer, {"name": peer, "synced_at": at}, key=["name"], columns=["synced_at"])


def list_peers(session: UserSession) -> Sequence[Peer]:
    """List the machines and folders that the palace is kept in step with, in order of name."""
    query = session.select(SyncPeer.name, SyncPeer.synced_at).where(SyncPeer.synced_at.is_not(None))
    return [Peer(row.name, row.synced_at) for row in session.execute(query.order_by(SyncPeer.name))]


def mark_taken(session: UserSession, digests: Collection[str]) -> None:
    """Mark states that were received, but for those that conversations here are in: they need no mark."""
    add_marks(session, TAKEN, digests)
    drop_marks(session, TAKEN, [state.digest for state in list_states(session)])
