"""The results of recall, the limits of its search, and the relevance that drawers must reach."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from palace.models.memory import Memory
from palace.models.place import Drawer, Ended, Pointer, Span, Tag


@dataclass(frozen=True, slots=True)
class ArmScore:
    """The score of one signal for a hit."""

    arm: str
    """The signal's public name: "semantic", "keyword", "room", "named", "about", "holds", "kind" or "time"; "spoken_of"
    where the query asks only for a time and the drawer mentions it; "standing" for the person's standing instructions.
    """
    score: float
    """The signal's own score: cosine similarity, BM25, or a share of 1."""
    rank: int
    """Rank of the hit by this signal, from 1."""


@dataclass(frozen=True, slots=True)
class SignalPart:
    """The contribution of one signal to a hit's score."""

    signal: str
    """The signal's name: "similarity", "keyword", "phrase"; "neighbours" for the share of adjacent turns, "place" for
    the share of the drawer it replaced in the ranking, or what it lost there."""
    share: float
    """The contribution, on the scale of the score; negative for a penalty. The parts of a hit add up to its score."""


class PlaceKind(StrEnum):
    """Kinds of named places, the narrowest first."""

    CLOSET = "closet"
    ROOM = "room"
    WING = "wing"


@dataclass(frozen=True, slots=True)
class Hit:
    """A drawer that recall returns, and why."""

    drawer: Drawer
    score: float
    """Fused score in [0, 1], comparable only within one recall."""
    passage: Span
    """The best passage, as a span of the drawer's content."""
    arms: tuple[ArmScore, ...]
    before: tuple[Drawer, ...] = ()
    """Neighbours that ``context`` asked for, in order."""
    after: tuple[Drawer, ...] = ()
    again: tuple[Drawer, ...] = ()
    """Drawers with the same text but for case and spaces, which this hit represents."""
    reranked: int | None = None
    """Rank, from 1, given by a language model; None without reranking."""
    confidence: float | None = None
    """Measured probability, in [0, 1], that it answers: of hits with 0.8, eight in ten do. None for an embedding model
    without a calibration."""
    coverage: float = 0.0
    """Share of the query's words that it or the question it answers contains, weighted by rarity, in [0, 1]."""
    question: Drawer | None = None
    """The turn that it answers, if that is a mere question and was found as well: both count as one hit."""
    newer: Pointer | None = None
    """Pointer of a better hit that says the same kind of thing at a later time, or of the current version of a former
    one; None where there is none."""
    sentence: Span | None = None
    """The sentence, or line, of the passage that matches best; None where none stands out."""
    words: tuple[tuple[str, ...], ...] = ()
    """The query's words that the passage contains, rarest first: for each, its written forms, in lower case."""
    named: tuple[PlaceKind, ...] = ()
    """Which of its closet, room and wing have a name with words of the query that the hit itself lacks."""
    parts: tuple[SignalPart, ...] = ()
    """The contributions to its score, the largest first; empty where the query asks only for a time."""
    memory: Memory | None = None
    """The memory that its drawer states, with what it stands on; None for a message or a plain note."""

    @property
    def until(self) -> datetime | None:
        """When a statement of its drawer stopped being true, as of the time of the query."""
        return self.drawer.until

    @property
    def superseded_by(self) -> Pointer | None:
        """The drawer that says what is true instead."""
        return self.drawer.superseded_by

    @property
    def ended(self) -> Ended | None:
        """Which of its drawer's statements is no longer true; None if all of them are true, or none."""
        return self.drawer.ended

    @property
    def tags(self) -> tuple[Tag, ...]:
        """The people and things that its drawer is about, under their current names."""
        return self.drawer.tags

    @property
    def is_standing(self) -> bool:
        """Whether it is included because it is a standing instruction."""
        return any(arm.arm == "standing" for arm in self.arms)

    def asked_before(self) -> tuple[Drawer, ...]:
        """List the drawers to read before it: the question that it answers, and neighbours, each once."""
        if self.question is None or self.question in self.before:
            return self.before
        return (self.question, *self.before)

    def without(self, shown: Set[Pointer]) -> Hit:
        """Return a copy without the neighbours that are shown elsewhere; the question that it answers stays."""
        gone = shown - {self.question.pointer} if self.question else shown
        before, after = (
            tuple(drawer for drawer in side if drawer.pointer not in gone) for side in (self.before, self.after)
        )
        return replace(self, before=before, after=after)


@dataclass(frozen=True, slots=True)
class Correction:
    """A word of a query that occurs nowhere, and the similar word of the palace that it was read as."""

    typed: str
    read_as: str
    """Both are in lower case."""


@dataclass(frozen=True, slots=True)
class TimeAsked:
    """A period that a query asks about."""

    start: datetime
    end: datetime
    """The end of the period, exclusive."""


class HitOrder(StrEnum):
    """The order in which hits are returned."""

    RELEVANCE = "relevance"
    """Best first."""
    TIME = "time"
    """Oldest first, by the time they were said."""


