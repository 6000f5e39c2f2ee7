"""Events of activity, read for an export and written for an import."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from palace.files.lines import ActivityLine
from palace.files.nesting import shallow_object
from palace.records.activity import OF_THIS_COPY
from palace.store.database import UserSession
from palace.store.filing.drawers import batches
from palace.tables import ActivityEvent

WINDOW = 500
"""Events that are in memory at a time."""

_Key = tuple[datetime, str, int | None, str]


def iter_events(session: UserSession, places: Mapping[int, int]) -> Iterator[ActivityLine]:
    """Give the events in the order they happened, without those of this copy of the palace alone.

    ``places`` are those of the runs, by id.
    """
    query = (
        select(ActivityEvent.kind, ActivityEvent.happened_at, ActivityEvent.run_id, ActivityEvent.details)
        .where(ActivityEvent.user_id == session.user_id, ActivityEvent.kind.not_in(OF_THIS_COPY))
        .order_by(ActivityEvent.happened_at, ActivityEvent.id)
    )
    for row in session.execute(query.execution_options(yield_per=WINDOW)):
        yield ActivityLine(row.kind, row.happened_at, None if row.run_id is None else places[row.run_id], row.details)


def file_events(session: UserSession, lines: Sequence[ActivityLine], *, runs: Sequence[int]) -> None:
    """Write the events that are not there yet; ``runs`` are the ids of the file's runs in its order."""
    known: Counter[_Key] = Counter()
    for batch in batches(lines):
        known |= _known(session, batch)
    for batch in batches(lines):
        rows = []
        for line in batch:
            run_id = None if line.run is None else runs[line.run - 1]
            key = _key(line.happened_at, line.kind, run_id, line.details)
            if known[key]:
                known[key] -= 1
            else:
                rows.append(
                    {"kind": line.kind, "happened_at": line.happened_at, "run_id": run_id, "details": line.details}
                )
        if rows:
            session.insert(insert(ActivityEvent), rows)


def _known(session: UserSession, lines: Sequence[ActivityLine]) -> Counter[_Key]:
    """Count the events there are at the times of some lines."""
    query = select(ActivityEvent.happened_at, ActivityEvent.kind, ActivityEvent.run_id, ActivityEvent.details).where(
        ActivityEvent.user_id == session.user_id, ActivityEvent.happened_at.in_({line.happened_at for line in lines})
    )
    return Counter(_key(*row) for row in session.execute(query))


def _key(happened_at: datetime, kind: str, run_id: int | None, details: Mapping[str, object]) -> _Key:
    # As an export would write them: what is left out there does not make it another event.
    return happened_at, kind, run_id, json.dumps(shallow_object(details), sort_keys=True)
