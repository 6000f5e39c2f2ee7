"""Fusing what the arms propose into one order of drawers. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from palace.records import ArmScore, Candidate, PassageKey

WEIGHTS: Mapping[str, float] = {"semantic": 0.5, "keyword": 0.5}


@dataclass(frozen=True, slots=True)
class Fused:
    """A drawer that at least one arm proposes."""

    drawer_id: int
    score: float
    """In [0, 1]; comparable within one fusion."""
    passage: PassageKey
    """The passage that speaks most for it."""
    arms: tuple[ArmScore, ...]
    coverage: float
    """The keyword arm's: share of the query's rare-word weight it holds; 0 where that arm does not propose it."""

    def arm_score(self, arm: str) -> float | None:
        """Give an arm's own score; None where it does not propose this drawer."""
        return next((score.score for score in self.arms if score.arm == arm), None)


def fuse(proposals: Mapping[str, Sequence[Candidate]], weights: Mapping[str, float] = WEIGHTS) -> list[Fused]:
    """Order the union of all drawers proposed, best first; ties by drawer id.

    A drawer counts with its best passage in each arm. An arm's scores are stretched to [0, 1] over what it proposes,
    a lone one to 1, and summed by weight; a drawer that an arm does not propose gets nothing from it.
    """
    drawers: dict[int, dict[str, tuple[Candidate, float, int]]] = {}
    for arm, candidates in proposals.items():
        best = _best_passages(candidates)
        for rank, (candidate, stretched) in enumerate(_stretched(best), start=1):
            drawers.setdefault(candidate.key.drawer_id, {})[arm] = (candidate, stretched, rank)
    fused = [_fused(drawer_id, by_arm, weights) for drawer_id, by_arm in drawers.items()]
    return sorted(fused, key=lambda drawer: (-drawer.score, drawer.drawer_id))


def _best_passages(candidates: Sequence[Candidate]) -> list[Candidate]:
    best: dict[int, Candidate] = {}
    for candidate in candidates:
        known = best.get(candidate.key.drawer_id)
        if known is None or candidate.score > known.score:
            best[candidate.key.drawer_id] = candidate
    return sorted(best.values(), key=lambda candidate: (-candidate.score, candidate.key))


def _stretched(candidates: Sequence[Candidate]) -> list[tuple[Candidate, float]]:
    if not candidates:
        return []
    low, high = candidates[-1].score, candidates[0].score
    if high <= low:
        return [(candidate, 1.0) for candidate in candidates]
    return [(candidate, (candidate.score - low) / (high - low)) for candidate in candidates]


def _fused(drawer_id: int, by_arm: Mapping[str, tuple[Candidate, float, int]], weights: Mapping[str, float]) -> Fused:
    total = sum(weights.values())
    score = sum(weights[arm] * stretched for arm, (_, stretched, _) in by_arm.items()) / total
    speaking = max(by_arm, key=lambda arm: weights[arm] * by_arm[arm][1])
    arms = tuple(ArmScore(arm, candidate.score, rank) for arm, (candidate, _, rank) in sorted(by_arm.items()))
    coverage = max((candidate.coverage for candidate, _, _ in by_arm.values()), default=0.0)
    return Fused(drawer_id, score, by_arm[speaking][0].key, arms, coverage)
