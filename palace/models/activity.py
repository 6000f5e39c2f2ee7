"""The activity of a palace: a log of events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

MINED = "memory_mined"
"""A run of mining, or a note."""

FORGOTTEN = "memory_forgotten"
TAKEN_BACK = "memory_taken_back"
"""Forgotten drawers were restored in time."""
UNDONE = "memory_undone"
"""A run was undone."""
MOVED = "memory_moved"
"""A room was moved to another wing, or a whole wing merged into one."""
RENAMED = "memory_renamed"
"""A wing or a room was renamed."""
REBUILT = "memory_rebuilt"
SCRUBBED = "memory_scrubbed"
"""Secrets were removed from filed drawers."""
IMPORTED = "memory_imported"
RESTORED = "memory_restored"
"""All palaces of the database were filled from a backup."""
ENTITIES_MERGED = "entities_merged"
ENTITY_SPLIT = "entity_split"
ENTITY_RENAMED = "entity_renamed"
DECISION_UNDONE = "decision_undone"
RELATIONS_LOST = "relations_lost"
"""Relations were lost because a newer version of the extraction no longer finds them."""

KINDS = (
    *(MINED, FORGOTTEN, TAKEN_BACK, UNDONE, MOVED, RENAMED, REBUILT, SCRUBBED, IMPORTED, RESTORED),
    *(ENTITIES_MERGED, ENTITY_SPLIT, ENTITY_RENAMED, DECISION_UNDONE, RELATIONS_LOST),
)
"""Kinds of events that Palace itself records."""

OF_THIS_COPY = (IMPORTED, RESTORED)
"""Kinds about the origin of this copy of a palace; exports leave them out."""

MOST_EVENTS = 10_000
"""Events of a user that are kept; the oldest is deleted when another is recorded."""

UNFINISHED = {"outcome": "unfinished"}
"""Details of a run's event until the run ends; they stay if it is killed."""


@dataclass(frozen=True, slots=True)
class Activity:
    """One event in a palace's activity."""

    id: int
    kind: str
    """One of ``KINDS``, or a program's own kind."""
    happened_at: datetime
    """When the run ended; if it is running or was killed, when it began."""
    run_id: int | None
    """The run of mining that it belongs to, if any."""
    details: Mapping[str, object]
    """What was filed, what was removed and what failed; docs/python.md lists the members of each kind."""
