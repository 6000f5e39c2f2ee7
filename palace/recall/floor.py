"""The relevance floor: when nothing is relevant, nothing is said. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from palace.recall.fuse import Fused

ANSWER_SIMILARITY = 0.35
ANSWER_COVERAGE = 0.55
HIT_SIMILARITY = 0.15
HIT_COVERAGE = 0.15


def above_floor(fused: Sequence[Fused]) -> list[Fused]:
    """Keep the drawers worth giving back, in order; none when not even the best speaks clearly.

    Something must be close in meaning, or hold most of what is rare in the query; with that given, the others need
    only a trace of either.
    """
    if not any(_reaches(drawer, ANSWER_SIMILARITY, ANSWER_COVERAGE) for drawer in fused):
        return []
    return [drawer for drawer in fused if _reaches(drawer, HIT_SIMILARITY, HIT_COVERAGE)]


def _reaches(drawer: Fused, similarity: float, coverage: float) -> bool:
    return (drawer.arm_score("semantic") or 0.0) >= similarity or drawer.coverage >= coverage
