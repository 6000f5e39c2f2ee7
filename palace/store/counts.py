"""How many drawers, passages and sentences a user has, and how many passages hold each word.

Every writer appends deltas, which are folded when they are many: so no two writers meet on one row.
"""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy import delete, func, insert, select, update

from palace.store.database import UserSession
from palace.store.sql.locks import Guarded, try_alone, wait_alone
from palace.tables import CountDelta, PalaceUser, TermCount, TermDelta

FOLD_ABOVE = 200
FOLD_TERMS_ABOVE = 20
ANALYSED_FROM = 200
"""Drawers below which a bad plan costs nothing."""

_VECTORS = sa.text(
    # As a text: every recall asks, and what SQLAlchemy makes of an expression each time takes longer than the answer.
    "SELECT coalesce(sum(amount), 0) FROM count_delta WHERE user_id = :user_id AND counted IN ('passage', 'sentence')"
)

_DRAWERS = sa.text("SELECT coalesce(sum(amount), 0) FROM count_delta WHERE user_id = :user_id AND counted = 'drawer'")


def add_counts(session: UserSession, *, drawers: int, passages: int, sentences: int = 0) -> None:
    """Append a change; negative for deletions. Sentences are not counted as passages."""
    rows = [
        {"counted": counted, "amount": amount}
        for counted, amount in (("drawer", drawers), ("passage", passages), ("sentence", sentences))
        if amount
    ]
    if rows:
        session.insert(insert(CountDelta), rows)


def get_counts(session: UserSession) -> dict[str, int]:
    """Sum the counts: "drawer", "passage" and "sentence"."""
    total = func.sum(CountDelta.amount)
    query = select(CountDelta.counted, total).where(CountDelta.user_id == session.user_id).group_by(CountDelta.counted)
    none = {"drawer": 0, "passage": 0, "sentence": 0}
    return none | {counted: int(amount) for counted, amount in session.execute(query)}


def count_vectors(session: UserSession) -> int:
    """Count what has a vector or waits for one, passages and sentences; those of tools, which have none, included."""
    return int(session.execute(_VECTORS).scalar_one())


def count_drawers(session: UserSession) -> int:
    """Count drawers."""
    return int(session.execute(_DRAWERS).scalar_one())


def uncount_terms(session: UserSession, drawer_ids: Sequence[int]) -> None:
    """Append that the words of drawers which are about to be removed, or filed again, are held less often."""
    session.run("uncount_terms", {"drawer_ids": list(drawer_ids)})


def fold_counts(session: UserSession, *, only_many: bool = False) -> None:
    """Replace deltas by their sum, unless another transaction is doing so; counts, and ``only_many``, where many."""
    if not try_alone(session, Guarded.COUNTS):
        return
    if _count(session, CountDelta) > FOLD_ABOVE:
        session.run("fold_counts")
    if not only_many or _count(session, TermDelta) > FOLD_TERMS_ABOVE:
        session.run("fold_terms")


def forget_terms(session: UserSession) -> None:
    """Fold at once, so that no word of what is removed is left anywhere."""
    _wait_alone(session)
    session.run("fold_terms")
    session.execute(delete(TermCount).where(TermCount.user_id == session.user_id, TermCount.passage_count <= 0))


def recount(session: UserSession) -> None:
    """Make the counts be what is there, while others go on writing."""
    _wait_alone(session)
    session.run("recount")
    session.run("recount_terms")


def refresh_statistics(session: UserSession) -> None:
    """Tell the planner how much the user has, if that has doubled since it was told last."""
    drawers = get_counts(session)["drawer"]
    mine = PalaceUser.id == session.user_id
    known = session.execute(select(PalaceUser.analysed_drawers).where(mine)).scalar_one_or_none()
    if known is None or drawers < max(ANALYSED_FROM, 2 * known):
        return
    session.execute(sa.text("SELECT refresh_statistics(:user_id)"))
    session.execute(update(PalaceUser).where(mine).values(analysed_drawers=drawers))


def _count(session: UserSession, table: type[CountDelta | TermDelta]) -> int:
    query = select(func.count()).select_from(table).where(table.user_id == session.user_id)
    return int(session.execute(query).scalar_one())


def _wait_alone(session: UserSession) -> None:
    # A statement of its own: the next one must look at what there is once the lock is held. A fold that ended after
    # that look would have put its deltas, which are counted here already, into a row that is not deleted here.
    wait_alone(session, Guarded.COUNTS)
