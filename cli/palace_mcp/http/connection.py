"""A connection on which nothing is asked: it waits for a moment, and makes room for those that come."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_WAITING = 128
"""Connections on which nothing is asked: of more, the oldest go when another comes, but none that has just come."""
COMING_SECONDS = 2.0
"""How long one has just come: many clients may come at once, faster than what they ask is read."""
WAITING_SECONDS = 10.0
"""How long a program may take for the head of a request."""


class Connection(H11Protocol):
    """As uvicorn serves it; whoever asks nothing holds no place for long, and none that another needs."""

    since = 0.0
    _until: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait."""
        super().connection_made(transport)
        self._begin_waiting()
        waiting = [each for each in self.connections if isinstance(each, Connection) and each.is_waiting]
        for each in sorted(waiting, key=lambda each: each.since)[:-MOST_WAITING]:
            if each.since < self.since - COMING_SECONDS:
                each._end_waiting()

    def on_response_complete(self) -> None:
        """Begin to wait for the next request, unless that came already."""
        self._begin_waiting()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._forget_waiting()
        super().connection_lost(exc)

    @property
    def is_waiting(self) -> bool:
        """Whether nothing is asked."""
        is_idle = self.cycle is None or self.cycle.response_complete
        return is_idle and not self.transport.is_closing()

    def _begin_waiting(self) -> None:
        self._forget_waiting()
        self.since = self.loop.time()
        self._until = self.loop.call_later(WAITING_SECONDS, self._end_waiting)

    def _forget_waiting(self) -> None:
        if self._until is not None:
            self._until.cancel()

    def _end_waiting(self) -> None:
        if self.is_waiting:
            self.transport.abort()
