"""Limits the hits that are returned: by the chance of an answer, by relevance, and for broad questions. Pure.

``python -m bench.everyday.calibrate`` fits chance and confidence of the bundled model, on palaces of 1 to 400 drawers;
``python -m bench.longmemeval calibrate`` measures floor and weight for the model of the settings.
"""

from __future__ import annotations

import math
from collections.abc import Container, Mapping, Sequence
from dataclasses import astuple, dataclass
from functools import lru_cache

from palace.config.settings import BUNDLED_MODEL, LANGUAGES_MODEL
from palace.models import Calibration, Chance, Compared, Confidence, Floor, FloorLevel, Hit
from palace.recall.fuse import Fused
from palace.recall.intent import Intent
from palace.recall.signals import says_nothing

OF_KIND = 0.8
"""Least coverage, for a query about a kind of things, of a drawer that names one of the kind."""
SHIFTS: Mapping[FloorLevel, float] = {FloorLevel.LOW: -0.06, FloorLevel.NORMAL: 0.0, FloorLevel.STRICT: 0.12}
"""Offset of each level to the thresholds of relevance."""
CUTS: Mapping[FloorLevel, float] = {FloorLevel.LOW: 0.1, FloorLevel.NORMAL: 0.17, FloorLevel.STRICT: 0.22}
"""Probability of an answer below which each level returns nothing."""
BESIDE_BEST = 0.1
"""Share of the best hit's confidence that an unlikely hit must reach, unless its score is a third of the best."""


def relevance(drawer: Compared, floor: Floor) -> float:
    """Return how relevant a drawer is to a query: its similarity plus a share of its coverage.

    A drawer that names one of the requested kind counts as containing the general word.
    """
    coverage = max(drawer.coverage, OF_KIND) if drawer.names_kind else drawer.coverage
    return (drawer.similarity or 0.0) + coverage * floor.coverage


def relevance_of(fused: Fused, floor: Floor) -> float:
    """Return the relevance of a ranked entry: a drawer, or the more relevant of a question and its answer."""
    own = relevance(fused.drawer, floor)
    return own if fused.question is None else max(own, relevance(fused.question, floor))


def above_floor(ranked: Sequence[Fused], floor: Floor, level: FloorLevel = FloorLevel.NORMAL) -> list[Fused]:
    """Return the relevant drawers, in order, or [] if not even the best is relevant enough.

    If the best one is, a lower threshold applies to the others.
    """
    if level is FloorLevel.NONE:
        return list(ranked)
    least = floor.recollection + SHIFTS[level]
    # A matching title makes a drawer relevant, but does not lift it above the threshold of a hit.
    if not any(relevance_of(fused, floor) + fused.drawer.named * floor.coverage >= least for fused in ranked):
        return []
    return [fused for fused in ranked if relevance_of(fused, floor) >= floor.hit + SHIFTS[level]]


def similar_enough(ranked: Sequence[Fused], least: float) -> list[Fused]:
    """Return the entries whose drawer or question is at least this similar to the query."""
    if least <= 0:
        return list(ranked)
    return [each for each in ranked if max(_similarity(each.drawer), _similarity(each.question)) >= least]


def _similarity(drawer: Compared | None) -> float:
    return (drawer.similarity or 0.0) if drawer else 0.0


def without_tail(hits: Sequence[Hit], floor: Floor, level: FloorLevel = FloorLevel.NORMAL) -> tuple[Hit, ...]:
    """Return the hits without those that are far behind the best one and unlikely to answer.

    The first hit, replies to questions that were also found, newer versions of other hits and standing instructions are
    always returned; at the levels "none" and "low" all hits are.
    """
    if level in (FloorLevel.NONE, FloorLevel.LOW):
        return tuple(hits)
    least = min(floor.unlikely, BESIDE_BEST * max((hit.confidence or 0.0 for hit in hits), default=0.0))
    near = max((hit.score for hit in hits), default=0.0) / 3
    newer = {hit.newer for hit in hits}

    def stays(hit: Hit) -> bool:
        is_near = hit.confidence is None or hit.confidence >= least or hit.score >= near
        return is_near or hit.question is not None or hit.drawer.pointer in newer or hit.is_standing

    return tuple(hit for place, hit in enumerate(hits) if place == 0 or stays(hit))


UNKNOWN = Calibration()
"""Calibration of a model that was never measured, and of no model."""

CALIBRATIONS: Mapping[str, Calibration] = dict.fromkeys(
    (BUNDLED_MODEL, LANGUAGES_MODEL),
    Calibration(
        Floor(recollection=0.0, hit=0.08),
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
        chance=Chance(
            constant=-2.3,
            similarity=5.67,
            coverage=6.15,
            ahead=3.76,
            tenfold=-0.15,
            lacking=-2.28,
            answering=1.5,
            unknown=-4.27,
        ),
        same=0.87,
        alike=0.5,
    ),
)
"""By name of the model, as generations record it."""


