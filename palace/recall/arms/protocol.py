"""What every arm promises: a request in, a proposal out, nothing shared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from palace.db.candidates.named import NamedPlace
from palace.db.candidates.words import QueryWords, Word
from palace.db.database import UserSession
from palace.models import Candidate, Generation, KeywordLimits, NamedLimits, ScanLimits, Scope
from palace.nlp.aaak import Wish
from palace.recall.intent import Intent

Near = tuple[Generation, Sequence[float]]
"""A generation and a unit vector of its model."""


@dataclass(frozen=True, slots=True)
class SemanticLimits:
    """How much the semantic arm proposes."""

    vectors: int = 120
    """Vectors that it proposes: a drawer may have several."""
    vectors_in_time: int = 50
    """Vectors that it proposes within each time the query speaks of."""
    longest_window_days: float = 62.0
    """A time that is longer than this holds too much to be worth looking through by itself."""


@dataclass(frozen=True, slots=True)
class GraphLimits:
    """How much the graph arm looks at and proposes."""

    drawers: int = 30
    """Drawers that name an entity, of each entity that the query names."""
    relations: int = 60
    """Relations that are looked at, of the entities and of what they lead to."""
    rare: float = 0.02
    """The share of drawers that name an entity, up to which it is rare and tells most."""
    hop: float = 0.7
    """What evidence of what is one relation away counts for."""
    tag: float = 0.5
    """What being about an entity counts for beside naming it: by a claim, or by a name known from elsewhere."""
    wished: int = 200
    """Drawers about an entity that the query wishes for (``@p Anna``): all of them count as telling what is asked."""


@dataclass(frozen=True, slots=True)
class KindLimits:
    """How much the arm of kinds looks at."""

    nouns: int = 60
    """Nouns that are looked for, the rarest."""
    share: float = 0.05
    """The share of drawers in which a noun may stand, or that may name what is of the kind, at most, in a palace of any
    size; else it tells nothing."""
    entities: int = 60
    """Entities of the kind whose drawers are proposed, the rarest named."""
    drawers: int = 20
    """Drawers that name one of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmLimits:
    """How much each arm looks at and proposes: the part of a strategy that arms are asked with."""

    semantic: SemanticLimits = field(default_factory=SemanticLimits)
    keyword: KeywordLimits = field(default_factory=KeywordLimits)
    named: NamedLimits = field(default_factory=NamedLimits)
    graph: GraphLimits = field(default_factory=GraphLimits)
    kinds: KindLimits = field(default_factory=KindLimits)
    scan: ScanLimits = field(default_factory=ScanLimits)


@dataclass(frozen=True, slots=True)
class ArmRequest:
    """What an arm is asked."""

    query: str
    """In the first person where it is about the palace's person ("Where do I work?"); mistyped words put right."""
    intent: Intent
    scope: Scope
    strategy: ArmLimits
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
