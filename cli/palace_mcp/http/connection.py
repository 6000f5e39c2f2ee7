"""uvicorn's HTTP connection, closed when idle for long, or when its place is needed."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_WAITING = 128
"""Idle connections, at most; when another comes, the oldest beyond ``COMING_SECONDS`` are closed."""
COMING_SECONDS = 2.0
"""Seconds for which a new connection is kept: many clients may connect before their requests are read."""
WAITING_SECONDS = 10.0
"""Seconds for a client to send the head of a request."""


class Connection(H11Protocol):
    """uvicorn's HTTP connection, closed when idle for long, or when its place is needed."""

    since = 0.0
    _until: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the idle timer, and close surplus idle connections."""
        super().connection_made(transport)
        self._begin_waiting()
        waiting = [each for each in self.connections if isinstance(each, Connection) and each.is_waiting]
        for each in sorted(waiting, key=lambda each: each.since)[:-MOST_WAITING]:
            if each.since < self.since - COMING_SECONDS:
                each._end_waiting()

    def on_response_complete(self) -> None:
        """Restart the idle timer, unless the next request has arrived already."""
        self._begin_waiting()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the idle timer."""
        self._forget_waiting()
        super().connection_lost(exc)

    @property
    def is_waiting(self) -> bool:
        """Whether no request is under way."""
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
