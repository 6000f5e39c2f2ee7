"""Measuring one palace: each function gives one result as plain numbers."""

from __future__ import annotations

from bench.scale.corpus import sentences
from palace import Embedder, Palace, Settings


def own_sentences(settings: Settings, *, count: int, embedder: Embedder | None = None) -> list[str]:
    """Take sentences of the user's own drawers, the same ones each time; at most one of a drawer.

    Raises:
        SystemExit: the palace is empty.
    """
    # Ordered by a hash, so that they come from all over the palace.
    query = "SELECT content FROM drawer WHERE user_id = %s AND role <> 'tool' ORDER BY md5(id::text) LIMIT %s"
    with Palace.open(settings, embedder=embedder) as palace, palace._opened.session() as session:
        rows = session.connection.exec_driver_sql(query, (session.user_id, 2 * count)).all()
    found = sentences([content for (content,) in rows])[:count]
    if not found:
        raise SystemExit(f"{settings.user} has no drawers in {settings.home}: fill it with `grow` first")
    return found
