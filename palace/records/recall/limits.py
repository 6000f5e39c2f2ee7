"""How much recall looks at, and what relevance a drawer must reach."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

REFERENCE_DIMENSION = 384
"""Of the vectors that limits count in; of wider ones fewer are compared, in proportion."""


@dataclass(frozen=True, slots=True)
class ScanLimits:
    """How many vectors the semantic arm compares in which way. Counted in vectors of 384 dimensions."""

    exact_up_to: int = 5_000
    """Vectors that are compared one by one; of wider vectors, fewer in proportion."""
    quantised_up_to: int = 20_000
    """Vectors whose binary quantisations are compared one by one, where an HNSW index would be faster above."""
    oversampling: int = 2
    """How many times as many are looked at quantised as are proposed."""
    ef_search: int = 200
    """How widely HNSW searches; 1000 at most, and never less than is proposed."""
    max_scan_tuples: int = 40_000
    """Vectors at which HNSW stops looking for more."""

    def are_few(self, vectors: int, dimension: int) -> bool:
        """Tell whether so many vectors of a dimension are compared one by one."""
        return vectors * dimension // REFERENCE_DIMENSION <= self.exact_up_to

    def want_index(self, vectors: int, dimension: int) -> bool:
        """Tell whether so many vectors of a dimension want an HNSW index."""
        return vectors * dimension // REFERENCE_DIMENSION > self.quantised_up_to


@dataclass(frozen=True, slots=True)
class KeywordLimits:
    """How much the keyword arm looks at and proposes."""

    passages: int = 60
    """Passages, and rooms, that it proposes."""
    match_limit: int = 2000
    """How many matches are looked at: the rarest words'."""
    meeting: int = 3
    """Words beyond that limit of which two must meet."""
    corrected: float = 0.7
    """What a word counts for that was read as another, most likely mistyped: a share of what it would, typed right."""
    budget_ms: int = 500
    """What it may take: some ten times what it takes at 100,000 drawers. The others answer without it."""


@dataclass(frozen=True, slots=True)
class NamedLimits:
    """How much the arm of names looks at and proposes."""

    names: int = 12
    """Of how many names of a kind a word may be a part; one of more tells nothing."""
    share: float = 0.25
    """How much of a query's rare-word weight a name must hold for what stands there to be proposed."""
    places: int = 6
    """Places that it looks through."""
    small_wing: int = 6
    """Rooms that a wing may have to be looked through."""
    looked_at: int = 400
    """Drawers that it looks at."""
    drawers: int = 40
    """Passages that it proposes."""


@dataclass(frozen=True, slots=True)
class Floor:
    """The relevance beneath which nothing is given back; relevance is similarity and a share of coverage."""

    recollection: float = 0.38
    """What the most relevant drawer must reach in a palace of one; else nothing is given back at all."""
    tenfold: float = 0.0
    """By how much that rises with every tenfold of drawers: of more of them, some are near by chance."""
    hit: float = 0.15
    """What each must reach: beside a relevant one, the others need only a trace."""
    coverage: float = 0.5
    """Share of a drawer's coverage that counts beside its similarity."""
    tail: float = 0.0
    """The share of the best hit's score beneath which another is dropped that hardly answers; 0 for none."""
    unlikely: float = 0.05
    """The confidence beneath which a hit hardly answers."""


class FloorLevel(StrEnum):
    """How much is kept back, when a caller says so."""

    NONE = "none"
    """Nothing: whatever ranks best is given back."""
    LOW = "low"
    NORMAL = "normal"
    STRICT = "strict"
    """What is not clearly about the query."""


@dataclass(frozen=True, slots=True)
class Confidence:
    """How likely a drawer answers: the weights of a logistic regression, measured for one embedding model."""

    constant: float
    similarity: float
    coverage: float
    above: float
    """Of how much more similar it is than the ten most similar others."""
    tenfold: float
    """For every tenfold of drawers in the palace."""
    first: float
    """Of standing first."""
    asking: float
    """Of only asking."""
    answering: float
    """Of answering a question that was found as well."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """What is measured for one embedding model, whose similarities mean something else than another model's."""

    floor: Floor = Floor()
    similarity: float = 1.05
    """Weight of the signal `similarity`."""
    confidence: Confidence | None = None
    """None where it was not measured."""
