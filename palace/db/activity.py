"""Events of activity. A run's event is written when the run begins and completed when it ends."""

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
from palace.models.lines import ActivityLine
from palace.models.place import WingPointer


def record_event(session: UserSession, kind: str, details: Mapping[str, Any], *, run_id: int | None = None) -> None:
    """Insert an event, as of now, and delete the oldest beyond the number that is kept.

    ``details`` must be valid as JSON in Postgres.
    """
    session.insert(insert(ActivityEvent), {"kind": kind, "run_id": run_id, "details": dict(details)})
    drop_oldest(session)


def drop_oldest(session: UserSession, *, most: int = MOST_EVENTS) -> None:
    """Delete all but the ``most`` latest events; those that another transaction is deleting are skipped."""
    session.run("oldest_events", {"most": most})


def record_restored(connection: sa.Connection) -> None:
    """Record for every user, as the schema's owner, that the palace was restored, and how many drawers are theirs."""
    held = select(func.count()).where(Drawer.user_id == PalaceUser.id).scalar_subquery()
    details = func.jsonb_build_object("outcome", "finished", "drawers", held)
    told = select(PalaceUser.id, sa.literal(RESTORED), details)
    made = sa.insert(ActivityEvent).from_select(["user_id", "kind", "details"], told)
    connection.execute(made.returning(ActivityEvent.id))


def begin_mined(session: UserSession, run_id: int) -> None:
    """Record that a run began, so that a run that is killed has an event as well."""
    record_event(session, MINED, UNFINISHED, run_id=run_id)


def end_mined(session: UserSession, run_id: int, details: Mapping[str, Any]) -> None:
    """Complete a run's event with what was filed and what failed, as of now."""
    session.update(
        ActivityEvent,
        ActivityEvent.run_id == run_id,
        ActivityEvent.kind == MINED,
        details=dict(details),
        happened_at=func.statement_timestamp(),
    )


def count_landed(session: UserSession, run_id: int) -> list[tuple[int, int]]:
    """Count the drawers of a run by the number of their wing, as (number, count) in order of number."""
    query = (
        session.select(func.count(Drawer.id), Wing.number)
        .join(Room)
        .join(Wing)
        .where(Drawer.run_id == run_id)
        .group_by(Wing.number)
        .order_by(Wing.number)
    )
    return [(number, count) for count, number in session.execute(query)]


def name_landed(session: UserSession, landed: Sequence[tuple[int, int]]) -> tuple[tuple[str, int], ...]:
    """Return the name and pointer of each wing that a run filed into, with the number of drawers."""
    query = session.select(Wing.number, Wing.name).where(Wing.number.in_([number for number, _ in landed]))
    names = {row.number: f"{row.name} ({WingPointer(row.number)})" for row in session.execute(query)}
    return tuple((names[number], count) for number, count in landed)


def list_activity(
    session: UserSession, *, limit: int, since: datetime | None = None, kinds: Sequence[str] | None = None
) -> tuple[Activity, ...]:
    """List the last events, latest first; only those of ``kinds``, if given."""
    query = session.select(
        ActivityEvent.id, ActivityEvent.kind, ActivityEvent.happened_at, ActivityEvent.run_id, ActivityEvent.details
    )
    if since is not None:
        query = query.where(ActivityEvent.happened_at >= since)
    if kinds is not None:
        query = query.where(ActivityEvent.kind.in_(kinds))
    query = query.order_by(ActivityEvent.happened_at.desc(), ActivityEvent.id.desc()).limit(limit)
    return tuple(Activity(*row) for row in session.execute(query))


def record_lost(session: UserSession, pointers: Sequence[str]) -> None:
    """Record drawers whose relations nothing supports any more, in one event until it is reported."""
    waiting = session.delete(ActivityEvent, *_untold(), returning=ActivityEvent.details)
    drawers = dict.fromkeys((*_drawers(waiting.scalars()), *pointers))
    record_event(session, RELATIONS_LOST, {"outcome": "finished", "drawers": list(drawers)})


def tell_lost(session: UserSession) -> list[str]:
    """Return the drawers recorded by ``record_lost`` and not reported yet, and mark them as reported."""
    details = ActivityEvent.details.concat({"told": True})
    told = session.update(ActivityEvent, *_untold(), details=details, returning=ActivityEvent.details)
    return _drawers(told.scalars())


def _untold() -> tuple[sa.ColumnElement[bool], ...]:
    return ActivityEvent.kind == RELATIONS_LOST, ~ActivityEvent.details.has_key("told")


def _drawers(events: Iterable[Any]) -> list[str]:
    return [str(each) for details in events for each in details.get("drawers", ())]


WINDOW = 500
"""The most events in memory at a time."""

_Key = tuple[datetime, str, int | None, str]


def iter_events(session: UserSession, places: Mapping[int, int]) -> Iterator[ActivityLine]:
    """Yield the events in chronological order, without those that concern this copy of the palace alone.

    ``places`` maps run ids to their indices in the export.
    """
    query = (
        session.select(ActivityEvent.kind, ActivityEvent.happened_at, ActivityEvent.run_id, ActivityEvent.details)
        .where(ActivityEvent.kind.not_in(OF_THIS_COPY))
        .order_by(ActivityEvent.happened_at, ActivityEvent.id)
    )
    for row in session.execute(query.execution_options(yield_per=WINDOW)):
        yield ActivityLine(row.kind, row.happened_at, None if row.run_id is None else places[row.run_id], row.details)


def file_events(session: UserSession, lines: Sequence[ActivityLine], *, runs: Mapping[int, int]) -> None:
    """Insert the events that do not exist yet; ``runs`` maps the file's run indices to ids."""
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
    query = session.select(
        ActivityEvent.happened_at, ActivityEvent.kind, ActivityEvent.run_id, ActivityEvent.details
    ).where(ActivityEvent.happened_at.in_({line.happened_at for line in lines}))
    return Counter(_key(*row) for row in session.execute(query))


def _key(happened_at: datetime, kind: str, run_id: int | None, details: Mapping[str, object]) -> _Key:
    return happened_at, kind, run_id, json.dumps(details, sort_keys=True)
