"""How an import begins: whether it may, which palace this becomes, and the runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from sqlalchemy import Row, exists, func, select, update
from sqlalchemy.dialects.postgresql import insert

from palace.files.lines import HeaderLine, RunLine
from palace.intake.limits import LARGEST_NUMBER
from palace.store.database import UserSession
from palace.store.filing.drawers import batches
from palace.tables import Drawer, MiningRun, PalaceUser, RunBasis, Tombstone, Wing


class Standing(StrEnum):
    """What a palace is to the one that a file is of."""

    EMPTY = "empty"
    """Nothing is in it yet: it becomes that one."""
    SAME = "same"
    OTHER = "other"


def find_standing(session: UserSession, header: HeaderLine) -> Standing:
    """Tell what the user's palace is to the one that the header is of."""
    if _is_empty(session):
        return Standing.EMPTY
    query = select(PalaceUser.palace_key).where(PalaceUser.id == session.user_id)
    return Standing.SAME if session.execute(query).scalar_one() == header.palace else Standing.OTHER


def lock_palace(session: UserSession) -> None:
    """Keep other imports, and whoever numbers a wing, out until the transaction ends."""
    query = select(PalaceUser.id).where(PalaceUser.id == session.user_id)
    session.execute(query.with_for_update(key_share=True)).one()


def take_over(session: UserSession, header: HeaderLine) -> None:
    """Make this the palace of the header; wing numbers it gave out are not given out again.

    Of those that leave no room to count on, the last that does is taken over.
    """
    wing_seq = min(header.wing_seq, LARGEST_NUMBER)
    session.execute(
        update(PalaceUser)
        .where(PalaceUser.id == session.user_id)
        .values(palace_key=header.palace, wing_seq=func.greatest(PalaceUser.wing_seq, wing_seq))
    )


def file_runs(session: UserSession, runs: Sequence[RunLine]) -> list[int]:
    """Find or make the runs and give their ids in the same order.

    A run is known by when it began and its source. One that was undone here is not taken for one that was not:
    the drawers that come back with the file can be undone again. Of several that are alike, each is taken once; after
    that, one twice, so that copies which take each other's runs again and again stay as they are.
    """
    ids: list[int] = []
    for batch in batches(runs):
        ids += _file_batch(session, batch, taken=set(ids))
    pairs = [(ids[place], ids[basis - 1]) for place, run in enumerate(runs) for basis in run.basis]
    for relied in batches(pairs):
        rows = [{"run_id": run, "basis_id": basis} for run, basis in relied]
        session.insert(insert(RunBasis).on_conflict_do_nothing(), rows)
    return ids


def _is_empty(session: UserSession) -> bool:
    something = [select(table.user_id).where(table.user_id == session.user_id) for table in (Drawer, Wing, Tombstone)]
    something.append(select(MiningRun.user_id).where(MiningRun.user_id == session.user_id, MiningRun.drawer_count > 0))
    return not any(session.execute(select(exists(query))).scalar_one() for query in something)


def _file_batch(session: UserSession, runs: Sequence[RunLine], *, taken: set[int]) -> list[int]:
    known = _list_known(session, runs)
    found = [_find(known, run, taken) for run in runs]
    missing = [run for run, run_id in zip(runs, found, strict=True) if run_id is None]
    made = iter(_insert(session, missing))
    return [next(made) if run_id is None else run_id for run_id in found]


def _list_known(session: UserSession, runs: Sequence[RunLine]) -> Mapping[Any, list[Row[*tuple[Any, ...]]]]:
    query = select(MiningRun.id, MiningRun.started_at, MiningRun.source, MiningRun.undone_at).where(
        MiningRun.user_id == session.user_id, MiningRun.started_at.in_({run.started_at for run in runs})
    )
    known: dict[Any, list[Row[*tuple[Any, ...]]]] = {}
    for row in session.execute(query.order_by(MiningRun.id)):
        known.setdefault((row.started_at, row.source), []).append(row)
    return known


def _find(known: Mapping[Any, list[Row[*tuple[Any, ...]]]], run: RunLine, taken: set[int]) -> int | None:
    alike = known.get((run.started_at, run.source), ())
    same = (row for row in alike if row.id not in taken and (run.undone_at is None) == (row.undone_at is None))
    found = next(same, None)
    if found is not None:
        taken.add(found.id)
        return int(found.id)
    may_stand_in = (row for row in alike if run.undone_at is not None or row.undone_at is None)
    return next((int(row.id) for row in may_stand_in), None)


def _insert(session: UserSession, runs: Sequence[RunLine]) -> list[int]:
    if not runs:
        return []
    rows = [
        {
            "source": run.source,
            "started_at": run.started_at,
            "finished_at": run.finished_at,
            "drawer_count": run.drawer_count,
            "undone_at": run.undone_at,
        }
        for run in runs
    ]
    made = session.insert(insert(MiningRun).returning(MiningRun.id), rows)
    # Ids are given in the order of the rows; the order in which they come back is not promised.
    return sorted(made.scalars())
