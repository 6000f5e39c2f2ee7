"""The start of an import, and its wings, conversations and rooms: found, or created under their old numbers."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from typing import Any

from sqlalchemy import Row, func, or_
from sqlalchemy.dialects.postgresql import insert

from palace.db.database import UserSession
from palace.db.filing.places import (
    find_rooms,
    find_wing,
    get_wing,
    make_wing,
    next_room_numbers,
    next_wing_number,
    raise_drawer_number,
    raise_room_number,
)
from palace.db.rows import batches, grouped, row_of
from palace.db.tables import (
    Drawer,
    MiningRun,
    PalaceUser,
    Room,
    RoomAlias,
    RunBasis,
    Tombstone,
    Wing,
    WingAlias,
)
from palace.models.intake import LARGEST_NUMBER
from palace.models.lines import AliasPart, HeaderLine, RoomLine, RunLine, WingLine


def renew_wing(session: UserSession, line: WingLine, *, makes: bool) -> int | None:
    """Find the wing of a line, or create it if it ``makes``; return its id.

    It is the one of the same number and creation time, whatever its name is now, else the one of the same name. Its
    aliases are added, its last room number is raised.
    """
    wing_id = _find_wing(session, line)
    if wing_id is None and makes:
        wing_id = _make_wing(session, line)
    if wing_id is not None:
        raise_room_number(session, wing_id, min(line.room_seq, LARGEST_NUMBER))
        _add_aliases(session, wing_id, line)
    return wing_id


def renew_rooms(
    session: UserSession,
    conversation_id: int,
    rooms: Sequence[RoomLine],
    wings: Mapping[int, WingLine],
    *,
    wanted: Collection[str],
) -> None:
    """Create the missing rooms of the wanted slices.

    Existing ones get their missing former numbers, and their last drawer number is raised.
    """
    known = find_rooms(session, conversation_id)
    there = [line for line in rooms if line.slice in known]
    for line in sorted(there, key=lambda line: known[line.slice]):
        raise_drawer_number(session, known[line.slice], min(line.drawer_seq, LARGEST_NUMBER))
        _add_former(session, known[line.slice], line)
    for line in rooms:
        if line.slice in wanted and line.slice not in known:
            room_id = _make_room(session, conversation_id, line, wings[line.wing])
            _add_former(session, room_id, line)


def find_same_wing(session: UserSession, line: WingLine) -> int | None:
    """Return the wing that a line describes, whatever its name is now; None without one."""
    same = session.select(Wing.id).where(Wing.number == line.number, Wing.created_at == line.created_at)
    return session.execute(same).scalar_one_or_none()


def is_made_of(session: UserSession, wing_id: int, line: WingLine) -> bool:
    """Check whether a wing was created for a line, if under another number."""
    mine = session.select(Wing.id).where(Wing.id == wing_id)
    return session.execute(mine.where(Wing.created_at == line.created_at)).scalar_one_or_none() is not None


def _find_wing(session: UserSession, line: WingLine) -> int | None:
    return find_same_wing(session, line) or find_wing(session, line.slug)


def _make_wing(session: UserSession, line: WingLine) -> int:
    lock_palace(session)
    taken = (
        session.select(Wing.id).where(Wing.number == line.number),
        session.select(WingAlias.slug).where(WingAlias.number == line.number),
    )
    number = line.number
    if number > LARGEST_NUMBER or session.has(*taken):
        number = next_wing_number(session)
    return make_wing(session, row_of(Wing, line, number=number, room_seq=min(line.room_seq, LARGEST_NUMBER)))


def _add_aliases(session: UserSession, wing_id: int, line: WingLine) -> None:
    for batch in batches(line.aliases):
        slugs, numbers = _taken_by_others(session, wing_id, batch)
        rows = [
            {
                "slug": alias.slug,
                "name": alias.name,
                "wing_id": wing_id,
                "number": None if alias.number in numbers or (alias.number or 0) > LARGEST_NUMBER else alias.number,
            }
            for alias in batch
            if alias.slug not in slugs
        ]
        session.add(WingAlias, rows)


def _taken_by_others(session: UserSession, wing_id: int, aliases: Sequence[AliasPart]) -> tuple[set[str], set[int]]:
    """Return those of some aliases' slugs and numbers that other wings have."""
    others = session.select(Wing.slug, Wing.number).where(Wing.id != wing_id)
    slugs, numbers = {alias.slug for alias in aliases}, {alias.number for alias in aliases} - {None}
    rows = session.execute(others.where(or_(Wing.slug.in_(slugs), Wing.number.in_(numbers)))).all()
    return {row.slug for row in rows}, {row.number for row in rows}


