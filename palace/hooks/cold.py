"""Answer a hook in this process where no worker does; the caller abandons it when it takes too long.

Nothing is prepared for it: no server is started or migrated, and no user is created.
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
from palace.hooks.answering import HookContext, answer_request
from palace.hooks.failures import note
from palace_hook.asking import find_home

if TYPE_CHECKING:
    from palace.opened import OpenPalace

MARGIN = 0.03
"""Seconds reserved for writing the answer."""


def answer(request: Mapping[str, Any], seconds: float) -> str:
    """Answer a request, in the form in which it is sent over the socket, within some seconds; "" for no answer."""
    until = monotonic() + seconds - MARGIN
    try:
        settings = load_settings()
    except PalaceError as problem:
        note(Path(find_home()), request.get("event"), request.get("harness"), problem.code, step="settings")
        return ""
    context = HookContext(
        settings.home_folder,
        settings.user,
        open=lambda user: _open(settings, user),
        seconds=max(until - monotonic(), 0.01),
        enabled=settings.hooks,
        prepare=lambda: Thread(target=_load_model, args=(settings,), daemon=True).start(),
    )
    return answer_request(context, request)


def _open(settings: Settings, user: str) -> OpenPalace:
    """Open an existing palace.

    Raises:
        PalaceError: no server answers, its schema is another version's, or there is no such user.
    """
    from palace.opened import OpenPalace, SharedResources  # to leave a note for the worker takes nothing of it

    resources = SharedResources.of(settings, embedder=None, strategy=None, steps=())
    resources.database.open(as_it_is=True)
    # The person in the settings is that of the settings' own user.
    person = settings.person if user == settings.user else None
    return OpenPalace.of(resources, user=user, make_user=False, person=person)


def _load_model(settings: Settings) -> None:
    from palace.ai.embedders.registry import load_ahead

    # Errors of the model are reported by the code that needs it.
    with suppress(PalaceError):
        load_ahead(settings)
