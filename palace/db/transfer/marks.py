"""Store what syncs need: states of conversations, hashes of what need not be sent again, and peers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from uuid import UUID

import sqlalchemy as sa

from palace.db.database import UserSession
from palace.db.memories import standing_on
from palace.db.rows import any_bytes, any_id, batches
from palace.db.tables import Drawer, MiningRun, SyncMark, SyncPeer, Tombstone
from palace.db.users import get_palace_key
from palace.models import Peer
from palace.models.external_keys import Key
from palace.models.lines import TombstoneLine

TAKEN, RESTORED, KEY = "taken", "restored", "key"
"""Purposes of marks; every other purpose is a folder."""
PAIRED, FOLDER, REFUSED = "palace:", "folder:", "refused:"
"""Beginnings of the names of paired palaces, of machines with bundles in a folder, and of the fingerprints and machines
that were unpaired; others are folders' paths."""
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


def list_marks(session: UserSession, purpose: str) -> set[str]:
    """Return the marks of a purpose, in hexadecimal."""
    found = session.values(session.select(SyncMark.digest).where(SyncMark.purpose == purpose))
    return {digest.hex() for digest in found}


def add_marks(session: UserSession, purpose: str, digests: Collection[str]) -> None:
    """Add marks; existing ones stay."""
    session.add(SyncMark, [{"purpose": purpose, "digest": bytes.fromhex(each)} for each in sorted(digests)])


def add_key(session: UserSession, palace: UUID) -> None:
    """Store the key of another palace, under which messages with secrets that came from it are hashed."""
    if palace != get_palace_key(session):
        add_marks(session, KEY, [palace.hex])


def get_keys(session: UserSession) -> Key:
    """Return the palace's key, with those of the palaces from which something came."""
    return Key(get_palace_key(session), tuple(map(UUID, sorted(list_marks(session, KEY)))))


def drop_marks(session: UserSession, purpose: str, digests: Collection[str] | None = None) -> None:
    """Delete some marks of a purpose, or all of them."""
    some = () if digests is None else (SyncMark.digest == any_bytes([bytes.fromhex(each) for each in digests]),)
    session.delete(SyncMark, SyncMark.purpose == purpose, *some)


def find_to_forget(session: UserSession, tombstones: Iterable[TombstoneLine]) -> dict[int, TombstoneLine]:
    """Map the ids of drawers to the tombstones received for them, without drawers that were restored later.

    A time in the future becomes the present, and forgets nothing that was ever restored.
    """
    now = datetime.now(UTC)
    latest = {each.identity: each for each in sorted(tombstones, key=lambda each: each.forgotten_at)}
    restored = _list_restored(session, latest)
    due = [name for name, each in latest.items() if name not in restored or restored[name] < each.forgotten_at <= now]
    found: dict[int, TombstoneLine] = {}
    for batch in batches(due):
        query = session.select(Drawer.id, Drawer.identity).where(Drawer.identity == any_bytes(batch))
        rows = [(row.id, latest[bytes(row.identity)]) for row in session.execute(query)]
        found |= {drawer: replace(each, forgotten_at=min(each.forgotten_at, now)) for drawer, each in rows}
    return found


def _list_restored(session: UserSession, identities: Collection[bytes]) -> dict[bytes, datetime]:
    """Map the identities of drawers to the times at which they were last restored, or filed again by a mining run."""
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
    """Store that drawers were restored now, so that older tombstones of other machines do not apply to them."""
    now = f"{(datetime.now(UTC) - EPOCH) // timedelta(microseconds=1):016x}"
    key = Key(get_palace_key(session))
    add_marks(session, RESTORED, [now + key.hide(each).hex() for each in identities])


def select_with_memories(session: UserSession, drawer_ids: Collection[int]) -> sa.Select[int]:
    """Select drawers and the memories made from them."""
    return standing_on(session, session.select(Drawer.id).where(Drawer.id == any_id(drawer_ids)))


def copy_forgotten_times(session: UserSession, tombstones: Iterable[TombstoneLine], *, later: bool = False) -> None:
    """Give tombstones here the times of the tombstones received; with ``later`` only if those are later."""
    for each in tombstones:
        at = min(each.forgotten_at, datetime.now(UTC))
        is_earlier = (Tombstone.forgotten_at < at,) if later else ()
        session.update(Tombstone, Tombstone.identity == each.identity, *is_earlier, forgotten_at=at)


