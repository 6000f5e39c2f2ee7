"""The order in which hits are given back: the best first, or as they were said. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from palace.records import Hit, HitOrder


def in_order(hits: Sequence[Hit], order: HitOrder) -> tuple[Hit, ...]:
    """Put hits in order; in that of time those of one moment as they stand in their room, undated ones last."""
    if order is HitOrder.RELEVANCE:
        return tuple(hits)
    return tuple(sorted(hits, key=_when))


def _when(hit: Hit) -> tuple[bool, float, int, int, int]:
    drawer = hit.drawer
    said_at = drawer.said_at
    return (said_at is None, said_at.timestamp() if said_at else 0.0, *drawer.pointer)
