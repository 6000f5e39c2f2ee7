"""Listing what happened."""

from __future__ import annotations

from datetime import datetime

from palace.errors import BadRequest
from palace.intake import given
from palace.opened import OpenPalace
from palace.records.activity import KINDS, Activity
from palace.store.activity.events import list_activity


def activity(opened: OpenPalace, *, limit: int, since: datetime | None, kind: str | None) -> tuple[Activity, ...]:
    """List events, the latest first; of one kind, if it is given.

    Raises:
        BadRequest: there is no such kind.
    """
    most, begun = given.row_count("limit", limit), given.moment("since", since, opened.settings.zone)
    wanted = None if kind is None else (_kind(given.text("kind", kind)),)
    return opened.run(lambda session: list_activity(session, limit=most, since=begun, kinds=wanted))


def _kind(named: str) -> str:
    """Find a kind by its name, or by that without "memory"."""
    word = "_".join(named.lower().replace("-", " ").split())
    for kind in KINDS:
        if word in (kind, kind.removeprefix("memory_")):
            return kind
    known = ", ".join(kind.removeprefix("memory_") for kind in KINDS)
    raise BadRequest(f"there is no kind of event {named!r}: there are {known}")
