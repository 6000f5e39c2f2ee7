"""Answering a hook where no worker does, in this process; whoever calls this leaves it behind when it takes too long.

What is not there is not waited for: no server is started or migrated here, and nobody's palace is made.
"""

from __future__ import annotations

from collections.abc import Mapping
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from palace.config.settings import Settings
    from palace.opened import OpenPalace

MARGIN = 0.03
"""Seconds that are left for writing the answer."""


def answer(request: Mapping[str, Any], seconds: float) -> str:
    """Answer a request as it would be sent over the socket, within some seconds; "" where there is nothing.

    Raises:
        ImportError: Palace is half installed.
    """
    until = monotonic() + seconds - MARGIN
    from palace.config.settings import load_settings
    from palace.errors import PalaceError
    from palace.hooks.answering import Ground, answer_request
    from palace.hooks.askers import where_of

    try:
        settings = load_settings()
    except PalaceError as problem:
        _note(request, problem.code)
        return ""
    ground = Ground(
        settings.home_folder,
        settings.user,
        open=lambda user: _open(settings, user),
        seconds=max(until - monotonic(), 0.01),
        enabled=settings.hooks,
        where=where_of(settings),
        prepare=lambda: Thread(target=_load_model, args=(settings,), daemon=True).start(),
    )
    return answer_request(ground, request)


def _note(request: Mapping[str, Any], code: str) -> None:
    from pathlib import Path

    from palace.hooks.failures import note
    from palace_hook.asking import find_home

    event, harness = request.get("event"), request.get("harness")
    known = (event if isinstance(event, str) else "", harness if isinstance(harness, str) else "")
    note(Path(find_home()), known[0], known[1], code, step="settings")


def _open(settings: Settings, user: str) -> OpenPalace:
    """Open a palace as it is.

    Raises:
        PalaceError: no server answers, its schema is another version's, or there is no such user.
    """
    from palace.opened import Fittings, OpenPalace

    fittings = Fittings.of(settings, embedder=None, strategy=None, steps=())
    fittings.database.open(as_it_is=True)
    # The person that the settings name is the one whose palace they name.
    person = settings.person if user == settings.user else None
    return OpenPalace.of(fittings, user=user, make_user=False, person=person)


def _load_model(settings: Settings) -> None:
    from contextlib import suppress

    from palace.ai.embedders.registry import load_ahead
    from palace.errors import PalaceError

    # What is wrong with the model is told by whoever needs it.
    with suppress(PalaceError):
        load_ahead(settings)


def wake() -> None:
    """See that a worker is at work, or that one is started, which takes no time here.

    Raises:
        PalaceError: the settings cannot be read.
    """
    from palace.config.settings import load_settings
    from palace.worker.starting import ensure_worker

    ensure_worker(load_settings(), for_hooks=True)
