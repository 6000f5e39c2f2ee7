"""Open what commands work on; the façade is imported when a command runs, not before."""

from __future__ import annotations

import pickle
from base64 import b64decode
from collections.abc import Iterator, Set
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
    from palace.operations.outbox import OutboxVerbs
    from palace.worker.runner import Worker

MOMENT_SECONDS = 1.5
"""Seconds after which the creation of a database is announced."""


@contextmanager
def open_palace(user: str | None, *, embeds_at_once: bool = False, new_user: bool = False) -> Iterator[Palace]:
    """Open the palace of ``user``, or of the user in the settings, for the length of the block.

    A user named by the login or ``config.toml`` is created if needed; one named by ``--user`` or ``PALACE_USER``, which
    may be a typo, must exist, unless ``new_user`` is set.

    With ``embeds_at_once`` the model is loaded in parallel with the remaining imports.
    """
    from palace.errors import BadRequest

    if new_user and user is None and not is_typed(user):
        raise BadRequest("--new-user makes the user that --user or PALACE_USER names: give --user NAME too")
    with opened_by(settings_of(user), user, embeds_at_once=embeds_at_once, new_user=new_user) as palace:
        yield palace


def settings_of(user: str | None) -> Settings:
    """Load the settings for a user; times are shown in their zone from now on."""
    from palace.config.settings import load_settings

    settings = load_settings(user=user)
    set_zone(settings)
    return settings


def is_typed(user: str | None) -> bool:
    """Return whether a user is named only by ``--user`` or ``PALACE_USER``, and may be a typo."""
    from palace.config.settings import load_settings
    from palace.config.trust import environment, environment_of

    named = load_settings(user=user).user
    with environment_of({name: value for name, value in environment().items() if name.upper() != "PALACE_USER"}):
        return named != load_settings().user


def worker_follows() -> bool:
    """Return whether a worker starts automatically for background jobs."""
    from palace.config.settings import load_settings

    settings = load_settings()
    return settings.worker_starts and not settings.database_url


def make_worker() -> Worker:
    """Return a worker, which is not connected yet. It works for every user, so none is named."""
    from palace.worker.runner import Worker

    return Worker(settings_of(None))


def open_outbox(user: str | None) -> OutboxVerbs:
    """Return a user's outbox, without contacting the database."""
    from palace.operations.outbox import OutboxVerbs

    settings = settings_of(user)
    return OutboxVerbs(settings, settings.user)


def administration(user: str | None) -> Administration:
    """Return the administration of the server."""
    from palace.api.administration import Administration

    return Administration(settings_of(user))


@contextmanager
def libraries_at_hand(needs: str, extra: str, libraries: Set[str]) -> Iterator[None]:
    """Report that libraries of an extra are not installed, or in another major version.

    Raises:
        PalaceError: one is missing.
    """
    from palace.errors import PalaceError

    try:
        yield
    except ImportError as problem:
        if (problem.name or "").partition(".")[0] in libraries:
            raise PalaceError(f"{needs}: pip install 'memory-palace-pg[{extra}]'") from problem
        raise


def opened_by(settings: Settings, user: str | None, *, embeds_at_once: bool, new_user: bool = False) -> Palace:
    """Open the palace of these settings, of ``user`` or of the user in them, as ``open_palace`` does."""
    if embeds_at_once:
        Thread(target=_load_model, args=(settings,), daemon=True).start()
    from palace.api.palace import Palace
    from palace.config.settings import load_settings

    with _first_use_announced(settings):
        make_user = new_user or not is_typed(user)
        if user is not None and user != load_settings().user:
            # The person in the settings is that of the settings' own user.
            settings = settings.model_copy(update={"person": None})
        return Palace.open(settings, make_user=make_user)


@contextmanager
def _first_use_announced(settings: Settings) -> Iterator[None]:
    """Announce that a database is being created, if that takes more than a moment."""
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

    # Errors of the model are reported by the code that needs it.
    with suppress(EmbeddingError):
        load_ahead(settings)


WORKER_SECONDS = 60.0
"""Seconds that a worker may take; a note that it files after that is not filed twice, since its time is fixed."""
PATIENCE = 1.0


def ask_worker(command: str, user: str | None, **arguments: Any) -> Any:
    """Run a command in a worker and return its result; None if there is no worker or it failed, to be run here."""
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
    # The answer is from a process of this account, as the socket's peer credentials show.
    zone, done = pickle.loads(b64decode(out))  # noqa: S301
    set_zone_named(zone)
    return done
