"""The relevance floor: when nothing is relevant, nothing is said. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from palace.recall.ranking.fuse import Fused
from palace.records import Compared, Floor


def relevance(drawer: Compared, floor: Floor) -> float:
    """Give how relevant a drawer is to a query by itself: its similarity, and a share of its coverage."""
    return (drawer.similarity or 0.0) + drawer.coverage * floor.coverage


def above_floor(ranked: Sequence[Fused], floor: Floor) -> list[Fused]:
    """Keep the drawers worth giving back, in order; none when not even the most relevant is relevant enough.

    With that given, the others need only a trace.
    """
    if not any(relevance(fused.drawer, floor) >= floor.recollection for fused in ranked):
        return []
    return [fused for fused in ranked if relevance(fused.drawer, floor) >= floor.hit]
