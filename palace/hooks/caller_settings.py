"""Find the palace of a hook from the asking process's settings, so that warm and cold answers are the same.

A worker may have been started from any environment. A hook's answer depends on the hook's own environment: the user,
and what is injected. If that means another database or another model than the worker has, it declines.

One home may serve several palaces: its environment, or `config.toml`, names a schema or another server. A note
identifies the palace by its variables and by a digest of where the database is.
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
"""Settings that must equal the worker's: it has one database open, and one model loaded."""
EMBEDDED = "embedded"
"""Denotes the embedded server of the home."""
OTHERS_SECONDS = 30 * 86_400.0
"""Seconds after which notes for a palace without a worker are given up."""


class Declined(Exception):
    """The worker cannot answer this request, for a reason of one word; the asking process answers itself."""


class Backlog(NamedTuple):
    """The notes that wait in an inbox."""

    waiting: int = 0
    """How many transcripts wait."""
    seconds: float = 0.0
    """How many seconds the oldest has waited."""


def settings_of_request(settings: Settings, request: Mapping[str, Any]) -> Settings:
    """Return the settings for a request to a worker, whose own are ``settings``.

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
    """Return the settings that identify the palace of a note: those of the hook, in the home of ``settings``.

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
    """Return whether a note is for the palace that is open here; True if unknown, so that mining reports the error."""
    here = where_of(settings)
    if left.database is None:  # from a version that supported only one palace
        return True
    if left.database and left.database != here[0]:
        return False
    try:
        named = where_of(settings_of_note(settings, left))
    except Exception:  # noqa: BLE001 — one invalid note must not stop the others
        return True
    return (left.database or named[0], left.schema or named[1]) == here


def is_stale(left: Left) -> bool:
    """Return whether a note has waited longer than ``OTHERS_SECONDS``."""
    return time.time() - left.at >= OTHERS_SECONDS


def backlog(settings: Settings) -> tuple[Backlog, Backlog]:
    """Count the notes in the inbox of a home for the palace of these settings, and for others."""
    times: dict[bool, list[float]] = {True: [], False: []}
    for left, at in iter_waiting(settings.home_folder):
        times[left is None or is_here(settings, left)].append(at)
    here, elsewhere = (
        Backlog(len(each), max(0.0, time.time() - min(each))) if each else Backlog() for each in times.values()
    )
    return here, elsewhere


def where_of(settings: Settings) -> tuple[str, str]:
    """Return the location of the database, and the schema, that settings name."""
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
