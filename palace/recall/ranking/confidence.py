"""How likely it is that a drawer answers, from how it stands out among what was compared. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence

from palace.records import Compared, Confidence

BESIDE = 10
"""How many of the most similar others a drawer is held against."""

Features = tuple[float, float, float, float, float]
"""Similarity; coverage; by how much it is more similar than the ``BESIDE`` best others on average; the power of ten of
how many drawers there are; 1 for the one that stands first."""


def features_of(drawer: Compared, compared: Sequence[Compared], *, drawers: int, is_first: bool) -> Features:
    """Give what tells how likely a drawer of a palace of so many ``drawers`` answers."""
    similarity = drawer.similarity or 0.0
    others = sorted((each.similarity or 0.0 for each in compared if each is not drawer), reverse=True)[:BESIDE]
    above = similarity - math.fsum(others) / len(others) if others else 0.0
    return (similarity, min(drawer.coverage, 1.0), above, math.log10(max(drawers, 1)), float(is_first))


def likelihood(features: Features, confidence: Confidence) -> float:
    """Give how likely it is, in [0, 1], as was measured for an embedding model."""
    similarity, coverage, above, tens, first = features
    return 1 / (
        1
        + math.exp(
            -(
                confidence.constant
                + confidence.similarity * similarity
                + confidence.coverage * coverage
                + confidence.above * above
                + confidence.tenfold * tens
                + confidence.first * first
            )
        )
    )
