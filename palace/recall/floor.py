"""The relevance floor: when nothing is relevant, nothing is said. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from palace.recall.fuse import Fused
from palace.records import Compared

ANSWER = 0.38
HIT = 0.15


def clarity(drawer: Compared) -> float:
    """Give how clearly a drawer speaks to a query by itself: its similarity, and half of its coverage."""
    return (drawer.similarity or 0.0) + drawer.coverage / 2


def above_floor(ranked: Sequence[Fused]) -> list[Fused]:
    """Keep the drawers worth giving back, in order; none when not even the clearest speaks clearly.

    With that given, the others need only a trace.
    """
    if not any(clarity(fused.drawer) >= ANSWER for fused in ranked):
        return []
    return [fused for fused in ranked if clarity(fused.drawer) >= HIT]
