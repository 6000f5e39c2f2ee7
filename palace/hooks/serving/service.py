"""Hooks as a worker serves them: from when it begins until it ends, and for how long it stays for the next."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from palace.hooks.serving.ground import WarmGround
from palace.hooks.serving.server import HookServer
from palace.opened import Fittings


class HookService:
    """Serves hooks beside the work of one worker."""

    def __init__(self, fittings: Fittings, *, linger: float | None, expected: bool) -> None:
        """``linger`` is how many seconds one more hook is waited for; None where the worker stays anyhow.

        ``expected`` says that hooks are about to come, so that all is loaded at once; else it is with the first.
        """
        self._home = fittings.settings.home_folder
        self._ground = WarmGround(fittings)
        self._linger = linger
        self._expected = expected
        self._asked = monotonic() if expected else None
        self._server = HookServer(self._home, self._ground.answer)

    @contextmanager
    def serving(self) -> Iterator[None]:
        """Answer hooks during the block. The database is open meanwhile."""
        former = self._server
        self._server = HookServer(self._home, self._ground.answer, answered=former.answered)
        if self._expected:
            self._ground.warm_soon()
        self._server.begin()
        try:
            yield
        finally:
            self._server.end()
            self._asked = self._server.asked or self._asked

    @property
    def answered(self) -> int:
        """How many hooks were answered."""
        return self._server.answered

    @property
    def is_awaited(self) -> bool:
        """Whether the worker should stay for the next hook, which comes soon after the last or not at all."""
        asked = self._server.asked or self._asked
        return self._linger is not None and asked is not None and monotonic() - asked < self._linger

    @property
    def is_replaced(self) -> bool:
        """Whether another version of Palace was installed, and nobody but this process keeps the worker there."""
        return self._linger is not None and self._server.is_outdated
