"""Entities as they are compared, and pairs of them that may be one. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from palace.graph.names.forms import Sort
from palace.records.graph import Likeness


class Candidate(NamedTuple):
    """An entity as it is compared with others."""

    id: int
    sort: Sort
    folded: str
    """The name that it goes by."""
    times: int
    """How often it is named."""


class DoubtfulPair(NamedTuple):
    """Two entities that may be one; the one with the shorter name is first."""

    one: Candidate
    other: Candidate
    likeness: Likeness


def in_order(one: Candidate, other: Candidate) -> tuple[Candidate, Candidate]:
    """Put two in the order of a pair."""
    first, second = sorted((one, other), key=lambda each: (len(each.folded), each.folded))
    return first, second


def likeliest_first(pairs: Iterable[DoubtfulPair]) -> list[DoubtfulPair]:
    """Order pairs by what is alike in them, then by how often they are named, then by name."""
    order = list(Likeness)
    return sorted(
        pairs,
        key=lambda pair: (
            order.index(pair.likeness),
            -min(pair.one.times, pair.other.times),
            pair.one.folded,
            pair.other.folded,
        ),
    )