def _make_room(session: UserSession, conversation_id: int, line: RoomLine, wing: WingLine) -> int:
    wing_id = _find_wing(session, wing) or renew_wing(session, wing, makes=True)
    assert wing_id is not None
    former = (RoomAlias.wing_number == get_wing(session, wing_id).number, RoomAlias.room_number == line.number)
    taken = (
        session.select(Room.id).where(Room.wing_id == wing_id, Room.number == line.number),
        session.select(RoomAlias.room_id).where(*former),
    )
    number = line.number
    if number > LARGEST_NUMBER or session.has(*taken):
        number = next_room_numbers(session, wing_id)[0]
    place = {"wing_id": wing_id, "conversation_id": conversation_id, "number": number}
    session.add(Room, [row_of(Room, line, drawer_seq=min(line.drawer_seq, LARGEST_NUMBER), **place)])
    return find_rooms(session, conversation_id)[line.slice]


def _add_former(session: UserSession, room_id: int, line: RoomLine) -> None:
    wings = {former.wing for former in line.former}
    # In copies that diverged, another room may be there by now.
    standing = session.select(Wing.number, Room.number).join(Room).where(Wing.number.in_(wings))
    taken = {tuple(row) for row in session.execute(standing)} if wings else set()
    rows = [
        {"wing_number": former.wing, "room_number": former.room, "room_id": room_id}
        for former in line.former
        if max(former) <= LARGEST_NUMBER and former not in taken
    ]
    session.add(RoomAlias, rows)


class Standing(StrEnum):
    """How the user's palace relates to that of a file."""

    EMPTY = "empty"
    """It is empty, and becomes that palace."""
    SAME = "same"
    OTHER = "other"


def find_standing(session: UserSession, header: HeaderLine) -> Standing:
    """Compare the user's palace with that of a header."""
    if _is_empty(session):
        return Standing.EMPTY
    query = session.select(PalaceUser.palace_key)
    return Standing.SAME if session.execute(query).scalar_one() == header.palace else Standing.OTHER


def lock_palace(session: UserSession) -> None:
    """Lock out other imports, and transactions that number a wing, until this transaction ends."""
    query = session.select(PalaceUser.id)
    session.execute(query.with_for_update(key_share=True)).one()


def take_over(session: UserSession, header: HeaderLine) -> None:
    """Make this the palace of the header, and skip the wing numbers drawn there.

    If those leave no room to go on, the largest number that does is used.
    """
    wing_seq = min(header.wing_seq, LARGEST_NUMBER)
    session.update(PalaceUser, palace_key=header.palace, wing_seq=func.greatest(PalaceUser.wing_seq, wing_seq))


def file_runs(session: UserSession, runs: Sequence[RunLine]) -> list[int]:
    """Find or create the runs; return their ids in the same order.

    A run is recognised by its start and source. One that was undone here does not match one that was not: the drawers
    that come back with the file can be undone again. Equal runs match one each at first; beyond those, one may match
    twice, so that copies that import each other's runs repeatedly do not grow.
    """
    ids: list[int] = []
    for batch in batches(runs):
        ids += _file_batch(session, batch, taken=set(ids))
    pairs = [(ids[index], ids[basis - 1]) for index, run in enumerate(runs) for basis in run.basis]
    session.add(RunBasis, [{"run_id": run, "basis_id": basis} for run, basis in pairs])
    return ids


def _is_empty(session: UserSession) -> bool:
    something = [session.select(table.user_id) for table in (Drawer, Wing, Tombstone)]
    return not session.has(*something, session.select(MiningRun.user_id).where(MiningRun.drawer_count > 0))


def _file_batch(session: UserSession, runs: Sequence[RunLine], *, taken: set[int]) -> list[int]:
    known = _list_known_runs(session, runs)
    found = [_find_run(known, run, taken) for run in runs]
    missing = [run for run, run_id in zip(runs, found, strict=True) if run_id is None]
    made = iter(_insert_runs(session, missing))
    return [next(made) if run_id is None else run_id for run_id in found]


def _list_known_runs(session: UserSession, runs: Sequence[RunLine]) -> Mapping[Any, list[Row[*tuple[Any, ...]]]]:
    query = session.select(MiningRun.id, MiningRun.started_at, MiningRun.source, MiningRun.undone_at).where(
        MiningRun.started_at.in_({run.started_at for run in runs})
    )
    return grouped(((row.started_at, row.source), row) for row in session.execute(query.order_by(MiningRun.id)))


def _find_run(known: Mapping[Any, list[Row[*tuple[Any, ...]]]], run: RunLine, taken: set[int]) -> int | None:
    alike = known.get((run.started_at, run.source), ())
    same = (row for row in alike if row.id not in taken and (run.undone_at is None) == (row.undone_at is None))
    found = next(same, None)
    if found is not None:
        taken.add(found.id)
        return int(found.id)
    may_stand_in = (row for row in alike if run.undone_at is not None or row.undone_at is None)
    return next((int(row.id) for row in may_stand_in), None)


def _insert_runs(session: UserSession, runs: Sequence[RunLine]) -> list[int]:
    if not runs:
        return []
    made = session.insert(insert(MiningRun).returning(MiningRun.id), [row_of(MiningRun, run) for run in runs])
    # Ids are assigned in the order of the rows; the order of the result is not guaranteed.
    return sorted(made.scalars())
