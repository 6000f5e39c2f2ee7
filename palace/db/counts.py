"""How many drawers, passages and sentences a user has, and how many passages hold each word.

Every writer appends deltas, which are folded when they are many: so no two writers meet on one row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import func, insert

from palace.db.database import UserSession
from palace.db.locks import Guarded, try_alone, wait_alone
from palace.db.tables import CountDelta, Drawer, PalaceUser, TermCount, TermDelta

FOLD_ABOVE = 200
FOLD_TERMS_ABOVE = 20
ANALYSED_FROM = 200
"""Drawers below which a bad plan costs nothing."""
ENGLISH, LANGUAGE = "en", "language:"

_VECTORS = sa.text(
    # As a text: every recall asks, and what SQLAlchemy makes of an expression each time takes longer than the answer.
    "SELECT coalesce(sum(amount), 0) FROM count_delta WHERE user_id = :user_id AND counted IN ('passage', 'sentence')"
)

_DRAWERS = sa.text("SELECT coalesce(sum(amount), 0) FROM count_delta WHERE user_id = :user_id AND counted = 'drawer'")


def add_counts(session: UserSession, *, drawers: int, passages: int, sentences: int = 0) -> None:
    """Append a change; negative for deletions. Sentences are not counted as passages."""
    _append(session, {"drawer": drawers, "passage": passages, "sentence": sentences})


def add_languages(session: UserSession, drawers: Mapping[str | None, int]) -> None:
    """Append how many drawers came in which language, negative for deletions; English, as most are, is not counted."""
    others = {language: amount for language, amount in drawers.items() if language not in (None, ENGLISH)}
    _append(session, {f"{LANGUAGE}{language}": amount for language, amount in others.items()})


def _append(session: UserSession, amounts: Mapping[str, int]) -> None:
    rows = [{"counted": counted, "amount": amount} for counted, amount in amounts.items() if amount]
    if rows:
        session.insert(insert(CountDelta), rows)


def uncount_languages(session: UserSession, drawer_ids: Sequence[int]) -> None:
    """Append that drawers are about to be removed, or written in another language."""
    query = _by_language(session).where(Drawer.id.in_(drawer_ids))
    add_languages(session, {language: -count for language, count in session.execute(query)})


def count_languages(session: UserSession) -> dict[str, int]:
    """Count the drawers that are there by language, as they should be counted: "language:de" and its like."""
    return {f"{LANGUAGE}{language}": count for language, count in session.execute(_by_language(session))}


def _by_language(session: UserSession) -> sa.Select[*tuple[Any, ...]]:
    query = session.select(Drawer.language, func.count()).where(Drawer.language != ENGLISH)
    return query.group_by(Drawer.language)


def get_languages(session: UserSession) -> dict[str, int]:
    """Count drawers by language, as ISO 639-1; those whose language nothing tells count as English."""
    counts = get_counts(session)
    others = {name.removeprefix(LANGUAGE): n for name, n in counts.items() if name.startswith(LANGUAGE)}
    return others | {ENGLISH: max(counts["drawer"] - sum(others.values()), 0)}


def get_counts(session: UserSession) -> dict[str, int]:
    """Sum the counts: "drawer", "passage", "sentence", and "language:de" of each language there is."""
    total = func.sum(CountDelta.amount)
    query = session.select(CountDelta.counted, total).group_by(CountDelta.counted)
    none = {"drawer": 0, "passage": 0, "sentence": 0}
    counts = {counted: int(amount) for counted, amount in session.execute(query)}
    # What is nothing any more keeps a row, folded.
    return none | {counted: amount for counted, amount in counts.items() if amount}


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
    if session.count(CountDelta) > FOLD_ABOVE:
        session.run("fold_counts")
    if not only_many or session.count(TermDelta) > FOLD_TERMS_ABOVE:
        session.run("fold_terms")


def forget_terms(session: UserSession) -> None:
    """Fold at once, so that no word of what is removed is left anywhere."""
    _wait_alone(session)
    session.run("fold_terms")
    session.delete(TermCount, TermCount.passage_count <= 0)


def recount(session: UserSession) -> None:
    """Make the counts be what is there, while others go on writing."""
    _wait_alone(session)
    session.run("recount")
    session.run("recount_terms")


def refresh_statistics(session: UserSession) -> None:
    """Tell the planner how much the user has, if that has doubled since it was told last."""
    drawers = get_counts(session)["drawer"]
    known = session.execute(session.select(PalaceUser.analysed_drawers)).scalar_one_or_none()
    if known is None or drawers < max(ANALYSED_FROM, 2 * known):
        return
    session.execute(sa.text("SELECT refresh_statistics(:user_id)"))
    session.update(PalaceUser, analysed_drawers=drawers)


def _wait_alone(session: UserSession) -> None:
    # A statement of its own: the next one must look at what there is once the lock is held. A fold that ended after
    # that look would have put its deltas, which are counted here already, into a row that is not deleted here.
    wait_alone(session, Guarded.COUNTS)
