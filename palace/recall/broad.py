"""More than five hits, where a query asks for all of a kind: over rooms and times, each statement once. Pure."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace

from palace.models import Floor, Hit
from palace.recall.floor import relevance_of
from palace.recall.fuse import Diversity, Fused, Weighing
from palace.recall.intent import Intent

USUAL = 5
"""Hits that are given back where the caller says nothing else."""


@dataclass(frozen=True, slots=True)
class Broad:
    """How a broad question is answered."""

    hits: int = 15
    """The most that are given back where the caller gives no number."""
    diversity: float = 0.15
    """As that of other questions, in all of these places."""
    reach: float = 0.3
    """The share of the best relevance that each beyond the first five has."""
    characters: int = 6000
    """What they may take together, as a block shows them."""
    alike: float = 0.92
    """The likeness (cosine) from which on two say one thing, which counts once in front."""
    looked_at: int = 40
    """How many of the best are held against each other; 0 for none."""


def hits_wanted(top_k: int | None, intent: Intent, numbers: Broad) -> int:
    """Say how many hits are given back at most."""
    if top_k is not None:
        return top_k
    return max(numbers.hits, USUAL) if intent.breadth.is_broad else USUAL


def spread(weighing: Weighing, intent: Intent, numbers: Broad) -> Weighing:
    """Have rooms take turns in all the places that a broad question fills."""
    if not intent.breadth.is_broad:
        return weighing
    front = max(numbers.hits, weighing.diversity.front)
    return replace(weighing, diversity=Diversity(numbers.diversity, front))


def told_once(ranked: Sequence[Fused], alike: Container[frozenset[int]], front: int) -> list[Fused]:
    """Put what says the same as one in front of it behind the front, in order."""
    kept: list[Fused] = []
    again: list[Fused] = []
    for each in ranked:
        is_told = len(kept) < front and any(_pair(each, other) in alike for other in kept)
        (again if is_told else kept).append(each)
    if not again:
        return list(ranked)
    return [*kept[:front], *sorted([*kept[front:], *again], key=lambda each: -each.score)]


def within_reach(ranked: Sequence[Fused], floor: Floor, numbers: Broad) -> list[Fused]:
    """Leave out, beyond the first five, what is much less relevant than the best."""
    best = max((relevance_of(each, floor) for each in ranked), default=0.0)
    least = numbers.reach * best
    return [each for place, each in enumerate(ranked) if place < USUAL or relevance_of(each, floor) >= least]


def within_budget(hits: Sequence[Hit], longest: int, numbers: Broad) -> tuple[Hit, ...]:
    """Leave out, beyond the first five, what no longer fits; of each drawer ``longest`` characters count at most."""
    left, kept = numbers.characters, []
    for place, hit in enumerate(hits):
        left -= sum(
            min(len(drawer.content), longest) + HEAD for drawer in (*hit.asked_before(), hit.drawer, *hit.after)
        )
        if place < USUAL or left >= 0:
            kept.append(hit)
    return tuple(kept)


HEAD = 60
"""Characters that a block puts in front of a drawer: its pointer, date and role."""


def _pair(one: Fused, other: Fused) -> frozenset[int]:
    return frozenset((one.drawer.passage.drawer_id, other.drawer.passage.drawer_id))
