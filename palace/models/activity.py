"""What happened in a palace: one event after the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

MINED = "memory_mined"
"""The kind of event that every run of mining leaves, one of a note included."""

FORGOTTEN = "memory_forgotten"
TAKEN_BACK = "memory_taken_back"
"""What was forgotten was restored within its time."""
UNDONE = "memory_undone"
"""A run was undone."""
MOVED = "memory_moved"
"""A room to another wing, or a whole wing into one."""
RENAMED = "memory_renamed"
"""A wing or a room."""
REBUILT = "memory_rebuilt"
SCRUBBED = "memory_scrubbed"
"""Secrets were taken out of what was filed before."""
IMPORTED = "memory_imported"
RESTORED = "memory_restored"
"""The palace of every user was filled from a backup."""
ENTITIES_MERGED = "entities_merged"
ENTITY_SPLIT = "entity_split"
ENTITY_RENAMED = "entity_renamed"
DECISION_UNDONE = "decision_undone"
RELATIONS_LOST = "relations_lost"
"""Another version of what reads conversations no longer reads what stood only there."""

KINDS = (
    *(MINED, FORGOTTEN, TAKEN_BACK, UNDONE, MOVED, RENAMED, REBUILT, SCRUBBED, IMPORTED, RESTORED),
    *(ENTITIES_MERGED, ENTITY_SPLIT, ENTITY_RENAMED, DECISION_UNDONE, RELATIONS_LOST),
)
"""What Palace itself leaves events of."""

OF_THIS_COPY = (IMPORTED, RESTORED)
"""Kinds that tell where this copy of a palace came from: another copy has its own, so exports leave them out."""

MOST_EVENTS = 10_000
"""Of a user that are kept: an older one goes when one more happens."""

UNFINISHED = {"outcome": "unfinished"}
"""What an event of a run says until that ends, and for ever where the run was killed."""


@dataclass(frozen=True, slots=True)
class Activity:
    """One event of a palace's activity."""

    id: int
    kind: str
    """One of ``KINDS``, or a program's own."""
    happened_at: datetime
    """When a run ended; of one that goes on, or was killed, when it began."""
    run_id: int | None
    """The run of mining that it is about; None where it is about none."""
    details: Mapping[str, object]
    """What landed, what went and what failed; docs/python.md names the members of each kind."""
