"""What was said of late, as far as it is read to choose what matters of it."""

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
    # Of those without a date, the latest that was filed: the index has both moments, so no drawer is read for it.
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
    """How much is read."""

    scanned: int = 20_000
    """Drawers that are looked at, the newest first."""
    most: int = 240
    """Drawers that are read, in turns from each day and room."""
    most_ahead: int = 120
    """Drawers from before, which speak of a time ahead or of what changed, that are read."""
    changes: int = 500
    """Drawers from before, the newest, of which it is asked whether they speak of what changed."""
    longest: int = 2000
    """Characters that are read of each."""


def recent_candidates(
    session: UserSession, stretch: Stretch, *, now: datetime, scope: Scope, changing: str, limits: RecentLimits
) -> list[SaidDrawer]:
    """List what was said in a stretch, both its ends included, and what before it speaks of a time behind ``now``.

    Beside that is what before it says that something changed: what has ``changing``, a pattern of Postgres. Newest
    first. Of more than ``limits`` say, every day and room has its turn. What tools and systems say, and old versions,
    are left out.
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
    """Find when something was said last, not after a moment; None where nothing was."""
    last: datetime | None = session.execute(_LAST_SAID, {"until": until, **scope.places}).scalar_one()
    return last


def count_holding(session: UserSession, words: Collection[str]) -> dict[str, int]:
    """Map words, as written and in lower case, to how many passages hold them; those that none holds are left out.

    As of the last fold of the counts.
    """
    query = session.select(TermCount.lexeme, TermCount.passage_count).where(TermCount.lexeme == any_text(words))
    return {row.lexeme: row.passage_count for row in session.execute(query)}


def find_said_extent(session: UserSession) -> tuple[datetime, datetime] | None:
    """Find the first and the last moment at which anything was said; an undated drawer's is when its room began."""
    dated = session.select(sa.func.min(Drawer.said_at), sa.func.max(Drawer.said_at))
    began = sa.func.coalesce(Room.started_at, Drawer.filed_at)
    # The first column tells which table is held to the user.
    undated = session.select(sa.func.max(Drawer.said_at), sa.func.min(began), sa.func.max(began)).join(Room)
    undated = undated.where(Drawer.said_at.is_(None))
    ends = [moment for query in (dated, undated) for moment in session.execute(query).one() if moment is not None]
    return (min(ends), max(ends)) if ends else None


def count_said(session: UserSession, edges: Sequence[datetime], *, wing_id: int | None = None) -> Mapping[int, int]:
    """Count what was said from each of some moments, which are in order, until the next: by the place of the first.

    Places at which nothing was said are left out. It takes as long as reading the index of what lies between.
    """
    session.execute(_ALONE)
    rows = session.run("said_counts", {"edges": list(edges), "wing_id": wing_id})
    return {slot - 1: drawers for slot, drawers in rows}


_ALONE = sa.text(
    # A strip that is drawn beside other work does not take the other cores from it.
    "SET LOCAL max_parallel_workers_per_gather = 0"
)