def calibration_of(model: str | None) -> Calibration:
    """Return the calibration of a model, or the default one."""
    return CALIBRATIONS.get(model, UNKNOWN) if model else UNKNOWN


BESIDE = 10
"""Number of most similar other drawers that a drawer is compared with."""

PENDING = 0.5
"""Similarity that is assumed of a drawer whose vector is not made yet, if it has every word of the query."""

Features = tuple[float, ...]
"""Similarity; coverage; the excess of similarity over the mean of the ``BESIDE`` best others; the decimal logarithm of
the number of drawers; and 1 for each of: ranked first, says nothing, answers a question.
"""


def features_of(fused: Fused, compared: Sequence[Compared], *, drawers: int, is_first: bool) -> Features:
    """Return the features that predict whether a drawer answers, in a palace of ``drawers`` drawers."""
    drawer = fused.drawer
    similarity = similarity_or_words(drawer)
    others = sorted((each.similarity or 0.0 for each in compared if each is not drawer), reverse=True)[:BESIDE]
    above = similarity - math.fsum(others) / len(others) if others else 0.0
    asking, answering = says_nothing(drawer), fused.question is not None
    tens = math.log10(max(drawers, 1))
    return (similarity, min(drawer.coverage, 1.0), above, tens, float(is_first), float(asking), float(answering))


MANY = 0.5
"""Coverage above which the query's words are evidence of an answer: other drawers contain some of them too."""


def similarity_or_words(drawer: Compared) -> float:
    """Return the similarity of a drawer, or a share of its coverage if its vector is pending."""
    return PENDING * min(drawer.coverage, 1.0) if drawer.similarity is None else drawer.similarity


def likelihood(features: Features, confidence: Confidence | Chance) -> float:
    """Return the probability of an answer, in [0, 1], by the embedding model's calibration."""
    weights = _weights(confidence)
    worth = weights[0] + math.fsum(weight * value for weight, value in zip(weights[1:], features, strict=True))
    return 1 / (1 + math.exp(-worth))


_weights = lru_cache(maxsize=16)(astuple)

USUAL = 5
"""Default number of hits."""
LONGEST_TEXT = 1200
"""Most characters of a drawer that a block shows."""
HEAD = 60
"""Characters of a drawer's head in a block: its pointer, date and role."""


@dataclass(frozen=True, slots=True)
class Broad:
    """Limits for broad questions, which ask for all of a kind."""

    hits: int = 15
    """Default number of hits."""
    reach: float = 0.3
    """Least relevance, as a share of the best one, of each hit beyond the first five."""
    characters: int = 6000
    """Most characters of all hits together, as a block shows them."""
    alike: float = 0.92
    """Cosine similarity from which two drawers say the same, which counts once among the first."""
    looked_at: int = 40
    """How many of the best drawers are compared with each other; 0 for none."""


def hits_wanted(top_k: int | None, intent: Intent, numbers: Broad) -> int:
    """Return the largest number of hits to return."""
    if top_k is not None:
        return top_k
    return max(numbers.hits, USUAL) if intent.breadth.is_broad else USUAL


def told_once(ranked: Sequence[Fused], alike: Container[frozenset[int]], front: int) -> list[Fused]:
    """Move entries that repeat an earlier one behind the first ``front`` entries, keeping the order."""
    kept: list[Fused] = []
    again: list[Fused] = []
    for each in ranked:
        is_told = len(kept) < front and any(_pair(each, other) in alike for other in kept)
        (again if is_told else kept).append(each)
    if not again:
        return list(ranked)
    return [*kept[:front], *sorted([*kept[front:], *again], key=lambda each: -each.score)]


def within_reach(ranked: Sequence[Fused], floor: Floor, numbers: Broad) -> list[Fused]:
    """Drop entries beyond the first five that are much less relevant than the best."""
    best = max((relevance_of(each, floor) for each in ranked), default=0.0)
    least = numbers.reach * best
    return [each for place, each in enumerate(ranked) if place < USUAL or relevance_of(each, floor) >= least]


def within_budget(hits: Sequence[Hit], numbers: Broad) -> tuple[Hit, ...]:
    """Drop hits beyond the first five that exceed the limit of characters, counted as a block shows them."""
    left, kept = numbers.characters, []
    for place, hit in enumerate(hits):
        shown = (*hit.asked_before(), hit.drawer, *hit.after)
        left -= sum(min(len(drawer.content), LONGEST_TEXT) + HEAD for drawer in shown)
        if place < USUAL or left >= 0:
            kept.append(hit)
    return tuple(kept)


def _pair(one: Fused, other: Fused) -> frozenset[int]:
    return frozenset((one.id, other.id))
