"""Requests with an idempotency key that are carried out: the places of their answers are renewed until they end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Lock

import anyio
from anyio.to_thread import run_sync

from palace import Palace, PalaceError

RENEWED_SECONDS = 5.0
"""How often the places are renewed; one that is not for ``palace.operations.answers.ABANDONED`` is free."""


class Running:
    """The requests with an idempotency key that this process carries out."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._palaces: dict[tuple[str, str], Palace] = {}

    @contextmanager
    def kept(self, palace: Palace, name: str) -> Iterator[None]:
        """Keep the place of a request's answer for the length of a block."""
        with self._lock:
            self._palaces[palace.user, name] = palace
        try:
            yield
        finally:
            with self._lock:
                self._palaces.pop((palace.user, name), None)

    async def keep(self) -> None:
        """Renew the places until cancelled, in a thread beside those of requests."""
        limiter = anyio.CapacityLimiter(1)
        while True:
            await anyio.sleep(RENEWED_SECONDS)
            await run_sync(self._renew, limiter=limiter)

    def _renew(self) -> None:
        with self._lock:
            places = [(palace, name) for (_, name), palace in self._palaces.items()]
        for palace, name in places:
            with suppress(PalaceError):
                palace.answers.renew(name)
