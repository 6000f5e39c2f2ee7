"""The order in which hits are given back: the best first, or as they were said. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from palace.errors import BadRequest
from palace.records import Hit, HitOrder


def order_of(order: object) -> HitOrder:
    """Read what a caller gives.

    Raises:
        BadRequest: there is no such order.
    """
    for each in HitOrder:
        if each == order:
            return each
    raise BadRequest(f"order must be one of {', '.join(HitOrder)}, not {order!r}")


def in_order(hits: Sequence[Hit], order: HitOrder) -> tuple[Hit, ...]:
    """Put hits in order; in that of time those of one moment as they stand in their room, undated ones last."""
    if order is HitOrder.RELEVANCE:
        return tuple(hits)
    return tuple(sorted(hits, key=_when))


def _when(hit: Hit) -> tuple[bool, float, int, int, int]:
    drawer = hit.drawer
    said_at = drawer.said_at
    return (said_at is None, said_at.timestamp() if said_at else 0.0, *drawer.pointer)
