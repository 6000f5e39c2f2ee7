"""What recall answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from palace.records.place import Drawer, PassageKey, Span
from palace.records.source import Role


@dataclass(frozen=True, slots=True)
class ArmScore:
    """What one arm thought of a hit."""

    arm: str
    """"semantic", "keyword", "room", "time" or "choice"."""
    score: float
    """The arm's own score: cosine similarity, BM25, or a share of 1."""
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
    again: tuple[Drawer, ...] = ()
    """Further drawers that say the same, but for case and space: it stands for them."""
    reranked: int | None = None
    """Place, from 1, at which a language model put it; None where none did."""


@dataclass(frozen=True, slots=True)
class Recollection:
    """The answer to a query: hits, best first; none when nothing is relevant."""

    query: str
    hits: tuple[Hit, ...]
    warnings: tuple[str, ...] = ()
    timings_ms: dict[str, float] = field(default_factory=dict)
    """Milliseconds by step: "embed", "semantic", "keyword", "compare", "load", "rerank", "total"."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Where recall looks; what the caller gives filters, nothing else does."""

    wing_id: int | None = None
    since: datetime | None = None
    until: datetime | None = None
    tools: bool = False
    """Consider what tools were told and returned."""
    role: Role | None = None
    """Only what was said in this role."""
    speaker: str | None = None
    """Only what was said by a speaker of this name; case does not matter."""

    @property
    def is_open(self) -> bool:
        """Whether nothing is filtered out but tools."""
        return self == Scope(tools=self.tools)


class Candidate(NamedTuple):
    """A passage that an arm proposes."""

    key: PassageKey
    score: float
    """The arm's own: cosine similarity, or BM25."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A drawer compared with a query in every way that ranks it, whichever arm proposed it."""

    passage: PassageKey
    """The passage that speaks most for it; never a single sentence."""
    room_id: int
    turn: tuple[int, int]
    """Its conversation and its place in it: who stands next to whom."""
    is_person: bool
    """Whether the person said it, rather than an assistant, a system or a tool."""
    said_at: datetime
    speaks_of_it: bool
    """Whether it speaks of a time that the query asks for."""
    similarity: float | None
    """Of its nearest vector; None where it has none, or the query has none."""
    choice: float | None
    """Of the nearest vector of what it prefers; None where it states no choice."""
    keyword: float
    """BM25 of its best passage."""
    phrase: float
    """The same, of the query's words that stand beside each other."""
    coverage: float
    """The share of the query's rare-word weight that one passage holds, in [0, 1]."""
    is_replaced: bool = False
    """Its source says something else in its place by now, or nothing."""
    replaced_by: int | None = None
    """The drawer that took its place, by id."""
