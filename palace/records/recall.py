"""What recall answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from palace.records.place import Drawer, PassageKey, Span


@dataclass(frozen=True, slots=True)
class ArmScore:
    """What one arm thought of a hit."""

    arm: str
    """"semantic" or "keyword"."""
    score: float
    """The arm's own score: cosine similarity, or text rank."""
    rank: int
    """Place in the arm's own order, from 1."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A drawer that recall keeps, and why."""

    drawer: Drawer
    score: float
    """Fused score in [0, 1], comparable within one recall only."""
    passage: Span
    """The best passage, as a span of the drawer's content."""
    arms: tuple[ArmScore, ...]
    before: tuple[Drawer, ...] = ()
    """Neighbours asked for with ``context``, in order."""
    after: tuple[Drawer, ...] = ()


@dataclass(frozen=True, slots=True)
class Recollection:
    """The answer to a query: hits, best first; none when nothing is relevant."""

    query: str
    hits: tuple[Hit, ...]
    warnings: tuple[str, ...] = ()
    timings_ms: dict[str, float] = field(default_factory=dict)
    """Milliseconds by step: "embed", "candidates", "load", "total"."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Where recall looks; what the caller gives filters, nothing else does."""

    wing_id: int | None = None
    since: datetime | None = None
    until: datetime | None = None
    tools: bool = False
    """Consider what tools were told and returned."""

    @property
    def is_open(self) -> bool:
        """Whether nothing is filtered out but tools."""
        return self.wing_id is None and self.since is None and self.until is None


class Candidate(NamedTuple):
    """A passage that an arm proposes."""

    key: PassageKey
    score: float
    """The arm's own: cosine similarity, or keyword rank."""
    coverage: float = 0.0
    """Share of the query's rare-word weight that the passage holds; keyword arm only."""
