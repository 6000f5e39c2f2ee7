"""What recall answers, how much it looks at, and what relevance a drawer must reach."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from palace.models.place import Drawer, Ended, Pointer, Span, Tag

LEAST_LIKELY = 0.13
"""The confidence of the best hit below which nothing is shown: 3 in 100 questions of the everyday sets that have an
answer have a lower one."""
UNLIKELY = 0.05
"""The confidence below which a hit is not shown beside one that is much likelier."""
BESIDE_BEST = 0.1
"""The share of the best one's confidence that it must have then: it costs 2 in 100 of the answers among the first five,
and without it 8."""


@dataclass(frozen=True, slots=True)
class ArmScore:
    """What one signal says for a hit."""

    arm: str
    """"semantic", "keyword", "room", "named", "about", "holds", "kind" or "time", the name that the
    signal has for callers;
    "spoken_of" where a time is all that is asked for, and the drawer speaks of it; "standing" for what the person asked
    for once and for all."""
    score: float
    """The signal's own score: cosine similarity, BM25, or a share of 1."""
    rank: int
    """Place in the signal's own order, from 1."""


@dataclass(frozen=True, slots=True)
class SignalPart:
    """What of a hit's score one signal gives."""

    signal: str
    """The signal's name: "similarity", "keyword", "phrase"; "neighbours" for what the turns beside it lend it, "place"
    for what it has from the drawer whose place it took, "diversity" for what those of its room in front cost it."""
    share: float
    """Of the score, in the same measure; below 0 where it speaks against. The parts of a hit add up to its score."""


class PlaceKind(StrEnum):
    """What has a name, the narrowest first."""

    CLOSET = "closet"
    ROOM = "room"
    WING = "wing"


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
    again: tuple[Drawer, ...] = ()
    """Further drawers that say the same, but for case and space: it stands for them."""
    reranked: int | None = None
    """Place, from 1, at which a language model put it; None where none did."""
    confidence: float | None = None
    """How likely it answers, in [0, 1]: of hits said 0.8, eight in ten do. None for an embedding model that this was
    not measured for."""
    coverage: float = 0.0
    """The share of the query's words that it says, or the question that it answers, rarer ones counting for more, in
    [0, 1]."""
    question: Drawer | None = None
    """The turn that it answers, where that only asks and was found as well: both are one place."""
    newer: Pointer | None = None
    """A hit in front of it that says the same kind of thing at a later time; None where there is none."""
    sentence: Span | None = None
    """The sentence, or line, of the passage that speaks most for it; None where nothing tells them apart."""
    words: tuple[tuple[str, ...], ...] = ()
    """The query's words that the passage says, rarest first: of each, how it is written there, in lower case."""
    named: tuple[PlaceKind, ...] = ()
    """Which of the places it stands in have a name with words of the query that it does not say itself."""
    parts: tuple[SignalPart, ...] = ()
    """What its score is made of, the largest first; none where a time is all that is asked for."""

    @property
    def until(self) -> datetime | None:
        """When something that its drawer says stopped being so, as of the moment of asking."""
        return self.drawer.until

    @property
    def superseded_by(self) -> Pointer | None:
        """What says what holds instead."""
        return self.drawer.superseded_by

    @property
    def ended(self) -> Ended | None:
        """Which of the things that its drawer says is so no longer; None where none of them holds, or all do."""
        return self.drawer.ended

    @property
    def tags(self) -> tuple[Tag, ...]:
        """Whom and what its drawer is about, under the names that are in use now."""
        return self.drawer.tags

    @property
    def is_standing(self) -> bool:
        """Whether it is there for what the person asked for once and for all."""
        return any(arm.arm == "standing" for arm in self.arms)

    def asked_before(self) -> tuple[Drawer, ...]:
        """List what is read in front of it: the question that it answers, and neighbours asked for, each once."""
        if self.question is None or self.question in self.before:
            return self.before
        return (self.question, *self.before)

    def without(self, shown: Set[Pointer]) -> Hit:
        """Leave out the neighbours that are shown elsewhere; the question that it answers stays."""
        gone = shown - {self.question.pointer} if self.question else shown
        before, after = (
            tuple(drawer for drawer in side if drawer.pointer not in gone) for side in (self.before, self.after)
        )
        return replace(self, before=before, after=after)


@dataclass(frozen=True, slots=True)
class Correction:
    """A word of a query that nothing says, and the word of the person's own that it was read as."""

    typed: str
    read_as: str
    """Both in lower case."""


@dataclass(frozen=True, slots=True)
class TimeAsked:
    """A stretch of time that a query speaks of."""

    start: datetime
    end: datetime
    """The moment after the last one."""


class HitOrder(StrEnum):
    """The order in which hits are given back."""

    RELEVANCE = "relevance"
    """The best first."""
    TIME = "time"
    """What was said first comes first."""


@dataclass(frozen=True, slots=True)
class Recollection:
    """The answer to a query: hits, best first unless asked otherwise; none when nothing is relevant."""

    query: str
    hits: tuple[Hit, ...]
    warnings: tuple[str, ...] = ()
    timings_ms: dict[str, float] = field(default_factory=dict)
    """Milliseconds by step: "words", "embed", "semantic", "keyword", "named", "graph", "kinds", "compare", "load",
    "rerank", "total";
    "tell" in place of the first nine where a time is all that is asked for."""
    corrections: tuple[Correction, ...] = ()
    """Words of the query that nothing says, with what they were read as: most likely they were mistyped."""
    order: HitOrder = HitOrder.RELEVANCE
    names: tuple[str, ...] = ()
    """Whom and what the query was read to name, of those that the palace knows."""
    times: tuple[TimeAsked, ...] = ()
    """When it was read to speak of."""

    @property
    def likely(self) -> tuple[Hit, ...]:
        """List the hits that are worth showing: none where not even the best is likely to answer.

        What was not measured counts as likely, and so does what the person asked for once and for all.
        """
        told = {
            hit.drawer.id: 1.0 if hit.confidence is None or hit.is_standing else hit.confidence for hit in self.hits
        }
        best = max(told.values(), default=0.0)
        least = min(UNLIKELY, BESIDE_BEST * best) if best >= LEAST_LIKELY else 1.1
        return tuple(hit for hit in self.hits if told[hit.drawer.id] >= least)

    def shown(self, floor: str | None) -> Recollection:
        """Leave out what is not ``likely``, unless a ``floor`` of "low" or "none" asks for it."""
        return self if floor in ("low", "none") else replace(self, hits=self.likely)

    def own_places(self) -> set[Pointer]:
        """Give what stands in a place of its own beside neighbours: hits, and the questions that they answer."""
        return {drawer.pointer for hit in self.hits for drawer in (hit.drawer, hit.question) if drawer is not None}


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
