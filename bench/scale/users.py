"""Opening the palaces of many users in one process: how long one takes, and how many connections all of them do."""

from __future__ import annotations

import time
from collections.abc import Iterator

from bench.scale.report import Result, percentiles
from palace import Palace, Palaces
from palace.embedding.protocol import Embedder
from palace.settings import Settings

_CONNECTIONS = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'"
)


def users(settings: Settings, *, count: int, embedder: Embedder) -> Result:
    """Open the palaces of so many users at first sight, then of the same users known; milliseconds, and connections."""
    with Palaces.open(settings, embedder=embedder) as palaces:
        first = palaces.palace(f"{settings.user}-0")
        before = connections(first)
        made, known = (list(_openings(palaces, settings.user, count)) for _ in range(2))
        return {
            "users": count,
            "connections_added": connections(first) - before,
            "made_ms": percentiles(made),
            "known_ms": percentiles(known),
        }


def connections(palace: Palace) -> int:
    """Count the connections to the palace's database, everybody's."""
    with palace._opened.session() as session:
        return int(session.connection.exec_driver_sql(_CONNECTIONS).scalar_one())


def _openings(palaces: Palaces, name: str, count: int) -> Iterator[float]:
    for number in range(1, count):
        started = time.perf_counter()
        palaces.palace(f"{name}-{number}")
        yield (time.perf_counter() - started) * 1000
