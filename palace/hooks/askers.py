"""Whose palace a hook is about: the settings of whoever asks, so that warm and cold answers are the same.

A worker may have been started by anything, with any environment. What a hook is answered follows from its own: whose
palace it is, what is injected. Where that means another database or another model than the worker has, it declines.

One home may serve several palaces: its environment, or `config.toml`, names a schema or another server. A note that a
hook left says which, by its variables and by a digest of where the database is.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from palace.config.settings import CONFIGURATION_FILE, Settings, load_settings
from palace.config.trust import environment_of
from palace.hooks.inbox import Left, iter_waiting
from palace_hook.notes import place_of

MOST_VARIABLES = 500
SAME = (
    "database_url",
    "database_owner_url",
    "database_schema",
    "embedding_model",
    "embedding_dimension",
    "embedding_timeout_seconds",
)
"""What has to be as the worker has it: it has one database open, and one model loaded."""
EMBEDDED = "embedded"
"""What stands for the server of the home."""
OTHERS_SECONDS = 30 * 86_400.0
"""What is of a palace that no worker has for so long is given up."""


class Declined(Exception):
    """The worker cannot answer this; says why in one word. Whoever asks answers for themselves."""


class Backlog(NamedTuple):
    """What waits in an inbox."""

    waiting: int = 0
    """Transcripts."""
    seconds: float = 0.0
    """For how long the oldest has."""


def settings_of_request(settings: Settings, request: Mapping[str, Any]) -> Settings:
    """Return the settings that hold for a request to a worker, whose own are ``settings``.

    Raises:
        Declined: they mean another palace than the worker has open. BadRequest: they cannot be read.
    """
    variables = request.get("environment")
    if not isinstance(variables, dict) or len(variables) > MOST_VARIABLES or not variables.get("PALACE_HOME"):
        raise Declined("environment")
    if not all(isinstance(value, str) and "\0" not in value for value in variables.values()):
        raise Declined("environment")
    found = _settings_in(variables)
    if os.path.realpath(found.home_folder) != os.path.realpath(settings.home_folder):
        raise Declined("home")
    if any(getattr(found, name) != getattr(settings, name) for name in SAME):
        raise Declined("settings")
    if found.timezone is None and variables.get("TZ") != os.environ.get("TZ"):
        raise Declined("zone")
    return found


def settings_of_note(settings: Settings, left: Left) -> Settings:
    """Return the settings that say whose palace a note is of: those of the hook, in the home of ``settings``.

    Raises:
        BadRequest: they cannot be read.
    """
    if not left.variables:
        return settings
    variables = {**left.variables, "PALACE_HOME": str(settings.home_folder)}
    url = settings.database_url
    if left.database and url is not None and left.database == place_of(url.get_secret_value()):
        variables["PALACE_DATABASE_URL"] = url.get_secret_value()
    return _settings_in(variables)


def is_here(settings: Settings, left: Left) -> bool:
    """Return whether a note is of the palace that is open here; where nobody knows, mining it fails."""
    here = where_of(settings)
    if left.database is None:  # of a version that had but one palace in mind
        return True
    if left.database and left.database != here[0]:
        return False
    try:
        named = where_of(settings_of_note(settings, left))
    except Exception:  # noqa: BLE001 — one note that makes no sense must not stop the others
        return True
    return (left.database or named[0], left.schema or named[1]) == here


def is_stale(left: Left) -> bool:
    """Return whether a note has waited for longer than any worker is waited for."""
    return time.time() - left.at >= OTHERS_SECONDS


def backlog(settings: Settings) -> tuple[Backlog, Backlog]:
    """Count what waits in the inbox of a home for the palace of these settings, and for others."""
    times: dict[bool, list[float]] = {True: [], False: []}
    for left, at in iter_waiting(settings.home_folder):
        times[left is None or is_here(settings, left)].append(at)
    here, elsewhere = (
        Backlog(len(each), max(0.0, time.time() - min(each))) if each else Backlog() for each in times.values()
    )
    return here, elsewhere


def where_of(settings: Settings) -> tuple[str, str]:
    """Return the place of the database, and the schema, that settings name."""
    url = settings.database_url
    return (EMBEDDED if url is None else place_of(url.get_secret_value())), settings.database_schema


def _settings_in(variables: Mapping[str, str]) -> Settings:
    """Return the settings of an environment, which names its home.

    Raises:
        BadRequest: they cannot be read.
    """
    file = Path(variables["PALACE_HOME"], CONFIGURATION_FILE)
    try:
        found = file.stat()
        state: object = (found.st_ino, found.st_size, found.st_mtime_ns)
    except (OSError, ValueError):
        state = None
    return _read_settings(frozenset(variables.items()), state)


@lru_cache(16)
def _read_settings(variables: frozenset[tuple[str, str]], _: object) -> Settings:
    with environment_of(dict(variables)):
        return load_settings()
