"""Conversations by identity, and their turns that are already filed."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import or_, select

from palace.db.database import UserSession
from palace.db.locks import wait_alone
from palace.db.rows import any_bytes, any_id, ids_text, record_of
from palace.db.tables import Conversation, ConversationEdge, Drawer, PalaceUser, Tombstone, aliased
from palace.models import KnownTurn, Role
from palace.models.intake import bounded_id

_LOCK = sa.text(
    "SELECT c.id FROM conversation AS c WHERE c.user_id = :user_id AND c.id = ANY(CAST(:conversations AS bigint[]))"
    " ORDER BY c.id FOR NO KEY UPDATE"
)
_FIND = sa.text("SELECT c.id FROM conversation AS c WHERE c.user_id = :user_id AND c.identity = :identity")
MOST_CANDIDATES = 40
MOST_HOLDING = 200
FROM_EACH_END = 8
"""Drawers from a conversation's beginning, and from its end, from which its edges are computed."""


def lock_edges(session: UserSession, edges: Collection[int]) -> None:
    """Lock edges until the transaction ends, so that no other transaction identifies a conversation by one of them."""
    for edge in sorted(edges):
        wait_alone(session, edge)


def list_candidates(session: UserSession, hashes: Collection[int]) -> list[tuple[int, str]]:
    """List the conversations, as (id, identity), that share an edge with a text's lines; most shared first."""
    wanted = any_id(hashes)
    query = (
        session.select(Conversation.id, Conversation.identity)
        .join(ConversationEdge)
        .where(ConversationEdge.line_hash == wanted)
        .group_by(Conversation.id, Conversation.identity)
        .order_by(sa.func.count().desc(), Conversation.id.desc())
        .limit(MOST_CANDIDATES)
    )
    return [(row.id, row.identity) for row in session.execute(query)]


def list_holding(session: UserSession, words: str, digest: bytes, hidden: bytes) -> list[tuple[int, str]]:
    """List the conversations, as (id, identity), with a drawer of this digest that begins with these words.

    ``hidden`` is the digest under the palace's key.
    """
    saying = session.run("drawers_saying", {"text": words, "most": MOST_HOLDING}).scalars().all()
    parameters = {"drawer_ids": saying, "digest": digest, "hidden": hidden}
    return [(row.id, row.identity) for row in session.run("conversations_holding", parameters)] if saying else []


def write_edges(session: UserSession, conversation_id: int, edges: Collection[int]) -> None:
    """Set the edges by which a conversation is found."""
    others = ConversationEdge.line_hash.not_in(sorted(edges))
    session.delete(ConversationEdge, ConversationEdge.conversation_id == conversation_id, others)
    rows = [{"conversation_id": conversation_id, "line_hash": edge} for edge in sorted(edges)]
    session.add(ConversationEdge, rows)


def get_end_contents(session: UserSession, conversation_id: int) -> list[str]:
    """Return the texts at a conversation's beginning and end, in order, without replaced drawers."""
    standing = session.select(Drawer.id, Drawer.position, Drawer.number).where(
        Drawer.conversation_id == conversation_id, Drawer.replaced_at.is_(None)
    )
    first = standing.order_by(Drawer.position, Drawer.number).limit(FROM_EACH_END)
    last = standing.order_by(Drawer.position.desc(), Drawer.number.desc()).limit(FROM_EACH_END)
    ends = sa.union(first.subquery().select(), last.subquery().select()).subquery()
    query = session.select(Drawer.content).join(ends, ends.c.id == Drawer.id)
    return session.values(query.order_by(ends.c.position, ends.c.number))


def get_contents(session: UserSession, conversation_id: int) -> dict[int, str]:
    """Map the ids of a conversation's drawers to their texts."""
    query = session.select(Drawer.id, Drawer.content).where(Drawer.conversation_id == conversation_id)
    return {row.id: row.content for row in session.execute(query)}


def list_said(session: UserSession, conversation_id: int, *, limit: int) -> list[dict[str, Any]]:
    """List the last messages of a conversation's user and assistant, oldest first, in the format of chat APIs."""
    latest = (
        session.select(Drawer.role, Drawer.content)
        .where(
            Drawer.conversation_id == conversation_id,
            Drawer.replaced_at.is_(None),
            Drawer.role.in_((Role.USER, Role.ASSISTANT)),
        )
        .order_by(Drawer.position.desc(), Drawer.number.desc())
        .limit(limit)
    )
    rows = session.execute(latest).all()
    return [{"role": str(row.role), "content": row.content} for row in reversed(rows)]


def list_openings(session: UserSession, identity: str) -> list[tuple[int, str]]:
    """List the conversations, as (id, identity), with the same opening: ``identity``, then ``identity#2`` …."""
    query = (
        session.select(Conversation.id, Conversation.identity)
        .where(
            or_(
                Conversation.identity == identity,
                Conversation.identity.startswith(f"{identity}#", autoescape=True),
            ),
        )
        .order_by(Conversation.id)
    )
    return [(row.id, row.identity) for row in session.execute(query)]


def ensure_conversation(
    session: UserSession,
    *,
    identity: str,
    reader: str,
    title: str | None,
    run_id: int,
    filed_at: datetime | None = None,
) -> int:
    """Return a conversation's id by identity; create it if missing, filed at ``filed_at`` or now."""
    row = {"identity": identity, "reader": reader, "title": title, "run_id": run_id, "filed_at": filed_at}
    found = session.run("ensure_conversation", row).scalar_one_or_none()
    if found is None:  # another transaction has just created it
        found = find_conversation(session, identity)
        assert found is not None
    return int(found)


