"""The state of each conversation in each index step: done by which version, or failed how often."""

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
"""Pauses before the next attempt, by failures in a row; the first failure is retried at once."""
MOST_ATTEMPTS = max(WAITS) + 1
"""After so many failures in a row, the step is retried only on request."""
LONGEST_FAILURE = 200

_CONVERSATION = (StepState.user_id, StepState.conversation_id, StepState.step)
_PENDING = {"version": 0, "attempts": 0, "failure": None, "failed_at": None}


def list_pending_steps(
    session: UserSession, step: StepVersion, *, among: Sequence[int] | None = None, asked: bool = False
) -> list[int]:
    """List the conversations with drawers for which a step is not done in its version; all, or those ``among`` some.

    Unless ``asked``, those for which it failed a moment ago, or too often, are left out.
    """
    return _list(session, _states(session, step, among, asked=asked).where(_is_behind(session, step)))


def list_unembedded(
    session: UserSession, step: StepVersion, *, among: Sequence[int] | None = None, asked: bool = False
) -> list[int]:
    """List the conversations with missing vectors in the active generation, or vectors of an older version."""
    waiting = _waiting(session)
    if among is not None:
        waiting = waiting.where(Drawer.conversation_id == any_id(among))
    states = _states(session, step, among, asked=asked)
    return _list(session, states.where(or_(_is_behind(session, step), Conversation.id.in_(waiting))))


def mark_done(session: UserSession, step: StepVersion, conversations: Sequence[int]) -> None:
    """Mark a step as done for some conversations; those that are gone are left out."""
    _mark(session, step, conversations)


def mark_embedded(session: UserSession, step: StepVersion, conversations: Sequence[int]) -> None:
    """Mark a step as done for those conversations whose passages all have a vector in the active generation."""
    is_embedded = ~_waiting(session).where(Drawer.conversation_id == Conversation.id).exists()
    _mark(session, step, conversations, is_embedded)


def note_cut(session: UserSession, conversation_id: int) -> None:
    """Record that new drawers of a conversation have passages of the present version; all other steps are pending."""
    parameters = {"conversation_id": conversation_id, "step": PASSAGES.name, "version": PASSAGES.version}
    session.run("note_cut", parameters | {"kept": [PASSAGES.name, VECTORS.name], "done_at": _now()})


def make_pending(session: UserSession, conversations: Sequence[int]) -> None:
    """Make the steps of conversations whose drawers changed pending, and retry those that failed.

    Passages and vectors keep their version: their own rows show what is missing.
    """
    kept = StepState.step.in_([PASSAGES.name, VECTORS.name])
    values = _PENDING | {"version": case((kept, StepState.version), else_=0)}
    differs = or_(StepState.attempts > 0, and_(~kept, StepState.version > 0))
    session.update(StepState, StepState.conversation_id == any_id(conversations), differs, **values)


def make_step_pending(session: UserSession, step: StepVersion, conversations: Sequence[int]) -> None:
    """Make a step pending for some conversations."""
    session.update(
        StepState, StepState.conversation_id == any_id(conversations), StepState.step == step.name, **_PENDING
    )


def drop_steps(session: UserSession, conversations: Sequence[int]) -> None:
    """Delete the states of conversations that have no drawer any more."""
    session.delete(StepState, StepState.conversation_id == any_id(conversations))


def empty_outdated(session: UserSession, step: StepVersion, conversations: Sequence[int]) -> None:
    """Remove the vectors that an older version made for some conversations, so that they count as missing.

    The step's state is updated in the same transaction, so the missing vectors are all there is to remember.
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


def list_outdated(session: UserSession, step: StepVersion, among: Sequence[int] | None = None) -> list[int]:
    """List the conversations, of some or all, for which an older version did a step, and which has not failed since."""
    query = session.select(StepState.conversation_id).where(
        StepState.step == step.name, StepState.version.between(1, step.version - 1), StepState.attempts == 0
    )
    return session.values(query if among is None else query.where(StepState.conversation_id == any_id(among)))


def record_failure(session: UserSession, step: StepVersion, conversation_id: int, failure: str) -> None:
    """Record one more failure of a step for a conversation; ``failure`` is one line."""
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
    """Summarise the failures of a step for some waiting conversations: how many, and the last message."""
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
    """List conversations in order of id, those for which the step failed before last: others need not wait for them."""
    return session.values(query.order_by(func.coalesce(StepState.attempts, 0), Conversation.id))


def _is_behind(session: UserSession, step: StepVersion) -> ColumnElement[bool]:
    return and_(func.coalesce(StepState.version, 0) < step.version, _has_drawers(session))


def _has_drawers(session: UserSession) -> ColumnElement[bool]:
    drawers = session.select(Drawer.id).where(Drawer.conversation_id == Conversation.id)
    # Not EXISTS: that may become a join, which reads all of the user's drawers for the few conversations behind.
    return drawers.limit(1).scalar_subquery().is_not(None)


def _waiting(session: UserSession) -> Select[int]:
    active = session.select(UserGeneration.generation_id).where(UserGeneration.state == "active").scalar_subquery()
    theirs = and_(PassageEmbedding.user_id == Drawer.user_id, PassageEmbedding.drawer_id == Drawer.id)
    query = session.select(Drawer.conversation_id).join(PassageEmbedding, theirs)
    return query.where(PassageEmbedding.embedding.is_(None), PassageEmbedding.generation_id == active)


def _rows(session: UserSession, step: StepVersion, conversations: Sequence[int]) -> Select[*tuple[Any, ...]]:
    """Select the key columns for states of those conversations that have drawers.

    In the order in which all writers insert them.
    """
    query = session.select(Conversation.user_id, Conversation.id, sa.literal(step.name))
    return query.where(Conversation.id == any_id(conversations), _has_drawers(session)).order_by(Conversation.id)


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
