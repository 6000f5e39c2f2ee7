"""Answering a hook where no worker does, in this process; whoever calls this leaves it behind when it takes too long.

What is not there is not waited for: no server is started or migrated here, and nobody's palace is made.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING, Any

from palace.config.settings import Settings, load_settings
from palace.errors import PalaceError
from palace.hooks.answering import Ground, answer_request
from palace.hooks.failures import note
from palace_hook.asking import find_home

if TYPE_CHECKING:
    from palace.opened import OpenPalace

MARGIN = 0.03
"""Seconds that are left for writing the answer."""


def answer(request: Mapping[str, Any], seconds: float) -> str:
    """Answer a request as it would be sent over the socket, within some seconds; "" where there is nothing."""
    until = monotonic() + seconds - MARGIN
    try:
        settings = load_settings()
    except PalaceError as problem:
        note(Path(find_home()), request.get("event"), request.get("harness"), problem.code, step="settings")
        return ""
    ground = Ground(
        settings.home_folder,
        settings.user,
        open=lambda user: _open(settings, user),
        seconds=max(until - monotonic(), 0.01),
        enabled=settings.hooks,
        prepare=lambda: Thread(target=_load_model, args=(settings,), daemon=True).start(),
    )
    return answer_request(ground, request)


def _open(settings: Settings, user: str) -> OpenPalace:
    """Open a palace as it is.

    Raises:
        PalaceError: no server answers, its schema is another version's, or there is no such user.
    """
    from palace.opened import Fittings, OpenPalace  # to leave a note for the worker takes nothing of it

    fittings = Fittings.of(settings, embedder=None, strategy=None, steps=())
    fittings.database.open(as_it_is=True)
    # The person that the settings name is the one whose palace they name.
    person = settings.person if user == settings.user else None
    return OpenPalace.of(fittings, user=user, make_user=False, person=person)


def _load_model(settings: Settings) -> None:
    from palace.ai.embedders.registry import load_ahead

    # What is wrong with the model is told by whoever needs it.
    with suppress(PalaceError):
        load_ahead(settings)
