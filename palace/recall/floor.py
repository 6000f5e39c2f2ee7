"""How many hits are given back: what is relevant enough, how likely it answers, and more of a broad question. Pure.

``python -m bench.everyday.calibrate`` fits floor and confidence of the bundled model, on palaces of 1 to 400 drawers;
``python -m bench.longmemeval calibrate`` measures floor and weight of the model that the settings name.
"""

from __future__ import annotations

import math
from collections.abc import Container, Mapping, Sequence
from dataclasses import astuple, dataclass

from palace.config.settings import BUNDLED_MODEL
from palace.models import Calibration, Compared, Confidence, Floor, FloorLevel, Hit
from palace.recall.fuse import Fused
from palace.recall.intent import Intent
from palace.recall.signals import says_nothing

OF_KIND = 0.8
"""What naming one of a kind covers, at least, of a query that asks for that kind."""
SHIFTS: Mapping[FloorLevel, float] = {FloorLevel.LOW: -0.06, FloorLevel.NORMAL: 0.0, FloorLevel.STRICT: 0.12}
"""By how much a level is stricter than the usual one."""


def relevance(drawer: Compared, floor: Floor) -> float:
    """Give how relevant a drawer is to a query by itself: its similarity, and a share of its coverage.

    What names one of the kind that the query asks for says the general word, though not in so many letters.
    """
    coverage = max(drawer.coverage, OF_KIND) if drawer.names_kind else drawer.coverage
    return (drawer.similarity or 0.0) + coverage * floor.coverage


def relevance_of(fused: Fused, floor: Floor) -> float:
    """Give how relevant what stands in one place is: a drawer, or a question and its answer, whichever is more so."""
    drawers = (fused.drawer, fused.question) if fused.question else (fused.drawer,)
    return max(relevance(drawer, floor) for drawer in drawers)


def least_of(floor: Floor, drawers: int) -> float:
    """Give what the most relevant of so many drawers must reach: some of many are near to any query by chance."""
    return floor.recollection + floor.tenfold * math.log10(max(drawers, 1))


def above_floor(
    ranked: Sequence[Fused], floor: Floor, *, drawers: int = 1, level: FloorLevel = FloorLevel.NORMAL
) -> list[Fused]:
    """Keep the drawers worth giving back, in order; none when not even the most relevant is relevant enough.

    With that given, the others need only a trace.
    """
    if level is FloorLevel.NONE:
        return list(ranked)
    least = least_of(floor, drawers) + SHIFTS[level]
    # What stands under a title is relevant to it; that alone makes it no better than the others.
    if not any(relevance_of(fused, floor) + fused.drawer.named * floor.coverage >= least for fused in ranked):
        return []
    return [fused for fused in ranked if relevance_of(fused, floor) >= floor.hit + SHIFTS[level]]


def similar_enough(ranked: Sequence[Fused], least: float) -> list[Fused]:
    """Keep what is at least so similar to the query, a question or its answer."""
    if least <= 0:
        return list(ranked)
    return [each for each in ranked if max(_similarity(each.drawer), _similarity(each.question)) >= least]


def _similarity(drawer: Compared | None) -> float:
    return (drawer.similarity or 0.0) if drawer else 0.0


STANDING = "standing"
"""The reason of what was asked for once and for all; it is near to no query."""


def without_tail(hits: Sequence[Hit], floor: Floor, *, level: FloorLevel = FloorLevel.NORMAL) -> tuple[Hit, ...]:
    """Drop the hits that are far behind the best one and hardly answer, by what was measured for the model.

    What answers a question that was found as well stays, and so does what is named as the newer of another, and what
    the person asked for once and for all.
    """
    if level is FloorLevel.NONE:
        return tuple(hits)
    least = floor.tail * max((hit.score for hit in hits), default=0.0)
    newer = {hit.newer for hit in hits}

    def stays(hit: Hit) -> bool:
        is_likely = hit.confidence is None or hit.confidence >= floor.unlikely
        is_held = (
            hit.question is not None or hit.drawer.pointer in newer or any(arm.arm == STANDING for arm in hit.arms)
        )
        return hit.score >= least or is_likely or is_held

    return tuple(hit for place, hit in enumerate(hits) if place == 0 or stays(hit))


UNKNOWN = Calibration()
"""Of a model that was never measured, and of no model at all."""

CALIBRATIONS: Mapping[str, Calibration] = {
    BUNDLED_MODEL: Calibration(
        Floor(recollection=0.10, tenfold=0.05, hit=0.08, tail=0.33),
        similarity=1.05,
        confidence=Confidence(
            constant=-3.38,
            similarity=9.25,
            coverage=0.0,
            above=-1.14,
            tenfold=-0.9,
            first=1.32,
            asking=-5.47,
            answering=1.34,
        ),
    ),
}
"""By the name of the model, as generations record it."""


def calibration_of(model: str | None) -> Calibration:
    """Give what was measured for a model, the usual values for one that was not."""
    return CALIBRATIONS.get(model, UNKNOWN) if model else UNKNOWN


BESIDE = 10
"""How many of the most similar others a drawer is held against."""

Features = tuple[float, ...]
"""Similarity; coverage; by how much it is more similar than the ``BESIDE`` best others on average; the power of ten of
how many drawers there are; 1 for the one that stands first, for what says nothing, for what answers a question."""


def features_of(fused: Fused, compared: Sequence[Compared], *, drawers: int, is_first: bool) -> Features:
    """Give what tells how likely a drawer of a palace of so many ``drawers`` answers."""
    drawer = fused.drawer
    similarity = drawer.similarity or 0.0
    others = sorted((each.similarity or 0.0 for each in compared if each is not drawer), reverse=True)[:BESIDE]
    above = similarity - math.fsum(others) / len(others) if others else 0.0
    asking, answering = says_nothing(drawer), fused.question is not None
    tens = math.log10(max(drawers, 1))
    return (similarity, min(drawer.coverage, 1.0), above, tens, float(is_first), float(asking), float(answering))


def likelihood(features: Features, confidence: Confidence) -> float:
    """Give how likely it is, in [0, 1], as was measured for an embedding model."""
    weights = astuple(confidence)
    worth = weights[0] + math.fsum(weight * value for weight, value in zip(weights[1:], features, strict=True))
    return 1 / (1 + math.exp(-worth))


USUAL = 5
"""Hits that are given back where the caller says nothing else."""
LONGEST_TEXT = 1200
"""Characters of a drawer that a block shows."""
HEAD = 60
"""Characters that a block puts in front of a drawer: its pointer, date and role."""


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


def within_budget(hits: Sequence[Hit], numbers: Broad) -> tuple[Hit, ...]:
    """Leave out, beyond the first five, what no longer fits; of each drawer count the characters that a block shows."""
    left, kept = numbers.characters, []
    for place, hit in enumerate(hits):
        shown = (*hit.asked_before(), hit.drawer, *hit.after)
        left -= sum(min(len(drawer.content), LONGEST_TEXT) + HEAD for drawer in shown)
        if place < USUAL or left >= 0:
            kept.append(hit)
    return tuple(kept)


def _pair(one: Fused, other: Fused) -> frozenset[int]:
    return frozenset((one.id, other.id))