def get_number(session: UserSession, peer: str) -> int:
    """Return the number of a machine's last bundle in a folder, 0 if there was none."""
    query = session.select(SyncPeer.number).where(SyncPeer.name == peer)
    return int(session.execute(query).scalar_one_or_none() or 0)


def put_number(session: UserSession, peer: str, number: int, read_at: datetime | None = None) -> None:
    """Store the number of a machine's last bundle in a folder, and when it was read."""
    row = {"name": peer, "number": number, "synced_at": read_at}
    session.put(SyncPeer, row, key=["name"], columns=["number", "synced_at"])


def find_pair(session: UserSession, fingerprint: str, peer: str) -> str | None:
    """Return the name under which a paired palace is stored, now with the latest name of its machine; None if not."""
    name = _pair_name(fingerprint, peer)
    is_of_it = SyncPeer.name.startswith(_pair_name(fingerprint, ""))
    return name if session.update(SyncPeer, is_of_it, name=name).rowcount else None


def pair(session: UserSession, fingerprint: str, peer: str) -> str:
    """Store that another palace is one's own; return the name under which it is stored."""
    session.delete(SyncPeer, SyncPeer.name.startswith(f"{REFUSED}{fingerprint}"))
    name = _pair_name(fingerprint, peer)
    session.add(SyncPeer, [{"name": name}])
    return name


def is_refused(session: UserSession, names: Iterable[str]) -> bool:
    """Check whether one of some fingerprints and machines was unpaired."""
    is_one = sa.func.split_part(SyncPeer.name, ":", 2).in_(list(names))
    return session.count(SyncPeer, SyncPeer.name.startswith(REFUSED), is_one) > 0


def unpair(session: UserSession, name: str) -> tuple[bool, set[str]]:
    """Refuse a palace, by its fingerprint or its machine, or forget a folder, also by a machine in it.

    Return whether there was one, and the ids of the keys of the folders whose bundles are not read any more.
    """
    names = [each for each in session.values(session.select(SyncPeer.name)) if not each.startswith(REFUSED)]
    found = [each for each in names if name in (each, *each.split(":", 2)[1:])]
    keys = {each.split(":")[1] for each in found if each.startswith(FOLDER)}
    for key in keys:
        drop_marks(session, f"{FOLDER}{key}")
        session.delete(SyncPeer, SyncPeer.name.startswith(f"{FOLDER}{key}:"))
    session.delete(SyncPeer, SyncPeer.name.in_(found))
    refused = {each.removeprefix(PAIRED) for each in found if each.startswith(PAIRED)} | ({name} if keys else set())
    session.add(SyncPeer, [{"name": f"{REFUSED}{each}"[:200]} for each in sorted(refused)])
    return bool(found), keys


def _pair_name(fingerprint: str, peer: str) -> str:
    return f"{PAIRED}{fingerprint}:{peer}"[:200]


def put_sync_time(session: UserSession, peer: str, at: datetime) -> None:
    """Store the time of the last complete sync with a peer."""
    session.put(SyncPeer, {"name": peer, "synced_at": at}, key=["name"], columns=["synced_at"])


def get_sync_time(session: UserSession, peer: str) -> datetime:
    """Return the time of the last complete sync with a peer, the epoch if there was none."""
    query = session.select(SyncPeer.synced_at).where(SyncPeer.name == peer)
    return session.execute(query).scalar_one_or_none() or EPOCH


def list_peers(session: UserSession) -> Sequence[Peer]:
    """List the machines and folders that the palace was synchronised with, and those unpaired, in order of name."""
    peers = []
    for name, at in session.execute(session.select(SyncPeer.name, SyncPeer.synced_at)):
        if name.startswith((PAIRED, REFUSED)):
            # A machine of a folder has no fingerprint.
            fingerprint, _, machine = name.partition(":")[2].partition(":")
            peers.append(Peer(machine or fingerprint, at, fingerprint if machine else None, name.startswith(REFUSED)))
        elif at is not None:
            peers.append(Peer(name.rpartition(":")[2] if name.startswith(FOLDER) else name, at))
    return sorted(peers, key=lambda each: each.name)


def mark_taken(session: UserSession, digests: Collection[str]) -> None:
    """Mark received states, except present states of conversations, which need no mark."""
    add_marks(session, TAKEN, digests)
    drop_marks(session, TAKEN, [state.digest for state in list_states(session)])
