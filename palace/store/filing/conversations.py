"""Conversations by identity, and the turns of them that are already filed."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy import or_, select
from sqlalchemy.dialects.postgresql import insert

from palace.records import KnownTurn
from palace.store.database import UserSession
from palace.store.sql import statement
from palace.tables import Conversation, Drawer, Tombstone


def lock_opening(session: UserSession, identity: str) -> None:
    """Keep out every other transaction that decides which conversation an opening belongs to, until this one ends."""
    session.execute(
        sa.text("SELECT pg_advisory_xact_lock(hashtextextended(:key, 0))"),
        {"key": f"{session.user_id}/{identity}"},
    )


def list_openings(session: UserSession, identity: str) -> list[tuple[int, str]]:
    """List the conversations, id and identity, that share an opening: ``identity`` itself, then ``identity#2`` …."""
    query = (
        select(Conversation.id, Conversation.identity)
        .where(
            Conversation.user_id == session.user_id,
            or_(
                Conversation.identity == identity,
                Conversation.identity.startswith(f"{identity}#", autoescape=True),
            ),
        )
        .order_by(Conversation.id)
    )
    return [(row.id, row.identity) for row in session.execute(query)]


def ensure_conversation(session: UserSession, *, identity: str, reader: str, title: str | None, run_id: int) -> int:
    """Find a conversation's id by identity, or make it."""
    by_identity = select(Conversation.id).where(
        Conversation.user_id == session.user_id, Conversation.identity == identity
    )
    found = session.execute(by_identity).scalar_one_or_none()
    if found is not None:
        return int(found)
    row = {
        "user_id": session.user_id,
        "identity": identity,
        "reader": reader,
        "title": title,
        "run_id": run_id,
    }
    session.execute(insert(Conversation).values(**row).on_conflict_do_nothing())
    return int(session.execute(by_identity).scalar_one())


def find_conversation(session: UserSession, identity: str) -> int | None:
    """Find a conversation's id by identity."""
    query = select(Conversation.id).where(Conversation.user_id == session.user_id, Conversation.identity == identity)
    return session.execute(query).scalar_one_or_none()


def lock_conversation(session: UserSession, conversation_id: int) -> bool:
    """Keep other miners out of a conversation until the transaction ends; False where it is gone."""
    query = (
        select(Conversation.id)
        .where(Conversation.user_id == session.user_id, Conversation.id == conversation_id)
        .with_for_update(key_share=True)
    )
    return session.execute(query).one_or_none() is not None


def list_known_turns(session: UserSession, conversation_id: int) -> list[KnownTurn]:
    """List what is filed of a conversation, and what was and is forgotten, in order of position."""
    filed = select(Drawer.identity, Drawer.position, Drawer.number, sa.false().label("forgotten")).where(
        Drawer.user_id == session.user_id, Drawer.conversation_id == conversation_id
    )
    forgotten = select(Tombstone.identity, Tombstone.position, sa.literal(0), sa.true()).where(
        Tombstone.user_id == session.user_id,
        Tombstone.conversation_id == conversation_id,
        Tombstone.restored_by.is_(None),
    )
    both = sa.union_all(filed, forgotten).order_by("position", "number")
    return [KnownTurn(bytes(row.identity), row.position, row.forgotten) for row in session.execute(both)]


def find_elsewhere(session: UserSession, conversation_id: int, identities: Sequence[bytes]) -> dict[bytes, int | None]:
    """Map the identities that are filed in other conversations of the user to the run that filed each.

    Forgotten ones belong to no run: None.
    """
    wanted = sa.any_(sa.cast(list(identities), sa.ARRAY(sa.LargeBinary)))
    filed = select(Drawer.identity, Drawer.run_id).where(
        Drawer.user_id == session.user_id, Drawer.conversation_id != conversation_id, Drawer.identity == wanted
    )
    forgotten = select(Tombstone.identity, sa.cast(sa.null(), sa.BigInteger)).where(
        Tombstone.user_id == session.user_id,
        Tombstone.conversation_id != conversation_id,
        Tombstone.identity == wanted,
        Tombstone.restored_by.is_(None),
    )
    return {bytes(identity): run_id for identity, run_id in session.execute(sa.union_all(filed, forgotten))}


def restore_title(session: UserSession, conversation_id: int, title: str | None) -> None:
    """Give a conversation its title again, which it lost with its last drawer."""
    session.execute(
        sa.update(Conversation)
        .where(
            Conversation.user_id == session.user_id, Conversation.id == conversation_id, Conversation.title.is_(None)
        )
        .values(title=title)
    )


def mark_restored(session: UserSession, run_id: int, conversation_id: int) -> None:
    """Put those tombstones of a conversation out of force whose turns are filed again, by a run told to do so."""
    filed = select(Drawer.identity).where(Drawer.user_id == session.user_id, Drawer.conversation_id == conversation_id)
    session.execute(
        sa.update(Tombstone)
        .where(
            Tombstone.user_id == session.user_id,
            Tombstone.conversation_id == conversation_id,
            Tombstone.restored_by.is_(None),
            Tombstone.identity.in_(filed),
        )
        .values(restored_by=run_id)
    )


def has_pending(session: UserSession, conversation_id: int) -> bool:
    """Tell whether a conversation waits for embeddings or topics."""
    parameters = {"user_id": session.user_id, "conversation_id": conversation_id}
    return bool(session.execute(statement("conversation_pending"), parameters).scalar_one())
