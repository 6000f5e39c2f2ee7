"""What a worker has ready for hooks: its database, the palaces in it, and the model, loaded before it is needed."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any

from palace.config.settings import Settings
from palace.errors import PalaceError
from palace.hooks.answering import Ground, answer_request
from palace.hooks.askers import Askers, Declined, where_of
from palace.opened import Fittings, OpenPalace
from palace.operations.commands import carry_out
from palace.operations.recall import Options, recall
from palace.telemetry.logs import tell

if TYPE_CHECKING:
    from palace.agent.guard import Guard

MARGIN = 0.03
"""Seconds that are left to bring the answer back."""
WARMING = "What was said here before?"
"""What is recalled once, so that all that recall takes is there."""

logger = logging.getLogger("palace.hooks")


class WarmGround:
    """Answers hooks on the fittings of a worker, once all is loaded; until then whoever asks does it themselves."""

    def __init__(self, fittings: Fittings) -> None:
        """Prepare; nothing is loaded yet."""
        self._fittings = fittings
        self._askers = Askers(fittings.settings)
        self._guard: list[Guard] = []
        self._warm = Event()
        self._warming = Lock()

    @property
    def is_warm(self) -> bool:
        """Return whether all is loaded."""
        return self._warm.is_set()

    def answer(self, told: Mapping[str, Any], seconds: float) -> str:
        """Answer a request under the settings of who asks.

        Raises:
            Declined: not all is loaded yet, or the worker has another palace open. PalaceError: their settings cannot
            be read.
        """
        if not self.is_warm:
            self.warm_soon()
            raise Declined("cold")
        settings = self._askers.settings_of(told)
        if command := told.get("command"):
            return carry_out(self._open(settings, told["user"] or settings.user), command, told["arguments"])
        ground = Ground(
            settings.home_folder,
            settings.user,
            open=lambda user: self._open(settings, user),
            seconds=max(seconds - MARGIN, 0.01),
            enabled=settings.hooks,
            where=where_of(settings),
            guard=self._guard,
        )
        return answer_request(ground, told)

    def warm_soon(self) -> None:
        """Begin to load, in a thread, what recall takes."""
        if self._warming.acquire(blocking=False):
            Thread(target=self._load, name="palace-hooks-warming", daemon=True).start()

    def _open(self, settings: Settings, user: str) -> OpenPalace:
        """Open a palace as the process that asks would: none is made, and the person is that of their own alone.

        Raises:
            NotFound: there is no such user.
        """
        person = settings.person if user == settings.user else None
        return OpenPalace.of(replace(self._fittings, settings=settings), user=user, make_user=False, person=person)

    def _load(self) -> None:
        settings = self._fittings.settings
        try:
            opened = self._open(settings, settings.user)
            recall(opened, WARMING, Options())
        except PalaceError as problem:  # there may be no palace yet; an answer says for itself what is wrong
            tell(logger, logging.INFO, "hooks_not_warmed", outcome=problem.code)
        finally:
            self._warm.set()
