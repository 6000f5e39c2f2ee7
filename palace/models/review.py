"""What a person looks through: what was filed lately, what was redacted, what says something else than before."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from palace.models.place import Drawer

MOST_REVIEWED = 1_000
"""Of each kind, the latest, that are looked through; what is older counts as seen."""


class ReviewKind(StrEnum):
    """What can be looked through and marked as seen."""

    FILED = "filed"
    """A run that filed something."""
    REDACTED = "redacted"
    """A drawer out of which secrets were taken."""
    CHANGED = "changed"
    """A drawer that says what another one ended."""


class ReviewKey(NamedTuple):
    """What is marked as seen, by its ids."""

    item: int
    """The run, or the drawer."""
    by: int = 0
    """The drawer that says what holds instead; 0 of a run or a redacted drawer."""


@dataclass(frozen=True, slots=True)
class ChangedFact:
    """A drawer with the one that says what holds instead."""

    before: Drawer
    after: Drawer
    predicates: tuple[str, ...]
    """What of it is so no longer ("lives_in"), in order."""
    until: datetime
    """When the last of that stopped being so."""

    @property
    def key(self) -> ReviewKey:
        """By which it is marked as seen."""
        return ReviewKey(self.before.id, self.after.id)


@dataclass(frozen=True, slots=True)
class ReviewCounts:
    """How much was not seen yet."""

    filed: int = 0
    redacted: int = 0
    changed: int = 0
    failed: int = 0
    """Jobs that were given up: these stay until they are retried or cancelled."""
