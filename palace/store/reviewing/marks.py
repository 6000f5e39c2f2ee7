"""Marks of what was seen."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import delete, select, tuple_
from sqlalchemy.dialects.postgresql import insert

from palace.records.review import ReviewKey, ReviewKind
from palace.store.database import UserSession
from palace.tables import ReviewMark

MOST_MARKS = 10_000
"""Of a user that are kept, the latest: what the others are of is listed no more by then."""


def mark_seen(session: UserSession, review: ReviewKind, seen: Sequence[ReviewKey], *, most: int = MOST_MARKS) -> None:
    """Mark as seen what was not yet, and drop the oldest marks beyond those that are kept."""
    rows = [{"kind": review.value, "item": key.item, "by": key.by} for key in seen]
    if rows:
        new = insert(ReviewMark).on_conflict_do_nothing(index_elements=["user_id", "kind", "item", "by"])
        session.insert(new, rows)
    mine = select(ReviewMark.seen_at).where(ReviewMark.user_id == session.user_id)
    last = mine.order_by(ReviewMark.seen_at.desc()).offset(most).limit(1).scalar_subquery()
    session.execute(delete(ReviewMark).where(ReviewMark.user_id == session.user_id, ReviewMark.seen_at <= last))


def unmark_seen(session: UserSession, review: ReviewKind, seen: Sequence[ReviewKey]) -> None:
    """Have things count as not seen."""
    session.execute(
        delete(ReviewMark).where(
            ReviewMark.user_id == session.user_id,
            ReviewMark.kind == review.value,
            tuple_(ReviewMark.item, ReviewMark.by).in_(list(seen)),
        )
    )
