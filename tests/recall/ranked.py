"""Drawers as they are compared and ranked, made by hand."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from palace.models import Compared, PassageKey
from palace.recall.floor import CALIBRATIONS
from palace.recall.fuse import Fused, Fusion, fuse
from palace.recall.signals import SIGNALS, Background

__all__ = ["CALIBRATIONS", "SIGNALS", "Background", "Fused", "Fusion", "fuse"]

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)


def drawer(number: int, similarity: float | None = 0.0, **known: Any) -> Compared:
    """A drawer of its own room and conversation, said by the person a month before, unless told otherwise."""
    features: dict[str, Any] = {
        "room_id": number,
        "turn": (number, 0),
        "is_person": True,
        "said_at": NOW - timedelta(days=30),
        "speaks_of_it": False,
        "keyword": 0.0,
        "phrase": 0.0,
        "coverage": 0.0,
        **known,
    }
    return Compared(passage=PassageKey(number, 0), similarity=similarity, **features)


def fused(number: int, *, worth: float | None = None, **known: Any) -> Fused:
    """A ranked drawer, worth less the higher its number unless told otherwise."""
    return Fused(drawer(number, **known), 1 - number / 100 if worth is None else worth)


def order(ranked: Iterable[Fused]) -> list[int]:
    """The numbers of drawers as they stand."""
    return [each.drawer.passage.drawer_id for each in ranked]
