"""Opens what the commands work on; the façade is imported here, when a command runs, and nowhere earlier."""

from __future__ import annotations

import pickle
from base64 import b64decode
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from threading import Thread, Timer
from typing import TYPE_CHECKING, Any

from palace_cli.clock import set_zone, set_zone_named
from palace_cli.diagnostics import remark
from palace_hook import PROTOCOL, VERSION
from palace_hook.asking import ask, find_home
from palace_hook.client import environment_of as environment_for_worker

if TYPE_CHECKING:
    from palace.api.administration import Administration
    from palace.api.palace import Palace
    from palace.config.settings import Settings
    from palace.models.health import PalaceGlance
    from palace.operations.outbox import OutboxVerbs
    from palace.worker.runner import Worker

MOMENT_SECONDS = 1.5
"""What goes on for longer is told."""


@contextmanager
def open_palace(user: str | None, *, embeds_at_once: bool = False, new_user: bool = False) -> Iterator[Palace]:
    """Open the palace of ``user``, or of whom the settings name, for the length of the block.

    Whom the login or ``config.toml`` names is made at first sight; a name that may be mistyped, of ``--user`` or
    ``PALACE_USER``, must be known, or said to be a ``new_user``.
    A command that ``embeds_at_once`` has the model loaded while the rest of the program is imported.
    """
    from palace.errors import BadRequest

    if new_user and user is None and not is_typed(user):
        raise BadRequest("--new-user makes the user that --user or PALACE_USER names: give --user NAME too")
    with _opened(settings_of(user), user, embeds_at_once=embeds_at_once, new_user=new_user) as palace:
        yield palace


def opened_later(user: str | None) -> tuple[Settings, Callable[[], Palace]]:
    """Return the settings, and what opens the palace of ``user``, or of whom they name, once it is needed."""
    settings = settings_of(user)
    return settings, lambda: _opened(settings, user, embeds_at_once=True)


def settings_of(user: str | None) -> Settings:
    """Load the settings for a user; times are shown in their zone from now on."""
    from palace.config.settings import load_settings

    settings = load_settings(user=user)
    set_zone(settings)
    return settings


def is_typed(user: str | None) -> bool:
    """Tell a name that only ``--user``, or ``PALACE_USER``, knows, which may be mistyped."""
    from palace.config.settings import load_settings
    from palace.config.trust import environment, environment_of

    named = load_settings(user=user).user
    with environment_of({name: value for name, value in environment().items() if name.upper() != "PALACE_USER"}):
        return named != load_settings().user


def worker_follows() -> bool:
    """Tell whether a worker starts by itself for what is left to one."""
    from palace.config.settings import load_settings

    settings = load_settings()
    return settings.worker_starts and not settings.database_url


def look_at(user: str | None) -> PalaceGlance:
    """Look at a palace as it is; no server is started."""
    from palace.operations.glance import glance

    return glance(settings_of(user))


def make_worker() -> Worker:
    """Make a worker; the queue is not reached yet. It works for every user, so none is named."""
    from palace.worker.runner import Worker

    return Worker(settings_of(None))


def open_outbox(user: str | None) -> OutboxVerbs:
    """Return what waits to be filed; no server is asked."""
    from palace.operations.outbox import OutboxVerbs

    settings = settings_of(user)
    return OutboxVerbs(settings, settings.user)


def administration(user: str | None) -> Administration:
    """Return what starts, stops and examines the server."""
    from palace.api.administration import Administration

    return Administration(settings_of(user))


def _opened(settings: Settings, user: str | None, *, embeds_at_once: bool, new_user: bool = False) -> Palace:
    if embeds_at_once:
        Thread(target=_load_model, args=(settings,), daemon=True).start()
    from palace.api.palace import Palace
    from palace.config.settings import load_settings

    with _first_use_told(settings):
        make_user = new_user or not is_typed(user)
        if user is not None and user != load_settings().user:
            # The person that the settings name is the one whose palace they name.
            settings = settings.model_copy(update={"person": None})
        return Palace.open(settings, make_user=make_user)


@contextmanager
def _first_use_told(settings: Settings) -> Iterator[None]:
    """Say what is going on where a server has to be made first and that takes more than a moment."""
    if settings.database_url or (settings.home_folder / "postgres" / "data").exists():
        yield
        return
    told = (
        f"first use: making a database below {settings.home_folder} (some 70 MB); this takes seconds, and is done once"
    )
    waiting = Timer(MOMENT_SECONDS, remark, args=(told,))
    waiting.daemon = True
    waiting.start()
    try:
        yield
    finally:
        waiting.cancel()


def _load_model(settings: Settings) -> None:
    from palace.ai.embedders.registry import load_ahead
    from palace.errors import EmbeddingError

    # What is wrong with the model is told by whoever needs it.
    with suppress(EmbeddingError):
        load_ahead(settings)


WORKER_SECONDS = 60.0
"""What a worker may take; a note that it files meanwhile is not filed again, as its moment is said."""
PATIENCE = 1.0


def ask_worker(command: str, user: str | None, **arguments: Any) -> Any:
    """Give what a worker comes to; None where none is at work, or something is wrong, which is said here."""
    home = find_home()
    told = {name: each.isoformat() if isinstance(each, datetime) else each for name, each in arguments.items()}
    request = {
        "v": PROTOCOL,
        "version": VERSION,
        "environment": environment_for_worker(home),
        "user": user,
        "event": "",
    }
    out = ask({**request, "command": command, "arguments": told}, home, WORKER_SECONDS, patience=PATIENCE)
    if not out:
        return None
    # It comes from a process of this account, as the system says of who is at the other end.
    zone, done = pickle.loads(b64decode(out))  # noqa: S301
    set_zone_named(zone)
    return done
