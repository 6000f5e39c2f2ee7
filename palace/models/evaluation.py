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
    """A captured query and its hits then and now."""

    captured: CapturedQuery
    pointers: tuple[str, ...]
    """Of the hits now, in order, without drawers that were filed since."""
    gone: tuple[str, ...]
    """Hits of then that are forgotten or replaced since; they count neither way."""
    milliseconds: float

    @property
    def before(self) -> tuple[str, ...]:
        """Return the hits of then that still exist, in order."""
        return tuple(each for each in self.captured.pointers if each not in self.gone)

    @property
    def lost(self) -> tuple[str, ...]:
        """Return the hits of then that are not among those of now."""
        return tuple(each for each in self.before if each not in self.pointers)

    @property
    def new(self) -> tuple[str, ...]:
        """Return the hits of now that were not among those of then."""
        return tuple(each for each in self.pointers if each not in self.before)

    @property
    def is_same(self) -> bool:
        """Return whether both have the same hits in the same order."""
        return self.before == self.pointers

    @property
    def has_same_first(self) -> bool:
        """Return whether both begin with the same hit, or both have none."""
        return self.before[:1] == self.pointers[:1]


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
        return sum(each.is_same for each in self.queries)

    @property
    def same_first(self) -> int:
        """Return how many have the same first hit."""
        return sum(each.has_same_first for each in self.queries)

    @property
    def kept(self) -> float:
        """Return which share, in [0, 1], of the hits of then is among those of now; 1 where there were none."""
        before = sum(len(each.before) for each in self.queries)
        return 1 - sum(len(each.lost) for each in self.queries) / before if before else 1.0
