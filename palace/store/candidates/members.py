"""Which drawers hold one of some words."""

from __future__ import annotations

from collections.abc import Collection

import sqlalchemy as sa

from palace.store.candidates.words import Word
from palace.store.database import UserSession

_HOLDING = sa.text(
    "SELECT DISTINCT drawer_id FROM passage WHERE user_id = :user_id AND drawer_id = ANY(:drawers)"
    " AND kind NOT IN ('sentence', 'tool') AND tsv @@ CAST(:query AS tsquery)"
)


def drawers_holding(session: UserSession, drawer_ids: Collection[int], words: Collection[Word]) -> set[int]:
    """Choose those of some drawers that hold any of some words."""
    if not drawer_ids or not words:
        return set()
    query = " | ".join(f"({word.query})" for word in words)
    return set(session.execute(_HOLDING, {"drawers": sorted(drawer_ids), "query": query}).scalars())
