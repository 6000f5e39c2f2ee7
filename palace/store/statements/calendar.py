"""When things were said: from when to when, and how much between some moments. Read from an index, no drawer is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

import sqlalchemy as sa

from palace.store.database import UserSession
from palace.tables import Drawer, Room


def find_said_extent(session: UserSession) -> tuple[datetime, datetime] | None:
    """Find the first and the last moment at which anything was said; an undated drawer's is when its room began."""
    dated = sa.select(sa.func.min(Drawer.said_at), sa.func.max(Drawer.said_at)).where(Drawer.user_id == session.user_id)
    began = sa.func.coalesce(Room.started_at, Drawer.filed_at)
    undated = (
        sa.select(sa.func.min(began), sa.func.max(began))
        .select_from(Drawer)
        .join(Room, sa.and_(Room.user_id == Drawer.user_id, Room.id == Drawer.room_id))
        .where(Drawer.user_id == session.user_id, Drawer.said_at.is_(None))
    )
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
