"""Events of activity. That of a run is there from the run's beginning and says at its end what landed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert

from palace.db.database import UserSession
from palace.db.rows import batches
from palace.db.tables import ActivityEvent, Drawer, PalaceUser, Room, Wing
from palace.models.activity import MINED, MOST_EVENTS, OF_THIS_COPY, RELATIONS_LOST, RESTORED, UNFINISHED, Activity
from palace.models.json_values import shallow_object
from palace.models.lines import ActivityLine


def record_event(session: UserSession, kind: str, details: Mapping[str, Any], *, run_id: int | None = None) -> None:
    """Write one event, as of now, and drop the oldest beyond those that are kept.

    ``details`` are what JSON in Postgres can hold.
    """
    session.insert(insert(ActivityEvent), {"kind": kind, "run_id": run_id, "details": dict(details)})
    drop_oldest(session)


def drop_oldest(session: UserSession, *, most: int = MOST_EVENTS) -> None:
    """Drop the events behind the ``most`` latest; those that another transaction drops are left to it."""
    session.run("oldest_events", {"most": most})


def record_restored(connection: sa.Connection) -> None:
    """Write for every user, as the schema's owner, that the palace was filled from a backup, and how much is theirs."""
    held = select(func.count()).where(Drawer.user_id == PalaceUser.id).scalar_subquery()
    details = func.jsonb_build_object("outcome", "finished", "drawers", held)
    told = select(PalaceUser.id, sa.literal(RESTORED), details)
    made = sa.insert(ActivityEvent).from_select(["user_id", "kind", "details"], told)
    connection.execute(made.returning(ActivityEvent.id))


def begin_mined(session: UserSession, run_id: int) -> None:
    """Note that a run began, so that one that is killed has its event as well."""
    record_event(session, MINED, UNFINISHED, run_id=run_id)


def end_mined(session: UserSession, run_id: int, details: Mapping[str, Any]) -> None:
    """Say in a run's event what landed and what failed, and that it ended now."""
    session.update(
        ActivityEvent,
        ActivityEvent.run_id == run_id,
        ActivityEvent.kind == MINED,
        details=dict(details),
        happened_at=func.statement_timestamp(),
    )


def count_landed(session: UserSession, run_id: int) -> list[tuple[int, int]]:
    """Count the drawers of a run by the number of the wing they stand in, in order of number."""
    query = (
        session.select(func.count(Drawer.id), Wing.number)
        .join(Room)
        .join(Wing)
        .where(Drawer.run_id == run_id)
        .group_by(Wing.number)
        .order_by(Wing.number)
    )
    return [(number, count) for count, number in session.execute(query)]


def list_activity(
    session: UserSession, *, limit: int, since: datetime | None = None, kinds: Sequence[str] | None = None
) -> tuple[Activity, ...]:
    """List the last events, the latest first; those of some ``kinds``, where they are given."""
    query = session.select(
        ActivityEvent.id, ActivityEvent.kind, ActivityEvent.happened_at, ActivityEvent.run_id, ActivityEvent.details
    )
    if since is not None:
        query = query.where(ActivityEvent.happened_at >= since)
    if kinds is not None:
        query = query.where(ActivityEvent.kind.in_(kinds))
    query = query.order_by(ActivityEvent.happened_at.desc(), ActivityEvent.id.desc()).limit(limit)
    found = session.execute(query)
    # What a file brought in once may be nested without end, which no program could write.
    return tuple(Activity(row[0], row[1], row[2], row[3], shallow_object(row[4])) for row in found)


def record_lost(session: UserSession, pointers: Sequence[str]) -> None:
    """Write which drawers relations were read from that nothing says any more; until somebody is told, in one event."""
    waiting = session.delete(ActivityEvent, *_untold(), returning=ActivityEvent.details)
    drawers = dict.fromkeys((*_drawers(waiting.scalars()), *pointers))
    record_event(session, RELATIONS_LOST, {"outcome": "finished", "drawers": list(drawers)})


def tell_lost(session: UserSession) -> list[str]:
    """List the drawers that ``record_lost`` wrote down and nobody was told of yet, and note that somebody is now."""
    details = ActivityEvent.details.concat({"told": True})
    told = session.update(ActivityEvent, *_untold(), details=details, returning=ActivityEvent.details)
    return _drawers(told.scalars())


def _untold() -> tuple[sa.ColumnElement[bool], ...]:
    return ActivityEvent.kind == RELATIONS_LOST, ~ActivityEvent.details.has_key("told")


def _drawers(events: Iterable[Any]) -> list[str]:
    return [str(each) for details in events for each in shallow_object(details).get("drawers", ())]


WINDOW = 500
"""Events that are in memory at a time."""

_Key = tuple[datetime, str, int | None, str]


def iter_events(session: UserSession, places: Mapping[int, int]) -> Iterator[ActivityLine]:
    """Give the events in the order they happened, without those of this copy of the palace alone.

    ``places`` are those of the runs, by id.
    """
    query = (
        session.select(ActivityEvent.kind, ActivityEvent.happened_at, ActivityEvent.run_id, ActivityEvent.details)
        .where(ActivityEvent.kind.not_in(OF_THIS_COPY))
        .order_by(ActivityEvent.happened_at, ActivityEvent.id)
    )
    for row in session.execute(query.execution_options(yield_per=WINDOW)):
        yield ActivityLine(row.kind, row.happened_at, None if row.run_id is None else places[row.run_id], row.details)


def file_events(session: UserSession, lines: Sequence[ActivityLine], *, runs: Mapping[int, int]) -> None:
    """Write the events that are not there yet; ``runs`` are the ids of the file's runs by their places."""
    known: Counter[_Key] = Counter()
    for batch in batches(lines):
        known |= _known_events(session, batch)
    for batch in batches(lines):
        rows = []
        for line in batch:
            run_id = None if line.run is None else runs[line.run]
            key = _key(line.happened_at, line.kind, run_id, line.details)
            if known[key]:
                known[key] -= 1
            else:
                rows.append(
                    {"kind": line.kind, "happened_at": line.happened_at, "run_id": run_id, "details": line.details}
                )
        if rows:
            session.insert(insert(ActivityEvent), rows)


def _known_events(session: UserSession, lines: Sequence[ActivityLine]) -> Counter[_Key]:
    """Count the events there are at the times of some lines."""
    query = session.select(
        ActivityEvent.happened_at, ActivityEvent.kind, ActivityEvent.run_id, ActivityEvent.details
    ).where(ActivityEvent.happened_at.in_({line.happened_at for line in lines}))
    return Counter(_key(*row) for row in session.execute(query))


def _key(happened_at: datetime, kind: str, run_id: int | None, details: Mapping[str, object]) -> _Key:
    # As an export would write them: what is left out there does not make it another event.
    return happened_at, kind, run_id, json.dumps(shallow_object(details), sort_keys=True)