@dataclass(frozen=True, slots=True)
class Recollection:
    """The result of a query: hits, best first unless another order was requested; none if an answer is unlikely."""

    query: str
    hits: tuple[Hit, ...]
    warnings: tuple[str, ...] = ()
    timings_ms: dict[str, float] = field(default_factory=dict)
    """Milliseconds by step: "words", "embed", "semantic", "keyword", "named", "graph", "kinds", "compare", "load",
    "rerank", "total"; "tell" in place of the first nine where the query asks only for a time."""
    corrections: tuple[Correction, ...] = ()
    """Words of the query that occur nowhere, most likely misspelt, with the words they were read as."""
    order: HitOrder = HitOrder.RELEVANCE
    names: tuple[str, ...] = ()
    """Known entities that the query names."""
    times: tuple[TimeAsked, ...] = ()
    """Periods that the query asks about."""
    floor: FloorLevel | None = None
    """How likely an answer had to be, from the call or the settings."""
    chance: float | None = None
    """Calibrated probability, in [0, 1], that any drawer answers; None for queries that name only a time, and for an
    embedding model without a calibration."""
    nearest: Hit | None = None
    """The best hit that was left out because an answer is unlikely; else None."""

    def own_places(self) -> set[Pointer]:
        """Return the pointers of the hits and of the questions that they answer."""
        return {drawer.pointer for hit in self.hits for drawer in (hit.drawer, hit.question) if drawer is not None}


REFERENCE_DIMENSION = 384
"""The dimension in which limits are counted; of wider vectors proportionally fewer are compared."""


@dataclass(frozen=True, slots=True)
class ScanLimits:
    """How the semantic arm searches, by number of vectors, counted in vectors of 384 dimensions."""

    exact_up_to: int = 5_000
    """Up to so many vectors are compared one by one."""
    quantised_up_to: int = 20_000
    """Up to so many vectors are compared one by one in binary quantisation; beyond that an HNSW index is faster."""
    oversampling: int = 2
    """Candidates to fetch by quantised vectors, as a multiple of those proposed."""
    ef_search: int = 200
    """The ``hnsw.ef_search`` to set: at most 1000, and at least the number of candidates proposed."""
    max_scan_tuples: int = 40_000
    """The ``hnsw.max_scan_tuples`` to set."""

    def are_few(self, vectors: int, dimension: int) -> bool:
        """Check whether so many vectors of a dimension are compared one by one."""
        return vectors * dimension // REFERENCE_DIMENSION <= self.exact_up_to

    def want_index(self, vectors: int, dimension: int) -> bool:
        """Check whether so many vectors of a dimension need an HNSW index."""
        return vectors * dimension // REFERENCE_DIMENSION > self.quantised_up_to


@dataclass(frozen=True, slots=True)
class KeywordLimits:
    """How much the keyword arm reads and proposes."""

    passages: int = 60
    """Passages, and rooms, that it proposes."""
    match_limit: int = 2000
    """Matches that are scored, at most, those of the rarest words first."""
    meeting: int = 3
    """Words beyond that limit of which two must occur together."""
    corrected: float = 0.7
    """Weight of a word that was read as a correction of a misspelt one, as a share of the correct word's."""
    budget_ms: int = 500
    """Time limit, some ten times of what 100,000 drawers take. After it, recall goes on without this arm."""


@dataclass(frozen=True, slots=True)
class NamedLimits:
    """How much the arm of names reads and proposes."""

    names: int = 12
    """Names of a kind that a word may occur in; a word of more names is no evidence."""
    share: float = 0.25
    """Share of the query's rare-word weight that a name must contain for its drawers to be proposed."""
    places: int = 6
    """Places that it searches, at most."""
    small_wing: int = 6
    """Rooms that a wing may have to be searched."""
    looked_at: int = 400
    """Drawers that it reads, at most."""
    drawers: int = 40
    """Passages that it proposes."""


@dataclass(frozen=True, slots=True)
class Floor:
    """The relevance below which nothing is returned; relevance is similarity plus a share of coverage."""

    recollection: float = 0.38
    """Relevance that the best drawer must reach for anything to be returned."""
    hit: float = 0.15
    """Relevance that every other hit must reach."""
    coverage: float = 0.5
    """Share of a drawer's coverage that is added to its similarity."""
    unlikely: float = 0.05
    """Confidence below which a hit is dropped if another one is ten times as likely."""


class FloorLevel(StrEnum):
    """How likely an answer must be for hits to be returned."""

    NONE = "none"
    """The best hits are always returned."""
    LOW = "low"
    NORMAL = "normal"
    STRICT = "strict"
    """Hits are returned only if an answer is quite likely."""


@dataclass(frozen=True, slots=True)
class Confidence:
    """Probability that a drawer answers: weights of a logistic regression, measured for one embedding model."""

    constant: float
    similarity: float
    coverage: float
    above: float
    """Weight of its similarity above that of the ten next similar drawers."""
    tenfold: float
    """Weight of the decimal logarithm of the number of drawers."""
    first: float
    """Weight of being the first hit."""
    asking: float
    """Weight of being a mere question."""
    answering: float
    """Weight of answering a question that was found as well."""


@dataclass(frozen=True, slots=True)
class Chance:
    """Weights of a logistic regression for the probability that any drawer answers, fitted for one embedding model."""

    constant: float
    similarity: float
    """Weight of the largest similarity."""
    coverage: float
    """Weight of the part of the largest coverage above one half."""
    ahead: float
    """Weight of the lead of the largest similarity over the next."""
    tenfold: float
    """Weight of the decimal logarithm of the number of drawers."""
    lacking: float
    """Weight of a first hit without the number or date that the query asks for."""
    answering: float
    """Weight of a first hit that replies to a question that was also found."""
    unknown: float
    """Weight of a given name in the query that no drawer contains."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """Values measured for one embedding model, because similarities of models are not comparable."""

    floor: Floor = Floor()
    similarity: float = 1.05
    """Weight of the signal `similarity`."""
    confidence: Confidence | None = None
    """None for a model without measurement."""
    chance: Chance | None = None
    """None for a model without measurement."""
    same: float = 0.9
    """Cosine similarity above which two statements may say the same."""
    alike: float = 0.7
    """Cosine similarity from which on two statements are alike."""
    related: float = 0.4
    """Cosine similarity from which on one statement may say otherwise than another."""
