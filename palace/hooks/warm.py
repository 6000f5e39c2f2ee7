"""What a worker keeps ready for hooks: its database, the palaces in it, and the model, loaded before it is needed."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from threading import Event, Lock, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any

from palace.config.settings import Settings
from palace.errors import PalaceError
from palace.hooks.answering import HookContext, answer_request
from palace.hooks.caller_settings import Declined, settings_of_request
from palace.hooks.server import HookServer
from palace.models import Scope
from palace.opened import OpenPalace, SharedResources
from palace.operations.commands import carry_out
from palace.operations.recall import recall, request_of
from palace.telemetry.logs import tell
from palace_hook.events import TOOLS, moment_of

if TYPE_CHECKING:
    from palace.agent.guard import Guard
    from palace.hooks.hand_over import CachedPalace

MARGIN = 0.03
"""Seconds reserved for sending the answer."""
MOST_CACHED = 8
"""Environments of hooks of which opened palaces are cached."""
WARMING = "What was said here before?"
"""A query that is recalled once, to load everything that recall needs."""

logger = logging.getLogger("palace.hooks")


class HookService:
    """Answers hooks inside a worker once all is loaded; until then the asking process answers itself."""

    def __init__(self, resources: SharedResources, *, linger: float | None, expected: bool) -> None:
        """``linger`` is how many seconds to wait for another hook; None if the worker stays anyway.

        If ``expected``, hooks are about to come and loading starts at once; else it starts with the first hook.
        """
        self._resources = resources
        self._linger = linger
        self._expected = expected
        self._began = monotonic() if expected else None
        self._guard: list[Guard] = []
        self._caches: list[tuple[Settings, dict[str, CachedPalace]]] = []
        self._caching = Lock()
        self._warm = Event()
        self._warming = Lock()
        self._server = HookServer(resources.settings.home_folder, self.answer)

    @contextmanager
    def serving(self) -> Iterator[None]:
        """Answer hooks during the block; the database must be open."""
        if self._expected:
            self.warm_soon()
        self._server.begin()
        try:
            yield
        finally:
            self._server.end()

    @property
    def answered(self) -> int:
        """Return the number of hooks answered."""
        return self._server.answered

    @property
    def is_awaited(self) -> bool:
        """Return whether the worker should stay for the next hook, because one came within ``linger`` seconds."""
        asked = self._server.asked or self._began
        return self._linger is not None and asked is not None and monotonic() - asked < self._linger

    @property
    def is_replaced(self) -> bool:
        """Return whether another version of Palace was installed and the worker is only kept alive by hooks."""
        return self._linger is not None and self._server.is_outdated

    def answer(self, request: Mapping[str, Any], seconds: float) -> str:
        """Answer a request under the settings of the asking process.

        Raises:
            Declined: not all is loaded yet, or the worker has another palace open.
            PalaceError: the settings cannot be read.
        """
        if not self._warm.is_set():
            if moment_of(str(request.get("event"))) not in TOOLS:
                self.warm_soon()
            raise Declined("cold")
        settings = settings_of_request(self._resources.settings, request)
        if command := request.get("command"):
            opened = self._open(settings, request["user"] or settings.user)
            return carry_out(opened, command, request["arguments"])
        context = HookContext(
            settings.home_folder,
            settings.user,
            open=lambda user: self._open(settings, user),
            seconds=max(seconds - MARGIN, 0.01),
            enabled=settings.hooks,
            guard=self._guard,
            cache=self._cache_of(settings),
        )
        return answer_request(context, request)

    def _cache_of(self, settings: Settings) -> dict[str, CachedPalace]:
        """Return the palaces that are cached under some settings, for the hooks of one environment."""
        with self._caching:
            if all(settings is not each for each, _ in self._caches):
                self._caches = [(settings, {}), *self._caches[: MOST_CACHED - 1]]
            return next(cache for each, cache in self._caches if each is settings)

    def warm_soon(self) -> None:
        """Start loading in a thread what recall needs."""
        if self._warming.acquire(blocking=False):
            Thread(target=self._load, name="palace-hooks-warming", daemon=True).start()

    def _open(self, settings: Settings, user: str) -> OpenPalace:
        """Open a palace as the asking process would: none is created, and only its own user has its ``person``.

        Raises:
            NotFound: there is no such user.
        """
        person = settings.person if user == settings.user else None
        return OpenPalace.of(replace(self._resources, settings=settings), user=user, make_user=False, person=person)

    def _load(self) -> None:
        settings = self._resources.settings
        try:
            opened = self._open(settings, settings.user)
            request = request_of(opened, WARMING, Scope(), top_k=None, context=0, now=None)
            effective, basis = opened.effective_and_basis()
            recall(opened, request, effective, basis=basis)
        except PalaceError as problem:  # there may be no palace yet; each answer reports its own errors
            tell(logger, logging.INFO, "hooks_not_warmed", outcome=problem.code)
        finally:
            self._warm.set()
