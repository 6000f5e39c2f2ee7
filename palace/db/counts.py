"""Counts of a user's drawers, passages and sentences, and of the passages that hold each word.

Every writer appends deltas, which are summed up when there are many: so no two writers update the same row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import func

from palace.db.database import UserSession
from palace.db.locks import Guarded, try_alone, wait_alone
from palace.db.tables import CountDelta, Drawer, PalaceUser, TermCount, TermDelta

_APPEND = sa.text(
    # With RETURNING: otherwise a Citus cluster runs it as a COPY, which row-level security refuses.
    "INSERT INTO count_delta (user_id, counted, amount) SELECT :user_id, counted, amount FROM"
    " unnest(CAST(:counted AS text[]), CAST(:amounts AS bigint[])) AS given (counted, amount) RETURNING counted"
)
FOLD_ABOVE = 200
FOLD_TERMS_ABOVE = 20
ANALYSED_FROM = 200
"""Drawers below which planner statistics are not refreshed: a bad plan costs nothing."""
ENGLISH, LANGUAGE = "en", "language:"


def add_counts(session: UserSession, *, drawers: int, passages: int, sentences: int = 0) -> None:
    """Append changes of counts; negative for deletions. ``passages`` do not include sentences."""
    _append(session, {"drawer": drawers, "passage": passages, "sentence": sentences})


def add_languages(session: UserSession, drawers: Mapping[str | None, int]) -> None:
    """Append changes of the number of drawers by language; negative for deletions. English is not counted."""
    others = {language: amount for language, amount in drawers.items() if language not in (None, ENGLISH)}
    _append(session, {f"{LANGUAGE}{language}": amount for language, amount in others.items()})


def _append(session: UserSession, amounts: Mapping[str, int]) -> None:
    changed = {counted: amount for counted, amount in amounts.items() if amount}
    if changed:
        session.execute(_APPEND, {"counted": list(changed), "amounts": list(changed.values())})


def uncount_languages(session: UserSession, drawer_ids: Sequence[int]) -> None:
    """Subtract drawers from the counts by language, before they are removed or their language changes."""
    query = _by_language(session).where(Drawer.id.in_(drawer_ids))
    add_languages(session, {language: -count for language, count in session.execute(query)})


def count_languages(session: UserSession) -> dict[str, int]:
    """Count the drawers by language from the rows themselves, as "language:de"; English is left out."""
    return {f"{LANGUAGE}{language}": count for language, count in session.execute(_by_language(session))}


def _by_language(session: UserSession) -> sa.Select[*tuple[Any, ...]]:
    query = session.select(Drawer.language, func.count()).where(Drawer.language != ENGLISH)
    return query.group_by(Drawer.language)


def get_languages(session: UserSession) -> dict[str, int]:
    """Return the number of drawers by language (ISO 639-1); drawers of unknown language count as English."""
    counts = get_counts(session)
    others = {name.removeprefix(LANGUAGE): n for name, n in counts.items() if name.startswith(LANGUAGE)}
    return others | {ENGLISH: max(counts["drawer"] - sum(others.values()), 0)}


def get_counts(session: UserSession) -> dict[str, int]:
    """Return all counts: "drawer", "passage", "sentence", and one like "language:de" for each language."""
    total = func.sum(CountDelta.amount)
    query = session.select(CountDelta.counted, total).group_by(CountDelta.counted)
    none = {"drawer": 0, "passage": 0, "sentence": 0}
    counts = {counted: int(amount) for counted, amount in session.execute(query)}
    # A sum of zero keeps its row.
    return none | {counted: amount for counted, amount in counts.items() if amount}


def count_vectors(session: UserSession) -> int:
    """Count passages and sentences, those of tools included."""
    counts = get_counts(session)
    return counts["passage"] + counts["sentence"]


def uncount_terms(session: UserSession, drawer_ids: Sequence[int]) -> None:
    """Subtract the words of drawers from the counts, before they are removed or filed again."""
    session.run("uncount_terms", {"drawer_ids": list(drawer_ids)})


def fold_counts(session: UserSession, *, only_many: bool = False) -> None:
    """Sum up many deltas of counts, and those of words (``only_many``: if many); skip if another transaction does."""
    if not try_alone(session, Guarded.COUNTS):
        return
    if session.count(CountDelta) > FOLD_ABOVE:
        session.run("fold_counts")
    if not only_many or session.count(TermDelta) > FOLD_TERMS_ABOVE:
        session.run("fold_terms")


def forget_terms(session: UserSession) -> None:
    """Sum up the words' deltas now, and delete words that no passage holds any more."""
    _wait_alone(session)
    session.run("fold_terms")
    session.delete(TermCount, TermCount.passage_count <= 0)


def recount(session: UserSession) -> None:
    """Recompute all counts from the rows, while others go on writing."""
    _wait_alone(session)
    session.run("recount")
    session.run("recount_terms")


def refresh_statistics(session: UserSession) -> None:
    """Refresh the planner's statistics if the user's drawers have doubled since the last time."""
    drawers = get_counts(session)["drawer"]
    known = session.execute(session.select(PalaceUser.analysed_drawers)).scalar_one_or_none()
    if known is None or drawers < max(ANALYSED_FROM, 2 * known):
        return
    session.execute(sa.text("SELECT refresh_statistics(:user_id)"))
    session.update(PalaceUser, analysed_drawers=drawers)


def _wait_alone(session: UserSession) -> None:
    # A statement of its own: the next one must see what is committed once the lock is held. Otherwise a fold that ended
    # in between would leave a row with deltas that are counted here already, and that is not deleted.
    wait_alone(session, Guarded.COUNTS)
