"""Mining runs: started, finished, listed and undone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Row, Select, func, text
from sqlalchemy.dialects.postgresql import insert

from palace.db.activity import begin_mined
from palace.db.changes.removal import Follower, Removed, drawers_of_runs, remove
from palace.db.database import UserSession
from palace.db.filing.places import list_dated, undate_rooms
from palace.db.filing.versions import take_back
from palace.db.hidden import sweep_hidden
from palace.db.rows import columns_of, record_of
from palace.db.tables import Drawer, MiningRun, RunBasis, Tombstone
from palace.errors import DatabaseRefused
from palace.models import Run, RunState

_HOLD = text("SELECT r.undone_at FROM mining_run AS r WHERE r.user_id = :user_id AND r.id = :run_id FOR SHARE")


def list_runs(session: UserSession, *, limit: int) -> tuple[Run, ...]:
    """List the user's last runs, latest first, without those that changed nothing."""
    filed = session.select(Drawer.id).where(Drawer.run_id == MiningRun.id).exists()
    replaced = session.select(Drawer.id).where(Drawer.replaced_run_id == MiningRun.id)
    query = _runs(session).where((MiningRun.drawer_count > 0) | filed | replaced.exists())
    query = query.order_by(MiningRun.started_at.desc(), MiningRun.id.desc()).limit(limit)
    return tuple(_record(row) for row in session.execute(query))


def find_runs(session: UserSession, run_ids: Sequence[int]) -> tuple[Run, ...]:
    """Return runs by id, in the order they began; ids that are not the user's are left out."""
    query = _runs(session).where(MiningRun.id.in_(run_ids)).order_by(MiningRun.started_at, MiningRun.id)
    return tuple(_record(row) for row in session.execute(query))


def lock_runs(session: UserSession, run_ids: Sequence[int]) -> None:
    """Lock runs, so that they file nothing until the transaction ends."""
    query = session.select(MiningRun.id).where(MiningRun.id.in_(run_ids))
    session.execute(query.order_by(MiningRun.id).with_for_update()).all()


def find_dependents(session: UserSession, run_ids: Sequence[int]) -> set[int]:
    """Return the ids of other runs that directly depend on these.

    A run depends on another if it filed in a conversation after that one had filed there, or skipped turns because that
    one had filed them elsewhere.
    """
    parameters = {"run_ids": list(run_ids)}
    return set(session.run("run_dependents", parameters).scalars())


def remove_runs(session: UserSession, run_ids: Sequence[int], follower: Follower) -> Removed:
    """Remove what runs filed, without tombstones; what they restored is forgotten again, what they replaced stands."""
    dated = list_dated(session, run_ids)
    removed = remove(session, drawers_of_runs(session, run_ids), follower, bury=False)
    marks = take_back(session, run_ids)
    undate_rooms(session, dated)
    session.update(Tombstone, Tombstone.restored_by.in_(run_ids), restored_by=None)
    session.update(MiningRun, MiningRun.id.in_(run_ids), undone_at=func.statement_timestamp())
    return replace(removed, marks=marks)


def _runs(session: UserSession) -> Select[*tuple[Any, ...]]:
    kept = (
        session.select(func.count(Drawer.id))
        .where(Drawer.run_id == MiningRun.id)
        .scalar_subquery()
        .label("drawers_kept")
    )
    return session.select(*columns_of(MiningRun, Run), MiningRun.drawer_count.label("drawers_filed"), kept)


def _record(row: Row[*tuple[Any, ...]]) -> Run:
    state = RunState.UNDONE if row.undone_at else RunState.FINISHED if row.finished_at else RunState.UNFINISHED
    return record_of(Run, row, state=state)


def start_run(session: UserSession, source: str) -> int:
    """Start a run with its event and return its id; first delete what was forgotten long enough ago."""
    sweep_hidden(session)
    made = session.insert(insert(MiningRun).returning(MiningRun.id), {"source": source})
    run_id = int(made.scalar_one())
    begin_mined(session, run_id)
    return run_id


def hold_run(session: UserSession, run_id: int) -> None:
    """Lock a run against being undone until the transaction ends; first step of a transaction that files.

    Raises:
        DatabaseRefused: it was undone while it was mining.
    """
    if session.execute(_HOLD, {"run_id": run_id}).scalar_one_or_none() is not None:
        raise DatabaseRefused(f"run {run_id} was undone while it was mining: nothing more of it is filed")


def record_basis(session: UserSession, run_id: int, basis: Iterable[int]) -> None:
    """Record the other runs because of whose drawers this run skipped turns."""
    session.add(RunBasis, [{"run_id": run_id, "basis_id": other} for other in basis if other != run_id])


def finish_run(session: UserSession, run_id: int, *, drawers: int) -> None:
    """Mark a run as finished, with the number of drawers it filed."""
    session.update(MiningRun, MiningRun.id == run_id, finished_at=func.statement_timestamp(), drawer_count=drawers)


def find_last_mined(session: UserSession) -> datetime | None:
    """Return when the user last finished a run that filed something; None if there is none."""
    query = session.select(func.max(MiningRun.finished_at)).where(MiningRun.drawer_count > 0)
    found: datetime | None = session.execute(query).scalar_one()
    return found
