"""How many drawers were said when, by stretches of time that a caller cuts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ARRAY, DateTime, bindparam, func, select

from palace.store.database import UserSession
from palace.tables import Drawer

_MOMENTS = ARRAY(DateTime(timezone=True))


def find_times_said(session: UserSession) -> tuple[datetime, datetime] | None:
    """Find the first and the last moment at which anything was said; None where nothing has a time."""
    said = Drawer.said_at
    first, last = session.execute(
        select(func.min(said), func.max(said)).where(Drawer.user_id == session.user_id, said.is_not(None))
    ).one()
    return None if first is None else (first, last)


def count_said(session: UserSession, begins: Sequence[datetime]) -> dict[int, int]:
    """Count the drawers said in each stretch, by its place; what was said before the first is left out.

    ``begins`` are in order; a stretch goes up to the beginning of the next, the last one on for ever. Stretches in
    which nothing was said are left out. It reads the index of times, not the drawers.
    """
    stretch = func.width_bucket(Drawer.said_at, bindparam("begins", list(begins), type_=_MOMENTS))
    query = select(stretch, func.count()).where(Drawer.user_id == session.user_id, Drawer.said_at >= begins[0])
    return {int(place) - 1: int(drawers) for place, drawers in session.execute(query.group_by(stretch))}
