"""The activity log: list events, and record each in the transaction that it is about."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import Any

from palace.cancellation import unstopped
from palace.db.activity import list_activity, record_event
from palace.db.database import UserSession
from palace.errors import BadRequest, Cancelled, DatabaseUnavailable, PalaceError
from palace.models import RebuildSummary, intake
from palace.models import activity as kinds
from palace.models.graph import ExtractionSummary
from palace.opened import OpenPalace

FINISHED = {"outcome": "finished"}


def record(session: UserSession, kind: str, *, run_id: int | None = None, **details: object) -> None:
    """Record an event of the current transaction."""
    record_event(session, kind, FINISHED | details, run_id=run_id)


@contextmanager
def recorded(opened: OpenPalace, kind: str) -> Iterator[Callable[[Mapping[str, Any]], None]]:
    """Record an event when work of several transactions ends: with the details passed on, or with its error.

    No event is recorded without details, after a lost database, or if the process is killed.
    """
    details: dict[str, Any] = {}
    try:
        yield details.update
    except DatabaseUnavailable:
        raise
    except PalaceError as problem:
        # An error message may quote the palace's contents; its code does not.
        is_cancelled = isinstance(problem, Cancelled)
        failed = {"outcome": "cancelled"} if is_cancelled else {"outcome": "failed", "error": problem.code}
        with suppress(PalaceError), unstopped():
            opened.run(lambda session: record_event(session, kind, failed))
        raise
    if details:
        opened.run(lambda session: record(session, kind, **details))


def rebuilt(summary: RebuildSummary | ExtractionSummary, *names: str) -> dict[str, object]:
    """Return the details of a rebuild's event from its summary; ``names`` are further numbers of it."""
    numbers = {name: getattr(summary, name) for name in ("conversations", *names)}
    further = {"cost_usd": str(summary.cost_usd), "warning_count": len(summary.warnings)}
    return {"is_whole": summary.wing is None, **numbers, **further}


def activity(opened: OpenPalace, *, limit: int, since: datetime | None, kind: str | None) -> tuple[kinds.Activity, ...]:
    """List events, the latest first; of one kind, if given.

    Raises:
        BadRequest: there is no such kind.
    """
    most, begun = intake.row_count("limit", limit), intake.moment("since", since, opened.settings.zone)
    wanted = None if kind is None else (_kind(intake.text("kind", kind)),)
    return opened.run(lambda session: list_activity(session, limit=most, since=begun, kinds=wanted))


def _kind(named: str) -> str:
    word = "_".join(named.lower().replace("-", " ").split())
    for kind in kinds.KINDS:
        if word in (kind, kind.removeprefix("memory_")):
            return kind
    known = ", ".join(kind.removeprefix("memory_") for kind in kinds.KINDS)
    raise BadRequest(f"there is no kind of event {named!r}: there are {known}")
