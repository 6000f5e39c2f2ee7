"""Recent messages: read to choose what matters of them, counted, and located in time."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from palace.db.database import UserSession
from palace.db.rows import any_text
from palace.db.tables import Drawer, Room, TermCount
from palace.models import QUESTION_SIGNS, Role, SaidDrawer, Scope, Stretch

_LAST_SAID = sa.text(
    # For undated drawers, the latest filed: the index has both times, so no drawer is read for it.
    """
    SELECT greatest(
        (SELECT max(d.said_at) FROM drawer AS d
         WHERE d.user_id = :user_id AND d.said_at <= :until AND (CAST(:wings AS bigint[]) IS NULL OR d.room_id IN (
             SELECT r.id FROM room AS r WHERE r.user_id = :user_id AND r.wing_id = ANY(CAST(:wings AS bigint[]))))
         AND (CAST(:readers AS text[]) IS NULL OR d.conversation_id NOT IN (SELECT c.id
             FROM conversation AS c WHERE c.user_id = :user_id AND c.reader = ANY(CAST(:readers AS text[]))))),
        (SELECT max(coalesce(r.started_at, d.filed_at)) FROM drawer AS d
         JOIN room AS r ON r.user_id = :user_id AND r.id = d.room_id
         WHERE d.user_id = :user_id AND d.said_at IS NULL AND coalesce(r.started_at, d.filed_at) <= :until
           AND (CAST(:wings AS bigint[]) IS NULL OR r.wing_id = ANY(CAST(:wings AS bigint[])))
           AND (CAST(:readers AS text[]) IS NULL OR d.conversation_id NOT IN (SELECT c.id
             FROM conversation AS c WHERE c.user_id = :user_id AND c.reader = ANY(CAST(:readers AS text[]))))))
    """
)


@dataclass(frozen=True, slots=True)
class RecentLimits:
    """Limits on how much is read."""

    scanned: int = 20_000
    """The most drawers examined, newest first."""
    most: int = 240
    """The most drawers read, in turns from each day and room."""
    most_ahead: int = 120
    """The most earlier drawers read that speak of a time ahead."""
    most_changes: int = 60
    """The most other earlier drawers read that state a change."""
    changes: int = 500
    """The most earlier drawers, newest first, searched for a statement of a change."""
    longest: int = 2000
    """The most characters read of each drawer."""


def recent_candidates(
    session: UserSession, stretch: Stretch, *, now: datetime, scope: Scope, changing: str, limits: RecentLimits
) -> list[SaidDrawer]:
    """List what was said in a stretch of time, ends included, and earlier drawers that speak of a time after ``now``.

    Earlier drawers that match ``changing``, a regular expression of Postgres for statements of a change, are listed as
    well. Newest first. Beyond ``limits``, days and rooms take turns. Tools, system messages and replaced drawers are
    left out.
    """
    parameters = {
        "since": stretch.start,
        "until": stretch.end,
        "now": now,
        **scope.places,
        "questions": f"[{QUESTION_SIGNS}]",
        "scanned": limits.scanned,
        "most": limits.most,
        "most_ahead": limits.most_ahead,
        "most_changes": limits.most_changes,
        "longest": limits.longest,
        "changes": limits.changes,
        "changing": changing,
    }
    rows = session.run("recent_drawers", parameters)
    return [
        SaidDrawer(drawer_id, room_id, wing, (conversation_id, position), Role(role), *rest)
        for drawer_id, room_id, wing, conversation_id, position, role, *rest in rows
    ]


def find_last_said(session: UserSession, *, until: datetime, scope: Scope) -> datetime | None:
    """Return when something was last said, not after ``until``; None where nothing was."""
    last: datetime | None = session.execute(_LAST_SAID, {"until": until, **scope.places}).scalar_one()
    return last


def count_holding(session: UserSession, words: Collection[str]) -> dict[str, int]:
    """Map lower-case words, as written, to the number of passages that hold them; words in none are left out.

    As of the last time that the counts were summed up.
    """
    query = session.select(TermCount.lexeme, TermCount.passage_count).where(TermCount.lexeme == any_text(words))
    return {row.lexeme: row.passage_count for row in session.execute(query)}


def find_said_extent(session: UserSession) -> tuple[datetime, datetime] | None:
    """Return when anything was said first and last, or None; undated drawers count by their rooms' beginnings."""
    dated = session.select(sa.func.min(Drawer.said_at), sa.func.max(Drawer.said_at))
    began = sa.func.coalesce(Room.started_at, Drawer.filed_at)
    # The first column decides whose rows of which table are selected.
    undated = session.select(sa.func.max(Drawer.said_at), sa.func.min(began), sa.func.max(began)).join(Room)
    undated = undated.where(Drawer.said_at.is_(None))
    ends = [moment for query in (dated, undated) for moment in session.execute(query).one() if moment is not None]
    return (min(ends), max(ends)) if ends else None


def count_said(session: UserSession, edges: Sequence[datetime], *, wing_id: int | None = None) -> Mapping[int, int]:
    """Count drawers between consecutive ``edges``, which are in order; map the index of the first edge to the count.

    Intervals without drawers are left out. Reads the index of everything in between.
    """
    # A timeline drawn beside other work must not take the other cores from it.
    with session.options(max_parallel_workers_per_gather=0):
        rows = session.run("said_counts", {"edges": list(edges), "wing_id": wing_id})
    return {slot - 1: drawers for slot, drawers in rows}
