"""Mining runs: who filed what, and when."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import func, insert, select, update

from palace.store.database import UserSession
from palace.tables import MiningRun


def start_run(session: UserSession, source: str) -> int:
    """Open a run and return its id."""
    row = insert(MiningRun).values(user_id=session.user_id, source=source).returning(MiningRun.id)
    return int(session.execute(row).scalar_one())


def finish_run(session: UserSession, run_id: int, *, drawers: int) -> None:
    """Close a run."""
    session.execute(
        update(MiningRun)
        .where(MiningRun.user_id == session.user_id, MiningRun.id == run_id)
        .values(finished_at=func.now(), drawer_count=drawers)
    )


def find_last_mined(session: UserSession) -> datetime | None:
    """Find when the user last finished a run that filed something."""
    query = select(func.max(MiningRun.finished_at)).where(
        MiningRun.user_id == session.user_id, MiningRun.drawer_count > 0
    )
    found: datetime | None = session.execute(query).scalar_one()
    return found