def find_conversation(session: UserSession, identity: str) -> int | None:
    """Return a conversation's id by identity; None without one."""
    return session.execute(_FIND, {"identity": identity}).scalar_one_or_none()


def lock_conversation(session: UserSession, conversation_id: int) -> bool:
    """Lock a conversation against other miners until the transaction ends; False if it is gone."""
    return bool(lock_conversations(session, [conversation_id]))


def lock_conversations(session: UserSession, conversations: Collection[int]) -> list[int]:
    """Lock conversations, in order of id, as ``lock_conversation`` does; return those that exist."""
    return session.values(_LOCK, {"conversations": ids_text(conversations)})


def lock_with(session: UserSession, conversation_id: int, identities: Collection[bytes]) -> bool:
    """Lock a conversation, and those of some drawers against forgetting; False if the first is gone."""
    others = session.values(session.select(Drawer.conversation_id).where(Drawer.identity == any_bytes(identities)))
    return conversation_id in lock_conversations(session, {conversation_id, *others})


def list_known_turns(session: UserSession, conversation_id: int, *, digests: bool = True) -> list[KnownTurn]:
    """List the filed and the forgotten turns of a conversation, in order of position.

    Computing ``digests`` reads every text; without it they are None.
    """
    rows = session.run("known_turns", {"conversation_id": conversation_id, "digests": digests}).all()
    anew = _list_said_anew(session, conversation_id) if any(row.replaced_by for row in rows) else set()
    return [
        KnownTurn(row.identity, row.position, is_forgotten=True)
        if row.is_forgotten
        else record_of(KnownTurn, row, is_said_anew=row.drawer_id in anew)
        for row in rows
    ]


def _list_said_anew(session: UserSession, conversation_id: int) -> set[int]:
    instead = aliased(Drawer)
    query = session.select(Drawer.id).join(
        instead, sa.and_(instead.user_id == Drawer.user_id, instead.id == Drawer.replaced_by)
    )
    same = says_the_same(instead, Drawer, user_id=session.user_id)
    return set(session.values(query.where(Drawer.conversation_id == conversation_id, same)))


def says_the_same(one: type[Drawer], other: type[Drawer], *, user_id: int) -> sa.ColumnElement[bool]:
    """Compare the original texts of two drawers, even if parts of them were redacted."""
    is_all_kept = sa.and_(one.said.is_(None), other.said.is_(None))
    hidden = hidden_digest(one, user_id) == hidden_digest(other, user_id)
    return sa.case((is_all_kept, one.content == other.content), else_=hidden)


def hidden_digest(drawer: type[Drawer], user_id: int) -> sa.ColumnElement[bytes]:
    """Return the hash of a drawer's original text, under the palace's key."""
    key = select(PalaceUser.palace_key).where(PalaceUser.id == user_id).scalar_subquery()
    digest = sa.func.substring(sa.func.sha256(sa.func.convert_to(drawer.content, "UTF8")), 1, 16)
    under_key = sa.func.sha256(sa.func.uuid_send(key).op("||")(digest))
    return sa.func.coalesce(drawer.said, sa.func.substring(under_key, 1, 20))


def find_elsewhere(session: UserSession, conversation_id: int, identities: Sequence[bytes]) -> dict[bytes, int | None]:
    """Map identities that are filed in other conversations of the user to the run that filed each.

    Forgotten ones have no run: None.
    """
    wanted = any_bytes(identities)
    filed = session.select(Drawer.identity, Drawer.run_id).where(
        Drawer.conversation_id != conversation_id, Drawer.identity == wanted
    )
    forgotten = session.select(Tombstone.identity, sa.cast(sa.null(), sa.BigInteger)).where(
        Tombstone.conversation_id != conversation_id, Tombstone.identity == wanted, Tombstone.restored_by.is_(None)
    )
    return dict(session.execute(sa.union_all(filed, forgotten)).all())


def restore_title(session: UserSession, conversation_id: int, title: str | None) -> None:
    """Restore the title that a conversation lost with its last drawer."""
    session.update(Conversation, Conversation.id == conversation_id, Conversation.title.is_(None), title=title)


def mark_restored(session: UserSession, run_id: int, conversation_id: int, names: Collection[bytes]) -> None:
    """Mark tombstones of a conversation as restored by a run that filed their turns again on request.

    ``names`` are identities that the turns had when they were forgotten, where these differ from the present ones.
    """
    named = any_bytes(names)
    filed = session.select(Drawer.identity).where(Drawer.conversation_id == conversation_id)
    session.update(
        Tombstone,
        Tombstone.conversation_id == conversation_id,
        Tombstone.restored_by.is_(None),
        sa.or_(Tombstone.identity.in_(filed), Tombstone.identity == named),
        restored_by=run_id,
    )


def list_of_session(session: UserSession, drawer_ids: Collection[int], name: str) -> frozenset[int]:
    """Return those of some drawers that belong to a program's session ``name``, whichever reader read it."""
    ending = sa.literal(f":{bounded_id(name)}")
    query = (
        session.select(Drawer.id)
        .join(Conversation)
        .where(Drawer.id.in_(list(drawer_ids)), sa.func.right(Conversation.identity, sa.func.length(ending)) == ending)
    )
    return frozenset(session.execute(query).scalars())
