"""Replies of a language model about stretches of conversations: kept, found again, gone with what they quote."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert

from palace.records.graph import StoredReply
from palace.store.database import UserSession
from palace.store.filing.conversations import lock_conversation
from palace.tables import Conversation, Drawer, ExtractionReply, MiningRun


def list_replies(session: UserSession, conversation_id: int) -> list[StoredReply]:
    """List the replies about a conversation, newest first."""
    return _list(session, ExtractionReply.conversation_id == conversation_id)


def list_replies_around(session: UserSession, drawer_id: int) -> list[StoredReply]:
    """List the replies about the conversation of a drawer, newest first."""
    query = select(Drawer.conversation_id).where(Drawer.user_id == session.user_id, Drawer.id == drawer_id)
    return _list(session, ExtractionReply.conversation_id == query.scalar_subquery())


def list_replied(session: UserSession, conversations: Sequence[int]) -> set[int]:
    """List those of some conversations that there are replies about."""
    query = select(ExtractionReply.conversation_id).where(
        ExtractionReply.user_id == session.user_id, ExtractionReply.conversation_id == _any(conversations)
    )
    return set(session.execute(query.distinct()).scalars())


def find_source(session: UserSession, conversation_id: int) -> str | None:
    """Find what the run named that filed a conversation first."""
    query = (
        select(MiningRun.source)
        .join(Conversation, sa.and_(Conversation.user_id == MiningRun.user_id, Conversation.run_id == MiningRun.id))
        .where(MiningRun.user_id == session.user_id, Conversation.id == conversation_id)
    )
    return session.execute(query).scalar_one_or_none()


def list_filed_by(session: UserSession, conversation_id: int, run_id: int) -> set[int]:
    """List the drawers of a conversation that a run filed."""
    query = select(Drawer.id).where(
        Drawer.user_id == session.user_id, Drawer.conversation_id == conversation_id, Drawer.run_id == run_id
    )
    return set(session.execute(query).scalars())


def store_reply(session: UserSession, conversation_id: int, stored: StoredReply) -> bool:
    """Keep a reply in the place of an earlier one about the same; False where one of its drawers is gone meanwhile."""
    # Whoever forgets a drawer has locked its conversation: either they find the reply, or this finds no drawer.
    if not lock_conversation(session, conversation_id):
        return False
    there = select(func.count()).where(
        Drawer.user_id == session.user_id,
        Drawer.conversation_id == conversation_id,
        Drawer.id == _any(stored.drawers),
    )
    if session.execute(there).scalar_one() != len(stored.drawers):
        return False
    made = insert(ExtractionReply)
    anew = {name: made.excluded[name] for name in ("prompt", "drawers", "reply", "called_at", "is_imported")}
    row = {
        "conversation_id": conversation_id,
        "digest": stored.digest,
        "model": stored.model,
        "prompt": stored.prompt,
        "drawers": list(stored.drawers),
        "reply": stored.reply,
    }
    session.insert(made.on_conflict_do_update(index_elements=["user_id", "conversation_id", "digest"], set_=anew), row)
    return True


def drop_covered(session: UserSession, conversation_id: int, model: str, digests: Sequence[bytes]) -> None:
    """Drop the replies of a model about a conversation all of whose drawers those of other replies are about as well,
    which are the ones with some ``digests``.
    """
    here = (
        ExtractionReply.user_id == session.user_id,
        ExtractionReply.conversation_id == conversation_id,
        ExtractionReply.model == model,
    )
    named = ExtractionReply.digest == sa.any_(sa.cast(list(digests), sa.ARRAY(sa.LargeBinary)))
    kept = session.execute(select(ExtractionReply.drawers).where(*here, named)).scalars()
    covered = sorted({drawer_id for drawers in kept for drawer_id in drawers})
    session.execute(delete(ExtractionReply).where(*here, ~named, ExtractionReply.drawers.contained_by(covered)))


def drop_replies(session: UserSession, conversations: Sequence[int], drawer_ids: Sequence[int]) -> None:
    """Drop the replies that are about any of some drawers, which are of these conversations: they quote them."""
    session.execute(
        delete(ExtractionReply).where(
            ExtractionReply.user_id == session.user_id,
            ExtractionReply.conversation_id == _any(conversations),
            ExtractionReply.drawers.overlap(list(drawer_ids)),
        )
    )


def _list(session: UserSession, about: sa.ColumnElement[bool]) -> list[StoredReply]:
    query = select(
        ExtractionReply.digest,
        ExtractionReply.model,
        ExtractionReply.prompt,
        ExtractionReply.drawers,
        ExtractionReply.reply,
        ExtractionReply.is_imported,
    ).where(ExtractionReply.user_id == session.user_id, about)
    return [
        StoredReply(bytes(row.digest), row.model, row.prompt, tuple(row.drawers), dict(row.reply), row.is_imported)
        for row in session.execute(query.order_by(ExtractionReply.called_at.desc()))
    ]


def _any(ids: Sequence[int]) -> Any:
    return sa.any_(sa.cast(list(ids), sa.ARRAY(sa.BigInteger)))
