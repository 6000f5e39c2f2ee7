"""Making memories: what of conversations was read for it, what of them is cited, and which are due."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from palace.db.database import UserSession
from palace.db.filing.conversations import lock_conversation
from palace.db.jobs import enqueue_index
from palace.db.rows import any_id
from palace.db.tables import Conversation, Drawer, Room, StepState
from palace.db.transfer.filing import find_known
from palace.models import MemoryType, Scope, Span

STEP = "memories"
"""The name under which ``index_step`` holds how far a conversation was read; one without it is read by hand alone."""
READ, UNREAD, ENDED = 1, 0, -1
"""The versions of its row: all was read; something was filed since; and the conversation has ended."""

_CITED = sa.text(
    "SELECT DISTINCT m.type, cited.identity FROM memory AS m CROSS JOIN unnest(m.evidence) AS cited (identity)"
    " WHERE m.user_id = :user_id AND cited.identity = ANY(CAST(:identities AS bytea[]))"
)
_CLAIMS = sa.text(
    "SELECT a.drawer_id, a.char_start, a.char_end FROM assertion AS a WHERE a.user_id = :user_id"
    " AND a.conversation_id = :conversation_id AND a.until IS NULL"
    " AND a.action IN ('holds', 'begins', 'ends', 'corrects')"
    " ORDER BY a.drawer_id, a.char_start"
)


class Due(NamedTuple):
    """A conversation of which something was not read yet."""

    conversation_id: int
    turns: int
    """Messages of the user that were not read."""
    topics: int
    """Topics of what was not read."""
    last_at: datetime
    """When its last message was filed."""
    is_over: bool
    """Whether it has ended."""


def list_readable(session: UserSession, scope: Scope, without_reader: str) -> list[int]:
    """List the conversations with drawers in a scope's wings, the oldest first, without those of a reader."""
    query = session.select(Conversation.id).where(Conversation.reader != without_reader)
    filed = session.select(Drawer.id).where(Drawer.conversation_id == Conversation.id)
    if scope.wing_ids is not None:
        rooms = session.select(Room.id).where(Room.wing_id == any_id(scope.wing_ids))
        filed = filed.where(Drawer.room_id.in_(rooms))
    return session.values(query.where(filed.exists()).order_by(Conversation.id))


def conversation_of(session: UserSession, drawer_id: int) -> int:
    """Return the conversation of a drawer."""
    query = session.select(Drawer.conversation_id).where(Drawer.id == drawer_id)
    return int(session.execute(query).scalar_one())


def list_cited(session: UserSession, identities: Collection[bytes]) -> set[tuple[bytes, MemoryType]]:
    """List the drawers, of some, that memories stand on, each with the type of the memory, in any state."""
    rows = session.execute(_CITED, {"identities": list(identities)})
    return {(bytes(row.identity), MemoryType(row.type)) for row in rows}


def is_unfounded(session: UserSession, evidence: Sequence[bytes]) -> bool:
    """Check whether a new memory would stand on what was forgotten, unless another one stands on it already."""
    known = find_known(session, evidence)
    gone = known.forgotten - known.filed
    return bool(gone - {identity for identity, _ in list_cited(session, gone)})


def list_claims(session: UserSession, conversation_id: int) -> dict[int, list[Span]]:
    """Map the drawers of a conversation to the spans of their claims that hold as far as is known, or of what ended."""
    found: dict[int, list[Span]] = {}
    for row in session.execute(_CLAIMS, {"conversation_id": conversation_id}):
        found.setdefault(row.drawer_id, []).append(Span(row.char_start, row.char_end))
    return found


def follow(session: UserSession, conversation_id: int, *, is_over: bool = False) -> None:
    """Have memories made of a conversation by itself from now on, in the jobs of its index steps, and enqueue one.

    ``is_over`` has them made of the rest as well.
    """
    session.add(StepState, [{"conversation_id": conversation_id, "step": STEP}])
    if is_over:
        session.update(StepState, *_here(conversation_id), StepState.version == UNREAD, version=ENDED)
    enqueue_index(session, conversation_id)


def find_read(session: UserSession, conversation_id: int) -> datetime | None:
    """Return when the last message that was read had been filed; None where nothing was read."""
    query = session.select(StepState.done_at).where(*_here(conversation_id))
    return session.execute(query).scalar_one_or_none()


def mark_read(session: UserSession, conversation_id: int, filed_at: datetime) -> None:
    """Record that the messages of a followed conversation filed until a moment were read."""
    lock_conversation(session, conversation_id)
    more = session.select(Drawer.id).where(Drawer.conversation_id == conversation_id, Drawer.filed_at > filed_at)
    version = sa.case((more.exists(), UNREAD), else_=READ)
    session.update(StepState, *_here(conversation_id), version=version, done_at=filed_at)


def list_due(session: UserSession, among: Sequence[int] | None = None) -> list[Due]:
    """List followed conversations of which something was not read yet; all, or some."""
    unread = sa.and_(
        Drawer.user_id == StepState.user_id,
        Drawer.conversation_id == StepState.conversation_id,
        sa.or_(StepState.done_at.is_(None), Drawer.filed_at > StepState.done_at),
    )
    turns = sa.func.count(Drawer.id).filter(Drawer.role == "user").label("turns")
    topics = sa.func.count(sa.distinct(Drawer.closet_id)).label("topics")
    query = session.select(StepState.conversation_id, turns, topics, sa.func.max(Drawer.filed_at).label("last_at"))
    query = query.add_columns((StepState.version == ENDED).label("is_over"))
    query = query.join(Drawer, unread).where(StepState.step == STEP, StepState.version != READ)
    if among is not None:
        query = query.where(StepState.conversation_id == any_id(among))
    rows = session.execute(
        query.group_by(StepState.conversation_id, StepState.version).order_by(StepState.conversation_id)
    )
    return [Due(*row) for row in rows]


def _here(conversation_id: int) -> tuple[sa.ColumnElement[bool], ...]:
    return StepState.conversation_id == conversation_id, StepState.step == STEP
