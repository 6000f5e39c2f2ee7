"""The interface of arms: a request in, a proposal out, nothing shared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from palace.db.candidates.named import NamedPlace
from palace.db.candidates.words import QueryWords, Word
from palace.db.database import UserSession
from palace.db.generations import Sizes, get_basis
from palace.models import Candidate, Generation, KeywordLimits, NamedLimits, ScanLimits, Scope
from palace.nlp.aaak import Wish
from palace.recall.intent import Intent

Near = tuple[Generation, Sequence[float]]
"""A generation and a query's unit vector of its model."""


@dataclass(frozen=True, slots=True)
class SemanticLimits:
    """Limits of the semantic arm."""

    vectors: int = 120
    """Most vectors that it proposes; a drawer may have several."""
    vectors_in_time: int = 50
    """Most vectors that it proposes within each time of the query."""
    longest_window_days: float = 62.0
    """Longest time, in days, that is searched separately."""


@dataclass(frozen=True, slots=True)
class GraphLimits:
    """Limits of the graph arm."""

    drawers: int = 30
    """Most drawers that name an entity, per entity of the query."""
    relations: int = 60
    """Most relations of the entities and their neighbours that are read."""
    rare: float = 0.02
    """Share of drawers naming an entity up to which it counts as rare, with full weight."""
    hop: float = 0.7
    """Weight of evidence at a distance of one relation."""
    tag: float = 0.5
    """Weight of being about an entity by a claim or a known name, in comparison with naming it."""
    wished: int = 200
    """Most drawers about an entity of a requested tag (``@p Anna``)."""


@dataclass(frozen=True, slots=True)
class KindLimits:
    """Limits of the arm of kinds."""

    nouns: int = 60
    """Most nouns that are searched for, the rarest first."""
    share: float = 0.05
    """Largest share of drawers that may contain a noun, or name an entity, for it to be used (at least three
    drawers).
    """
    entities: int = 60
    """Most entities of the kind whose drawers are proposed, the rarest first."""
    drawers: int = 20
    """Most drawers that name one of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmLimits:
    """Limits of all arms: the part of a strategy that arms are given."""

    semantic: SemanticLimits = field(default_factory=SemanticLimits)
    keyword: KeywordLimits = field(default_factory=KeywordLimits)
    named: NamedLimits = field(default_factory=NamedLimits)
    graph: GraphLimits = field(default_factory=GraphLimits)
    kinds: KindLimits = field(default_factory=KindLimits)
    scan: ScanLimits = field(default_factory=ScanLimits)


@dataclass(frozen=True, slots=True)
class ArmRequest:
    """A request to an arm."""

    query: str
    """In the first person if it is about the palace's owner ("Where do I work?"), with typing errors corrected."""
    intent: Intent
    scope: Scope
    strategy: ArmLimits
    near: Near | None = None
    """The query's embedding, for an arm that needs it."""
    words: QueryWords | None = None
    """The query's weighted words; None if an arm is called on its own."""
    wishes: tuple[Wish, ...] = ()
    """Requested tags (``@p Anna``); their signs are not in ``query``."""
    sizes: Sizes | None = None
    """How many drawers and vectors the palace has; None if an arm is called on its own."""
    bounds: Scope | None = None
    """``scope`` reduced to what excludes anything; None if an arm is called on its own."""

    @property
    def within(self) -> Scope:
        """Where to search, for an arm that scans many passages."""
        return self.scope if self.bounds is None else self.bounds

    def sizes_in(self, session: UserSession) -> Sizes:
        """Return the sizes of the palace, counted first if an arm is called on its own."""
        return get_basis(session).sizes if self.sizes is None else self.sizes


@dataclass(frozen=True, slots=True)
class Proposal:
    """The result of one arm."""

    candidates: tuple[Candidate, ...] = ()
    rooms: Mapping[int, float] = field(default_factory=dict)
    """Scores of rooms by id, if it has any."""
    places: tuple[NamedPlace, ...] = ()
    """Places whose names contain words of the query, if it searched for those."""
    tells: Mapping[int, float] = field(default_factory=dict)
    """Weight of naming each entity of the query, by entity id, if it searched for those."""
    holding: Mapping[int, float] = field(default_factory=dict)
    """How far drawers state what the query asks about those, by drawer id; a missing one has 0."""
    nouns: tuple[Word, ...] = ()
    """Nouns of a requested kind, if it searched for those."""
    of_kind: frozenset[int] = frozenset()
    """Drawers that name an entity of such a kind."""
    warnings: tuple[str, ...] = ()


class Arm(Protocol):
    """One way to propose drawers. Those that need the vector run beside the others, each group in one transaction."""

    @property
    def name(self) -> str:
        """Name in strategies, timings and warnings."""

    @property
    def needs_vector(self) -> bool:
        """Whether it waits for the query's embedding; without one it is not called."""

    def propose(self, session: UserSession, request: ArmRequest) -> Proposal:
        """Propose passages. No model may be called here, because a transaction is open.

        Raises:
            OutOfTime: it exceeded its time limit. Recall answers without it, with a warning.
        """
