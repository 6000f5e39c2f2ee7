"""What every arm promises: a request in, a proposal out, nothing shared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from palace.recall.intent import Intent
from palace.records import CallRecord, Candidate, Generation, Scope
from palace.store.candidates.named import NamedPlace
from palace.store.candidates.words import QueryWords
from palace.store.database import UserSession

if TYPE_CHECKING:
    from palace.recall.strategy import Strategy

Near = tuple[Generation, Sequence[float]]
"""A generation and a unit vector of its model."""


@dataclass(frozen=True, slots=True)
class ArmRequest:
    """What an arm is asked."""

    query: str
    """In the first person where it is about the palace's person ("Where do I work?"); mistyped words put right."""
    intent: Intent
    scope: Scope
    strategy: Strategy
    near: Near | None = None
    """The query's own vector, for an arm that needs it."""
    words: QueryWords | None = None
    """What the query says, weighed; None where an arm is asked by itself."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What one arm, or the embedding of the query, came to."""

    candidates: tuple[Candidate, ...] = ()
    rooms: Mapping[int, float] = field(default_factory=dict)
    """What it thinks of rooms, by id, where it thinks of rooms."""
    places: tuple[NamedPlace, ...] = ()
    """Places whose names say what the query says, where it looked for those."""
    near: Near | None = None
    """The query's own vector, where it was embedded."""
    warnings: tuple[str, ...] = ()
    calls: tuple[CallRecord, ...] = ()
    """Of the embedding model; they are in the ledger already."""
    timings_ms: Mapping[str, float] = field(default_factory=dict)


class Arm(Protocol):
    """Proposes drawers in one way. Arms run side by side, each in a thread and a transaction of its own."""

    @property
    def name(self) -> str:
        """What it is called in strategies, timings and warnings."""

    @property
    def needs_vector(self) -> bool:
        """Whether it waits for the query's embedding; it is not asked where there is none."""

    def propose(self, session: UserSession, request: ArmRequest) -> Proposal:
        """Propose passages; no model is called here, since a transaction is open.

        Raises:
            OutOfTime: it took longer than it may. Recall answers without it, with a warning.
        """
