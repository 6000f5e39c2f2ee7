"""A connection on which nothing was asked yet: it waits for a moment, and makes room for those that come."""

from __future__ import annotations

import asyncio
from itertools import count

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_WAITING = 128
"""Connections on which nothing was asked yet: the oldest goes when another comes."""
WAITING_SECONDS = 10.0
"""How long a program may take for the head of its first request."""

_TURNS = count()


class Connection(H11Protocol):
    """As uvicorn serves it; whoever asks nothing holds no place for long, and none that another needs."""

    turn = 0
    _until: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait."""
        super().connection_made(transport)
        self.turn = next(_TURNS)
        self._until = self.loop.call_later(WAITING_SECONDS, self._end_waiting)
        waiting = [each for each in self.connections if isinstance(each, Connection) and each.is_waiting]
        if len(waiting) > MOST_WAITING:
            min(waiting, key=lambda each: each.turn)._end_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        if self._until is not None:
            self._until.cancel()
        super().connection_lost(exc)

    @property
    def is_waiting(self) -> bool:
        """Whether nothing was asked yet."""
        return self.cycle is None and not self.transport.is_closing()

    def _end_waiting(self) -> None:
        if self.is_waiting:
            self.transport.abort()
