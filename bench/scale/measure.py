"""Measuring one palace: each function gives one result as plain numbers."""

from __future__ import annotations

from functools import partial

from bench.harness import Figures, milliseconds
from bench.metrics import percentiles
from bench.scale.corpus import sentences
from palace import Embedder, Palace, Palaces, Settings

_CONNECTIONS = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'"
)


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


def users(settings: Settings, *, count: int, embedder: Embedder) -> Figures:
    """Open the palaces of so many users at first sight, then of the same users known; milliseconds, and connections."""
    with Palaces.open(settings, embedder=embedder) as palaces:
        first = palaces.palace(f"{settings.user}-0")

        def connections() -> int:
            with first._opened.session() as session:
                return int(session.connection.exec_driver_sql(_CONNECTIONS).scalar_one())

        before = connections()
        names = [f"{settings.user}-{number}" for number in range(1, count)]
        made, known = ([milliseconds(partial(palaces.palace, name)) for name in names] for _ in range(2))
        return {
            "users": count,
            "connections_added": connections() - before,
            "made_ms": percentiles(made),
            "known_ms": percentiles(known),
        }
