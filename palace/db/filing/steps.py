"""How far each conversation is with each index step: done in which version, or failed how often."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy import ColumnElement, Select, and_, case, func, or_
from sqlalchemy.dialects.postgresql import insert

from palace.db.database import UserSession
from palace.db.rows import any_id
from palace.db.tables import Conversation, Drawer, PassageEmbedding, StepState, UserGeneration
from palace.models import PASSAGES, VECTORS, StepStatus, StepVersion

WAITS = {2: timedelta(minutes=1), 3: timedelta(minutes=5), 4: timedelta(minutes=25)}
"""How long a step is left alone that failed so often in a row; the first failure is tried again at once."""
MOST_ATTEMPTS = max(WAITS) + 1
"""After so many failures in a row only who asks for it has it tried again."""
LONGEST_FAILURE = 200

_CONVERSATION = (StepState.user_id, StepState.conversation_id, StepState.step)
_PENDING = {"version": 0, "attempts": 0, "failure": None, "failed_at": None}


def list_pending_steps(
    session: UserSession, step: StepVersion, *, among: Sequence[int] | None = None, asked: bool = False
) -> list[int]:
    """List the conversations with drawers for which a step was not done in its version; among some, or all.

    Unless ``asked``, those are left out for which it failed a moment ago, or too often.
    """
    return _list(session, _states(session, step, among, asked=asked).where(_is_behind(session, step)))


def list_unembedded(
    session: UserSession, step: StepVersion, *, among: Sequence[int] | None = None, asked: bool = False
) -> list[int]:
    """List the conversations that hold what has no vector in the active generation, or vectors of an older version."""
    waiting = _waiting(session)
    if among is not None:
        waiting = waiting.where(Drawer.conversation_id == any_id(among))
    states = _states(session, step, among, asked=asked)
    return _list(session, states.where(or_(_is_behind(session, step), Conversation.id.in_(waiting))))


def mark_done(session: UserSession, step: StepVersion, conversations: Sequence[int]) -> None:
    """Note that a step is done for some conversations; those that are gone are left out."""
    _mark(session, step, conversations)


def mark_embedded(session: UserSession, step: StepVersion, conversations: Sequence[int]) -> None:
    """Note of those conversations that have all their vectors that they have them."""
    _mark(session, step, conversations, _is_embedded(session))


def mark_drawn(session: UserSession, step: StepVersion, conversation_id: int, *, turns: int) -> None:
    """Note that a conversation's topics are drawn from ``turns`` drawers; they stay pending if more came meanwhile,
    or if embeddings are still missing that would draw them better.
    """
    filed = session.select(func.count(Drawer.id)).where(Drawer.conversation_id == conversation_id)
    _mark(session, step, [conversation_id], _is_embedded(session), filed.scalar_subquery() == turns)


def note_cut(session: UserSession, conversation_id: int) -> None:
    """Note that drawers were filed in a conversation, cut as today's program does it: the other steps are pending."""
    cut = {"conversation_id": conversation_id, "step": PASSAGES.name, "version": PASSAGES.version, "done_at": _now()}
    # Where older drawers wait to be cut anew, they still do.
    session.add(StepState, [cut])
    make_pending(session, [conversation_id])


def make_pending(session: UserSession, conversations: Sequence[int]) -> None:
    """Note that drawers came to some conversations or went: what was made from all of them is pending, and what failed
    is tried again. Which passages and vectors are there, they tell themselves.
    """
    kept = StepState.step.in_([PASSAGES.name, VECTORS.name])
    values = _PENDING | {"version": case((kept, StepState.version), else_=0)}
    session.update(StepState, StepState.conversation_id == any_id(conversations), **values)


def make_step_pending(session: UserSession, step: StepVersion, conversations: Sequence[int]) -> None:
    """Have a step done again for some conversations."""
    session.update(
        StepState, StepState.conversation_id == any_id(conversations), StepState.step == step.name, **_PENDING
    )


def drop_steps(session: UserSession, conversations: Sequence[int]) -> None:
    """Drop what is noted of conversations that have no drawer any more."""
    session.delete(StepState, StepState.conversation_id == any_id(conversations))


def empty_outdated(session: UserSession, step: StepVersion, conversations: Sequence[int]) -> None:
    """Take away the vectors of those conversations whose vectors an older version made: from then on they are missing.

    In one transaction with the note of it, so that nothing but the missing vectors has to be remembered.
    """
    behind = and_(StepState.step == step.name, StepState.version.between(1, step.version - 1))
    theirs = and_(StepState.conversation_id == any_id(conversations), behind)
    held = session.select(StepState.conversation_id).where(theirs).order_by(StepState.conversation_id)
    outdated = session.values(held.with_for_update())
    if not outdated:
        return
    drawers = session.select(Drawer.id).where(Drawer.conversation_id == any_id(outdated))
    session.update(PassageEmbedding, PassageEmbedding.drawer_id.in_(drawers), embedding=None)
    session.update(StepState, theirs, version=step.version)
    make_pending(session, outdated)


