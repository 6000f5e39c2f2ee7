"""How likely it is that a drawer answers, from how it stands out among what was compared. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import astuple

from palace.recall.ranking.fuse import Fused
from palace.recall.ranking.signals import says_nothing
from palace.records import Compared, Confidence

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
