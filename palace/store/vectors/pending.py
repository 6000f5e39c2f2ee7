"""Passages that wait for their embedding, and writing it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import sqlalchemy as sa
from sqlalchemy import select

from palace.records import PassageKey, indexed_text
from palace.store.database import UserSession
from palace.tables import Drawer


def list_pending(
    session: UserSession,
    generation_id: int,
    *,
    conversations: Sequence[int] | None,
    after: PassageKey,
    limit: int,
) -> list[tuple[PassageKey, str]]:
    """List pending passages with their texts, in key order after ``after``.

    ``conversations`` restricts them to some conversations; None means all of the user's.
    """
    parameters = {
        "generation_id": generation_id,
        "conversations": None if conversations is None else list(conversations),
        "drawer_id": after.drawer_id,
        "ordinal": after.ordinal,
        "limit": limit,
    }
    rows = session.run("pending_passages", parameters).all()
    contents = _contents(session, sorted({row.drawer_id for row in rows}))
    return [(PassageKey(row.drawer_id, row.ordinal), _text(*contents[row.drawer_id], row)) for row in rows]


def write_embeddings(
    session: UserSession, generation_id: int, keys: Sequence[PassageKey], vectors: npt.NDArray[np.float32]
) -> int:
    """Write ``(n, dimension)`` vectors of pending passages; what was forgotten or embedded meanwhile stays so."""
    if not keys:
        return 0
    parameters: dict[str, Any] = {
        "generation_id": generation_id,
        "drawer_ids": [key.drawer_id for key in keys],
        "ordinals": [key.ordinal for key in keys],
        "vectors": [str(vector.tolist()) for vector in vectors],
    }
    return session.run("write_embeddings", parameters).rowcount


def _text(speaker: str | None, content: str, row: sa.Row[Any]) -> str:
    return indexed_text(speaker, content[row.char_start : row.char_end])


def _contents(session: UserSession, drawer_ids: Sequence[int]) -> dict[int, tuple[str | None, str]]:
    # Whole contents once: cutting passages in SQL would decompress a long drawer for each of them.
    query = select(Drawer.id, Drawer.speaker, Drawer.content)
    rows = session.execute(query.where(Drawer.user_id == session.user_id, Drawer.id.in_(drawer_ids)))
    return {row.id: (row.speaker, row.content) for row in rows}
