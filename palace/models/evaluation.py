"""Captured queries, and what came out when they were asked again."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from palace.models.compared import Scope


@dataclass(frozen=True, slots=True)
class CapturedQuery:
    """A query that was asked, with its options and what was recalled."""

    query: str
    """As it was asked, with secrets replaced."""
    at: datetime
    """The time of the question."""
    scope: Scope
    top_k: int | None
    context: int
    floor: str
    order: str
    agent: str | None
    pointers: tuple[str, ...]
    """Of the hits, in order."""
    milliseconds: float
    """How long recall took."""
    version: str
    """Of the program."""
    model: str | None
    """The embedding model; None if there was none."""


@dataclass(frozen=True, slots=True)
class ReplayedQuery:
    """A captured query with its hits when it was captured and now, as pointers, best first."""

    query: str
    at: datetime
    before: tuple[str, ...]
    """Without drawers that are forgotten since, and memories that no longer hold."""
    now: tuple[str, ...]
    """Without drawers that were filed since."""
    milliseconds_before: float
    milliseconds_now: float
    version: str
    """Of the program that captured it."""
    model: str | None
    """The embedding model of then."""

    @property
    def lost(self) -> tuple[str, ...]:
        """Return the former hits that are not found now."""
        return tuple(each for each in self.before if each not in self.now)

    @property
    def new(self) -> tuple[str, ...]:
        """Return the hits that were not found before."""
        return tuple(each for each in self.now if each not in self.before)


@dataclass(frozen=True, slots=True)
class Replay:
    """All captured queries, asked again."""

    queries: tuple[ReplayedQuery, ...]
    """The latest captured first, each query and its options once."""
    version: str
    model: str | None

    @property
    def same(self) -> int:
        """Return how many have the same hits in the same order."""
        return sum(each.before == each.now for each in self.queries)

    @property
    def same_first(self) -> int:
        """Return how many have the same first hit, or none as before."""
        return sum(each.before[:1] == each.now[:1] for each in self.queries)

    @property
    def kept(self) -> float:
        """Return which share, in [0, 1], of the former hits is found now; 1 where there were none."""
        before = sum(len(each.before) for each in self.queries)
        return 1 - sum(len(each.lost) for each in self.queries) / before if before else 1.0
