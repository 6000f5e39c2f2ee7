"""Mining runs: who filed what, and when."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import func
from sqlalchemy.dialects.postgresql import insert

from palace.db.activity import begin_mined
from palace.db.database import UserSession
from palace.db.hidden import sweep_hidden
from palace.db.tables import MiningRun, RunBasis
from palace.errors import DatabaseRefused


def start_run(session: UserSession, source: str) -> int:
    """Open a run, with the event that tells of it, and return its id; what was forgotten long enough ago is deleted."""
    sweep_hidden(session)
    made = session.insert(insert(MiningRun).returning(MiningRun.id), {"source": source})
    run_id = int(made.scalar_one())
    begin_mined(session, run_id)
    return run_id


def hold_run(session: UserSession, run_id: int) -> None:
    """Keep a run from being undone until the transaction ends; the first thing of one that files.

    Raises:
        DatabaseRefused: it was undone while it was mining.
    """
    query = session.select(MiningRun.undone_at).where(MiningRun.id == run_id)
    if session.execute(query.with_for_update(read=True)).scalar_one_or_none() is not None:
        raise DatabaseRefused(f"run {run_id} was undone while it was mining: nothing more of it is filed")


def record_basis(session: UserSession, run_id: int, basis: Iterable[int]) -> None:
    """Note which other runs a run relied on for turns that it left out."""
    session.add(RunBasis, [{"run_id": run_id, "basis_id": other} for other in basis if other != run_id])


def finish_run(session: UserSession, run_id: int, *, drawers: int) -> None:
    """Close a run."""
    session.update(MiningRun, MiningRun.id == run_id, finished_at=func.statement_timestamp(), drawer_count=drawers)


def find_last_mined(session: UserSession) -> datetime | None:
    """Find when the user last finished a run that filed something."""
    query = session.select(func.max(MiningRun.finished_at)).where(MiningRun.drawer_count > 0)
    found: datetime | None = session.execute(query).scalar_one()
    return found
