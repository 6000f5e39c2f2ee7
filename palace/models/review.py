"""Items for a person to review: what was filed lately, what was redacted, and statements that changed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from palace.models.place import Drawer

MOST_REVIEWED = 1_000
"""Items of each kind that can be reviewed, the latest ones; older ones count as seen."""


class ReviewKind(StrEnum):
    """The kind of an item that can be reviewed and marked as seen."""

    FILED = "filed"
    """A run that filed something."""
    REDACTED = "redacted"
    """A drawer from which secrets were removed."""
    CHANGED = "changed"
    """A drawer that ended a statement of another drawer."""


class ReviewKey(NamedTuple):
    """Identifies an item that is marked as seen."""

    item: int
    """Id of the run, or of the drawer."""
    by: int = 0
    """Id of the drawer that says what is true instead; 0 for a run or a redacted drawer."""


@dataclass(frozen=True, slots=True)
class ChangedFact:
    """A drawer with an outdated statement, and the drawer that says what is true instead."""

    before: Drawer
    after: Drawer
    predicates: tuple[str, ...]
    """Predicates of the statements that are no longer true ("lives_in"), in order."""
    until: datetime
    """When the last of them stopped being true."""

    @property
    def key(self) -> ReviewKey:
        """Return the key by which it is marked as seen."""
        return ReviewKey(self.before.id, self.after.id)


@dataclass(frozen=True, slots=True)
class ReviewCounts:
    """Numbers of items not seen yet."""

    filed: int = 0
    redacted: int = 0
    changed: int = 0
    failed: int = 0
    """Jobs that were given up: they count until they are retried or cancelled."""
