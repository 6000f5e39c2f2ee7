"""The relevance floor, how likely a hit answers, and what was measured for one embedding model. Pure.

``python -m bench.everyday.calibrate`` fits floor and confidence of the bundled model, on palaces of 1 to 400 drawers;
``python -m bench.longmemeval calibrate`` measures floor and weight of the model that the settings name.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import astuple

from palace.config.settings import BUNDLED_MODEL
from palace.models import Calibration, Compared, Confidence, Floor, FloorLevel, Hit
from palace.recall.fuse import Fused
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


HELD = "standing"
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
        is_held = hit.question is not None or hit.drawer.pointer in newer or any(arm.arm == HELD for arm in hit.arms)
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