def has_outdated(session: UserSession, step: StepVersion, conversation_id: int | None = None) -> bool:
    """Tell whether an older version did a step for some conversation, or this one, and none failed at it since."""
    query = session.select(StepState.conversation_id).where(
        StepState.step == step.name,
        StepState.version.between(1, step.version - 1),
        StepState.attempts == 0,
        sa.true() if conversation_id is None else StepState.conversation_id == conversation_id,
    )
    return session.has(query)


def record_failure(session: UserSession, step: StepVersion, conversation_id: int, failure: str) -> None:
    """Note that a step failed for a conversation, once more; ``failure`` is one line."""
    failed = _rows(session, step, [conversation_id]).add_columns(
        sa.literal(0), sa.literal(1), sa.literal(failure[:LONGEST_FAILURE]), sa.literal(_now())
    )
    noted = insert(StepState).from_select([*_CONVERSATION, "version", "attempts", "failure", "failed_at"], failed)
    again = {
        "attempts": StepState.attempts + 1,
        "failure": noted.excluded.failure,
        "failed_at": noted.excluded.failed_at,
    }
    session.execute(noted.on_conflict_do_update(index_elements=_CONVERSATION, set_=again))


def find_failures(session: UserSession, step: str, conversations: Sequence[int]) -> StepStatus:
    """Say of some conversations, which wait for a step, how many failed and what the last failure said."""
    query = (
        session.select(StepState.attempts, StepState.failure, StepState.failed_at)
        .where(StepState.conversation_id == any_id(conversations), StepState.step == step, StepState.attempts > 0)
        .order_by(StepState.failed_at.desc())
    )
    failed = session.execute(query).all()
    if not failed:
        return StepStatus(step, len(conversations))
    held = sum(row.attempts >= MOST_ATTEMPTS for row in failed)
    return StepStatus(step, len(conversations), len(failed), held, failed[0].failure, failed[0].failed_at)


def _states(session: UserSession, step: StepVersion, among: Sequence[int] | None, *, asked: bool) -> Select[int]:
    """Select the user's conversations, each with how far it is with a step."""
    state = and_(
        StepState.user_id == Conversation.user_id,
        StepState.conversation_id == Conversation.id,
        StepState.step == step.name,
    )
    query = session.select(Conversation.id).outerjoin(StepState, state)
    if among is not None:
        query = query.where(Conversation.id == any_id(among))
    if not asked:
        now = _now()
        rested = (and_(StepState.attempts == n, StepState.failed_at <= now - wait) for n, wait in WAITS.items())
        query = query.where(or_(func.coalesce(StepState.attempts, 0) < min(WAITS), *rested))
    return query


def _list(session: UserSession, query: Select[int]) -> list[int]:
    """List conversations in order of number, those for which the step failed before at the end: none waits for them."""
    return session.values(query.order_by(func.coalesce(StepState.attempts, 0), Conversation.id))


def _is_behind(session: UserSession, step: StepVersion) -> ColumnElement[bool]:
    inhabited = session.select(Drawer.id).where(Drawer.conversation_id == Conversation.id)
    # Not EXISTS: that may become a join, which reads every drawer of the user's for the few conversations behind.
    return and_(func.coalesce(StepState.version, 0) < step.version, inhabited.limit(1).scalar_subquery().is_not(None))


def _is_embedded(session: UserSession) -> ColumnElement[bool]:
    return ~_waiting(session).where(Drawer.conversation_id == Conversation.id).exists()


def _waiting(session: UserSession) -> Select[int]:
    """Select the conversations of drawers that lack a vector in the active generation."""
    active = session.select(UserGeneration.generation_id).where(UserGeneration.state == "active").scalar_subquery()
    theirs = and_(PassageEmbedding.user_id == Drawer.user_id, PassageEmbedding.drawer_id == Drawer.id)
    query = session.select(Drawer.conversation_id).join(PassageEmbedding, theirs)
    return query.where(PassageEmbedding.embedding.is_(None), PassageEmbedding.generation_id == active)


def _rows(session: UserSession, step: StepVersion, conversations: Sequence[int]) -> Select[*tuple[Any, ...]]:
    """Select what a note of each of some conversations begins with, in the one order in which they are written."""
    query = session.select(Conversation.user_id, Conversation.id, sa.literal(step.name))
    return query.where(Conversation.id == any_id(conversations)).order_by(Conversation.id)


def _mark(
    session: UserSession, step: StepVersion, conversations: Sequence[int], *conditions: ColumnElement[bool]
) -> None:
    rows = _rows(session, step, conversations).where(*conditions)
    rows = rows.add_columns(sa.literal(step.version), sa.literal(_now()))
    done = insert(StepState).from_select([*_CONVERSATION, "version", "done_at"], rows)
    values = _PENDING | {"version": done.excluded.version, "done_at": done.excluded.done_at}
    session.execute(done.on_conflict_do_update(index_elements=_CONVERSATION, set_=values))


def _now() -> datetime:
    return datetime.now(UTC)
