"""The user's review list: the latest items not looked at yet, latest first, and marks of seen ones.

Only the latest of each kind are listed; older ones count as seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, func, literal, select, tuple_

from palace.db.changes.runs import list_runs
from palace.db.database import UserSession
from palace.db.drawers import SAYS_SO, get_drawers
from palace.db.jobs import count_jobs
from palace.db.tables import Assertion, Drawer, ReviewMark
from palace.models import Drawer as DrawerRecord
from palace.models import Run
from palace.models.review import MOST_REVIEWED, ChangedFact, ReviewCounts, ReviewKey, ReviewKind


def list_filed(session: UserSession, *, limit: int) -> tuple[Run, ...]:
    """List unseen runs whose drawers are not all gone."""
    seen = set(
        session.execute(session.select(ReviewMark.item).where(ReviewMark.kind == ReviewKind.FILED.value)).scalars()
    )
    runs = (run for run in list_runs(session, limit=MOST_REVIEWED) if run.drawers_kept)
    return tuple(run for run in runs if run.id not in seen)[:limit]


def list_filed_by(session: UserSession, run_id: int, *, limit: int) -> tuple[DrawerRecord, ...]:
    """List the first remaining drawers of a run, by conversation, in the order they were said."""
    query = session.select(Drawer.id, Drawer.conversation_id, Drawer.position).where(Drawer.run_id == run_id)
    # Sorted apart: in the order of the conversations, Postgres would read all drawers of earlier runs.
    filed = query.offset(0).subquery()
    by_place = select(filed.c.id).order_by(filed.c.conversation_id, filed.c.position, filed.c.id)
    return _in_order(session, session.values(by_place.limit(limit)))


def _in_order(session: UserSession, ids: Sequence[int]) -> tuple[DrawerRecord, ...]:
    found = get_drawers(session, ids)
    return tuple(found[each] for each in ids if each in found)


def list_redacted(session: UserSession, *, limit: int) -> tuple[DrawerRecord, ...]:
    """List unseen drawers from which secrets were removed."""
    ids = session.values(_redacted(session).limit(limit))
    return _in_order(session, ids)


def list_changed(session: UserSession, *, limit: int) -> tuple[ChangedFact, ...]:
    """List unseen changes: drawers with a statement that ended, with those that say what holds instead."""
    rows = session.execute(_changed(session).limit(limit)).all()
    found = get_drawers(session, {each for row in rows for each in (row.drawer_id, row.superseded_by)})
    return tuple(
        ChangedFact(found[row.drawer_id], found[row.superseded_by], tuple(row.predicates), row.until)
        for row in rows
        if row.drawer_id in found and row.superseded_by in found
    )


def count_unseen(session: UserSession) -> ReviewCounts:
    """Count the unseen items of each kind."""

    def count(query: Select[Any]) -> int:
        return int(session.execute(select(func.count()).select_from(query.subquery())).scalar_one())

    return ReviewCounts(
        filed=len(list_filed(session, limit=MOST_REVIEWED)),
        redacted=count(_redacted(session)),
        changed=count(_changed(session)),
        failed=count_jobs(session).failed,
    )


def _redacted(session: UserSession) -> Select[Any]:
    latest = (
        session.select(Drawer.id, Drawer.filed_at)
        .where(Drawer.redacted.is_not(None))
        .order_by(Drawer.filed_at.desc(), Drawer.id.desc())
        .limit(MOST_REVIEWED)
        .subquery()
    )
    unseen = ~_mark(session, ReviewKind.REDACTED, latest.c.id, literal(0))
    return select(latest.c.id).where(unseen).order_by(latest.c.filed_at.desc(), latest.c.id.desc())


def _changed(session: UserSession) -> Select[Any]:
    filed_at = func.max(Drawer.filed_at)
    latest = (
        session.select(
            Assertion.drawer_id,
            Assertion.superseded_by,
            func.array_agg(Assertion.predicate.distinct()).label("predicates"),
            func.max(Assertion.until).label("until"),
            filed_at.label("filed_at"),
        )
        .join(Drawer, and_(Drawer.user_id == Assertion.user_id, Drawer.id == Assertion.superseded_by))
        .where(
            Assertion.superseded_by.is_not(None),
            Assertion.superseded_by != Assertion.drawer_id,
            Assertion.until.is_not(None),
            Assertion.action.in_(SAYS_SO),
        )
        .group_by(Assertion.drawer_id, Assertion.superseded_by)
        .order_by(filed_at.desc(), Assertion.superseded_by.desc(), Assertion.drawer_id.desc())
        .limit(MOST_REVIEWED)
        .subquery()
    )
    unseen = ~_mark(session, ReviewKind.CHANGED, latest.c.drawer_id, latest.c.superseded_by)
    order = (latest.c.filed_at.desc(), latest.c.superseded_by.desc(), latest.c.drawer_id.desc())
    return select(latest).where(unseen).order_by(*order)


def _mark(
    session: UserSession, kind: ReviewKind, item: ColumnElement[int], by: ColumnElement[int]
) -> ColumnElement[bool]:
    this = (ReviewMark.kind == kind.value, ReviewMark.item == item, ReviewMark.by == by)
    return session.select(ReviewMark.item).where(*this).exists()


MOST_MARKS = 10_000
"""The most marks kept of a user, the latest: items with older marks are not listed any more."""


def mark_seen(session: UserSession, review: ReviewKind, seen: Sequence[ReviewKey], *, most: int = MOST_MARKS) -> None:
    """Mark items as seen, and delete the oldest marks beyond ``most``."""
    rows = [{"kind": review.value, "item": key.item, "by": key.by} for key in seen]
    session.add(ReviewMark, rows)
    mine = session.select(ReviewMark.seen_at)
    last = mine.order_by(ReviewMark.seen_at.desc()).offset(most).limit(1).scalar_subquery()
    session.delete(ReviewMark, ReviewMark.seen_at <= last)


def unmark_seen(session: UserSession, review: ReviewKind, seen: Sequence[ReviewKey]) -> None:
    """Mark items as unseen."""
    session.delete(ReviewMark, ReviewMark.kind == review.value, tuple_(ReviewMark.item, ReviewMark.by).in_(list(seen)))
