"""What relations are folded to: how the relations of one subject and predicate stood, and stand."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from palace.records.graph.reading import Precision


@dataclass(frozen=True, slots=True)
class FoldedRelation:
    """One relation of a subject and a predicate as it was believed for a while."""

    object_key: str
    object: str
    object_id: int | None
    valid_from: datetime | None
    """None where its beginning is not known."""
    from_precision: Precision
    valid_to: datetime | None
    """The first moment at which it was no longer so; None while it holds. Never before ``valid_from``."""
    to_precision: Precision | None
    recorded_at: datetime
    superseded_at: datetime | None
    """None in what is believed now."""
    evidence: tuple[int, ...]
    """Assertions that say it, by id, in order of telling."""
    closed_by: int | None = None
    """The assertion that ended it: what came in its place, or said that it is over."""


@dataclass(frozen=True, slots=True)
class Overtaken:
    """An assertion that no longer holds, and what came in its place."""

    assertion_id: int
    until: datetime
    """When it stopped being so; of what never was, when that was learned."""
    successor_id: int | None
    """The assertion that says what holds instead; None where it only ended."""
