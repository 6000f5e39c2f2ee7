"""How many drawers and passages a user has: deltas appended by every writer, folded when they are many."""

from __future__ import annotations

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
    if session.execute(mine).scalar_one() > FOLD_ABOVE:
        session.execute(statement("fold_counts"), {"user_id": session.user_id})
