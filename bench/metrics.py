"""Scores of rankings, and how sure they are. Pure.

A ranking is the ids of what was found, best first, each once; gold is the ids that hold the answer. What was never
found counts as ranked below everything.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np

RESAMPLES = 2000
CONFIDENCE = 0.95


class Interval(NamedTuple):
    """Between which values a mean lies, with 95 % confidence."""

    low: float
    high: float


class Difference(NamedTuple):
    """How much better the second of two runs is on the same questions."""

    mean: float
    interval: Interval
    better: int
    """Questions on which the second run scores higher."""
    worse: int


def recall_any(ranking: Sequence[str], gold: Collection[str], k: int) -> float:
    """Score 1 when at least one gold id is among the first k, else 0. Gold must not be empty."""
    return float(any(found in gold for found in ranking[:k]))


def recall_all(ranking: Sequence[str], gold: Collection[str], k: int) -> float:
    """Score 1 when every gold id is among the first k, else 0. Gold must not be empty."""
    return float(set(gold) <= set(ranking[:k]))


def recall_share(ranking: Sequence[str], gold: Collection[str], k: int) -> float:
    """Give the share of gold ids among the first k. Gold must not be empty."""
    return len(set(gold) & set(ranking[:k])) / len(set(gold))


def ndcg(ranking: Sequence[str], gold: Collection[str], k: int) -> float:
    """Give the normalised discounted gain of the first k, in [0, 1]; gains are 0 or 1.

    Discounted as LongMemEval's own evaluation does it (``evaluate_retrieval``): places 1 and 2 count whole, place i
    by 1 / log2(i). The ideal is all of the gold in front, whether or not it was found.
    """
    gains = [float(found in gold) for found in ranking[:k]]
    ideal = _discounted([1.0] * min(k, len(set(gold))))
    return _discounted(gains) / ideal if ideal else 0.0


def reciprocal_rank(ranking: Sequence[str], gold: Collection[str]) -> float:
    """Give 1 / the place of the first gold id, 0 when none was found."""
    return next((1 / place for place, found in enumerate(ranking, 1) if found in gold), 0.0)


MEASURES = {"any": recall_any, "all": recall_all, "share": recall_share, "ndcg": ndcg}
"""Scores of the first k, by the names that figures have."""


class Chance(NamedTuple):
    """What an order drawn by lot scores on average: so many ids, of which so many are gold, at least one."""

    ids: int
    gold: int

    def recall_any(self, k: int) -> float:
        """Give the chance that at least one gold id is among the first k."""
        return 1 - math.comb(self.ids - self.gold, min(k, self.ids)) / math.comb(self.ids, min(k, self.ids))

    def recall_all(self, k: int) -> float:
        """Give the chance that every gold id is among the first k."""
        drawn = min(k, self.ids)
        if drawn < self.gold:
            return 0.0
        return math.comb(self.ids - self.gold, drawn - self.gold) / math.comb(self.ids, drawn)

    def recall_share(self, k: int) -> float:
        """Give the expected share of gold ids among the first k."""
        return min(k, self.ids) / self.ids

    def ndcg(self, k: int) -> float:
        """Give the expected gain of the first k."""
        drawn = _discounted([self.gold / self.ids] * min(k, self.ids))
        return drawn / _discounted([1.0] * min(k, self.gold))

    def reciprocal_rank(self) -> float:
        """Give the expected 1 / place of the first gold id."""
        ways = math.comb(self.ids, self.gold)
        places = range(1, self.ids - self.gold + 2)
        return sum(math.comb(self.ids - place, self.gold - 1) / ways / place for place in places)


def percentile(values: Sequence[float], share: float) -> float:
    """Give the smallest value that at least this share of the values does not exceed; 0 of no values."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else 0.0


def percentiles(values: Sequence[float]) -> dict[str, float]:
    """Give what reports call p50 and p95: the median and the 95th percentile."""
    return {"p50": percentile(values, 0.5), "p95": percentile(values, 0.95)}


def interval(values: Sequence[float], *, seed: int = 0) -> Interval:
    """Give the bootstrap interval of the mean (percentiles of 2,000 resamples); of no values (0, 0)."""
    if not values:
        return Interval(0.0, 0.0)
    given = np.asarray(values, np.float64)
    chosen = np.random.default_rng(seed).integers(0, len(given), (RESAMPLES, len(given)))
    edge = (1 - CONFIDENCE) / 2
    low, high = np.quantile(given[chosen].mean(axis=1), (edge, 1 - edge))
    return Interval(float(low), float(high))


def paired_difference(before: Sequence[float], after: Sequence[float], *, seed: int = 0) -> Difference:
    """Compare two runs' scores of the same questions in the same order; questions are resampled, both scores together.

    Raises:
        ValueError: the runs do not have as many scores.
    """
    each = [second - first for first, second in zip(before, after, strict=True)]
    mean = sum(each) / len(each) if each else 0.0
    return Difference(
        mean, interval(each, seed=seed), sum(value > 0 for value in each), sum(value < 0 for value in each)
    )


def _discounted(gains: Sequence[float]) -> float:
    return sum(gain / max(1.0, math.log2(place)) for place, gain in enumerate(gains, 1) if gain)
