"""How many drawers and passages a user has: deltas appended by every writer, folded when they are many."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy import func, insert, select

from palace.store.database import UserSession
from palace.store.sql import statement
from palace.tables import CountDelta

FOLD_ABOVE = 200


def add_counts(session: UserSession, *, drawers: int, passages: int) -> None:
    """Append a change; negative for deletions."""
    rows = [
        {"user_id": session.user_id, "counted": counted, "amount": amount}
        for counted, amount in (("drawer", drawers), ("passage", passages))
        if amount
    ]
    if rows:
        session.execute(insert(CountDelta), rows)


def get_counts(session: UserSession) -> dict[str, int]:
    """Sum the counts: "drawer" and "passage"."""
    total = func.sum(CountDelta.amount)
    query = select(CountDelta.counted, total).where(CountDelta.user_id == session.user_id).group_by(CountDelta.counted)
    return {"drawer": 0, "passage": 0} | {counted: int(amount) for counted, amount in session.execute(query)}


def fold_counts(session: UserSession) -> None:
    """Replace many deltas by their sum, leaving alone those that other transactions hold."""
    mine = select(func.count()).where(CountDelta.user_id == session.user_id)
    if session.execute(mine).scalar_one() > FOLD_ABOVE and _is_alone(session):
        session.execute(statement("fold_counts"), {"user_id": session.user_id})


def recount(session: UserSession) -> None:
    """Make the counts be what is there, while others go on writing."""
    # A statement of its own: the next one must look at what there is once the lock is held. A fold that ended after
    # that look would have put its deltas, which are counted here already, into a row that is not deleted here.
    session.execute(sa.text("SELECT pg_advisory_xact_lock(hashtextextended(:key, 0))"), _key(session))
    session.execute(statement("recount"), {"user_id": session.user_id})


def _is_alone(session: UserSession) -> bool:
    """Keep other folds and recounts of the user's out until the transaction ends; False while one is at work."""
    mine = sa.text("SELECT pg_try_advisory_xact_lock(hashtextextended(:key, 0))")
    return bool(session.execute(mine, _key(session)).scalar_one())


def _key(session: UserSession) -> dict[str, str]:
    return {"key": f"{session.user_id}/counts"}
