"""The runs of mining, and undoing them."""

from __future__ import annotations

from dataclasses import asdict

from palace.db.changes.removal import Removed, count_removal, drawers_of_runs
from palace.db.changes.runs import find_dependents, find_runs, list_runs, lock_runs, remove_runs
from palace.db.database import UserSession
from palace.db.filing.versions import count_taken_back
from palace.errors import BadRequest, NotFound
from palace.graph.update import GraphFollower
from palace.models import LARGEST_NUMBER, Run, RunState, UndoSummary, intake
from palace.models.activity import UNDONE
from palace.opened import Verbs
from palace.operations.activity import record
from palace.operations.forget import remove_and_redraw
from palace.telemetry import memory


class RunVerbs(Verbs):
    """The runs of mining: list them, and undo them."""

    def list(self, *, limit: int = 20) -> tuple[Run, ...]:
        """List the latest runs that filed anything, the latest first."""
        most = intake.row_count("limit", limit)
        return self._opened.run(lambda session: list_runs(session, limit=most))

    def undo(self, run_id: int | None, *, cascade: bool = False, dry_run: bool = False) -> UndoSummary:
        """Undo a run: delete what it filed, and forget again what it restored. Mining again files it again.

        Drawers that it had marked as replaced or deleted from their source are current again; ``marks`` counts them.
        ``cascade`` also undoes the runs that built on it: those that filed in the same conversation later, or left
        turns out because it had filed them elsewhere. ``dry_run`` only counts.

        Raises:
            NotFound: there is no such run; BadRequest: it is undone already, a later run, which is named, built on it,
                or ``run_id`` is None because a call filed nothing.
        """
        if run_id is None:
            raise BadRequest("nothing was filed, so there is nothing to undo")
        if not 1 <= intake.integer("run", run_id) <= LARGEST_NUMBER:
            raise NotFound(f"there is no run {run_id}; `palace runs` lists them")
        if dry_run:
            return self._opened.database.run(lambda session: _rehearse(session, run_id, cascade))
        chosen: list[int] = []

        def undo(session: UserSession) -> Removed:
            chosen[:] = _choose(session, run_id, cascade=cascade)
            removed = remove_runs(session, chosen, GraphFollower(self._opened.owner))
            details = asdict(removed.removal)
            record(session, UNDONE, run_id=run_id, runs=len(chosen), **details, marks=removed.marks)
            return removed

        with memory("delete_memory", "undo") as observed:
            removed = remove_and_redraw(self._opened, undo)
            observed.count(removed.removal.drawers)
        return self._opened.run(lambda session: UndoSummary(find_runs(session, chosen), removed.removal, removed.marks))


def _rehearse(session: UserSession, run_id: int, cascade: bool) -> UndoSummary:
    chosen = _choose(session, run_id, cascade=cascade)
    removal = count_removal(session, drawers_of_runs(session, chosen))
    return UndoSummary(find_runs(session, chosen), removal, count_taken_back(session, chosen), dry_run=True)


def _choose(session: UserSession, run_id: int, *, cascade: bool) -> list[int]:
    """Lock the runs to undo and return their ids; repeats while other runs build on them before the lock."""
    chosen = [run_id]
    while True:
        lock_runs(session, chosen)
        _check(session, run_id)
        built = sorted(find_dependents(session, chosen))
        if not built:
            return chosen
        if not cascade:
            names = " and ".join(f"run {run.id} ({run.source})" for run in find_runs(session, built))
            raise BadRequest(f"{names} built on run {run_id}: undo that first, or both with --cascade")
        chosen = sorted({*chosen, *built})


def _check(session: UserSession, run_id: int) -> None:
    found = find_runs(session, [run_id])
    if not found:
        raise NotFound(f"there is no run {run_id}; `palace runs` lists them")
    if found[0].state is RunState.UNDONE:
        raise BadRequest(f"run {run_id} is undone already")
