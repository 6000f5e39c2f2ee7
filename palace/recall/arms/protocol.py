"""What every arm promises: a request in, a proposal out, nothing shared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from palace.db.candidates.named import NamedPlace
from palace.db.candidates.words import QueryWords, Word
from palace.db.database import UserSession
from palace.models import Candidate, Generation, Scope
from palace.nlp.aaak import Wish
from palace.recall.intent import Intent

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
    wishes: tuple[Wish, ...] = ()
    """Tags that it asks for (``@p Anna``); their signs are not in ``query``."""
    bounds: Scope | None = None
    """What of ``scope`` keeps anything out; None where an arm is asked by itself."""

    @property
    def within(self) -> Scope:
        """Where to propose, for an arm that looks through many passages."""
        return self.scope if self.bounds is None else self.bounds


@dataclass(frozen=True, slots=True)
class Proposal:
    """What one arm came to."""

    candidates: tuple[Candidate, ...] = ()
    rooms: Mapping[int, float] = field(default_factory=dict)
    """What it thinks of rooms, by id, where it thinks of rooms."""
    places: tuple[NamedPlace, ...] = ()
    """Places whose names say what the query says, where it looked for those."""
    tells: Mapping[int, float] = field(default_factory=dict)
    """How much it tells that a drawer names an entity of the query's, by its id, where it looked for those."""
    holding: Mapping[int, float] = field(default_factory=dict)
    """How far drawers tell what the query asks about those, by drawer id; one that is not there has 0."""
    nouns: tuple[Word, ...] = ()
    """Nouns of a kind that the query asks for, where it looked for those."""
    of_kind: frozenset[int] = frozenset()
    """Drawers that name what is of such a kind."""
    warnings: tuple[str, ...] = ()


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


@runtime_checkable
class ChoosyArm(Protocol):
    """An arm that few queries ask anything of; the others open no transaction for it."""

    def is_asked(self, request: ArmRequest) -> bool:
        """Tell by the query alone whether the arm may propose anything."""
