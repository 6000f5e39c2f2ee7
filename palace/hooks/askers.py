"""Whose palace a hook is about: the settings of whoever asks, so that warm and cold answers are the same.

A worker may have been started by anything, with any environment. What a hook is answered follows from its own: whose
palace it is, what is injected. Where that means another database or another model than the worker has, it declines.

One home may serve several palaces: its environment, or `config.toml`, names a schema or another server. A note that a
hook left says which, by the schema's name and by a digest of where the database is.
"""

from __future__ import annotations

import json
import os
import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, unquote

from palace.config.settings import CONFIGURATION_FILE, Settings, load_settings
from palace.config.trust import environment_of
from palace.hooks.inbox import Left, iter_waiting

MOST_VARIABLES = 500
KEPT = 16
"""Environments whose settings are kept."""
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


@dataclass(frozen=True, slots=True)
class _Environments:
    """Settings by environment, read again only where something of it changed; safe to share."""

    _kept: OrderedDict[object, Settings] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def settings_of(self, variables: Mapping[str, str]) -> Settings:
        """Return the settings of an environment, which names its home.

        Raises:
            BadRequest: they cannot be read.
        """
        key = (frozenset(variables.items()), _state_of(Path(variables["PALACE_HOME"], CONFIGURATION_FILE)))
        with self._lock:
            known = self._kept.get(key)
        if known is None:
            with environment_of(variables):
                known = load_settings()
            with self._lock:
                self._kept[key] = known
                while len(self._kept) > KEPT:
                    self._kept.popitem(last=False)
        return known


@dataclass(frozen=True, slots=True)
class Askers:
    """Reads the settings of who asks a worker."""

    settings: Settings
    """Those of the worker."""
    _environments: _Environments = field(default_factory=_Environments)

    def settings_of(self, told: Mapping[str, Any]) -> Settings:
        """Return the settings that hold for a request.

        Raises:
            Declined: they mean another palace than the worker has open. BadRequest: they cannot be read.
        """
        variables = told.get("environment")
        if not isinstance(variables, dict) or len(variables) > MOST_VARIABLES or not variables.get("PALACE_HOME"):
            raise Declined("environment")
        if not all(isinstance(value, str) and "\0" not in value for value in variables.values()):
            raise Declined("environment")
        found = self._environments.settings_of(variables)
        if os.path.realpath(found.home_folder) != os.path.realpath(self.settings.home_folder):
            raise Declined("home")
        if any(getattr(found, name) != getattr(self.settings, name) for name in SAME):
            raise Declined("settings")
        if found.timezone is None and variables.get("TZ") != os.environ.get("TZ"):
            raise Declined("zone")
        return found


@dataclass(frozen=True, slots=True)
class Whose:
    """Says of which palace a note is, for a worker or for who looks at what waits."""

    settings: Settings
    """Those of the palace that is open here."""
    _environments: _Environments = field(default_factory=_Environments, repr=False)

    def is_here(self, left: Left) -> bool:
        """Return whether a note is of the palace that is open here; where nobody knows, mining it fails."""
        here = where_of(self.settings)
        if left.database is None:  # of a version that had but one palace in mind
            return True
        if left.database and left.database != here[0]:
            return False
        try:
            named = where_of(self.settings_of(left))
        except Exception:  # noqa: BLE001 — one note that makes no sense must not stop the others
            return True
        return (left.database or named[0], left.schema or named[1]) == here

    def is_stale(self, left: Left) -> bool:
        """Return whether a note has waited for longer than any worker is waited for."""
        return time.time() - left.at >= OTHERS_SECONDS

    def settings_of(self, left: Left) -> Settings:
        """Return the settings that say whose palace it is: those of the hook.

        Raises:
            BadRequest: they cannot be read.
        """
        if not left.variables:
            return self.settings
        variables = {**left.variables, "PALACE_HOME": str(self.settings.home_folder)}
        url = self.settings.database_url
        if left.database and url is not None and left.database == place_of(url.get_secret_value()):
            variables["PALACE_DATABASE_URL"] = url.get_secret_value()
        return self._environments.settings_of(variables)


class Backlog(NamedTuple):
    """What waits in an inbox."""

    waiting: int = 0
    """Transcripts."""
    seconds: float = 0.0
    """For how long the oldest has."""


def backlog(settings: Settings) -> tuple[Backlog, Backlog]:
    """Count what waits in the inbox of a home for the palace of these settings, and for others."""
    whose = Whose(settings)
    here: list[float] = []
    elsewhere: list[float] = []
    for left, at in iter_waiting(settings.home_folder):
        (here if left is None or whose.is_here(left) else elsewhere).append(at)
    return _backlog(here), _backlog(elsewhere)


def place_of(address: str) -> str:
    """Return a digest of where a database is: host, port and name alone, so that nothing of a password is in it."""
    rest, _, query = address.partition("://")[2].partition("?")
    authority, _, path = rest.partition("/")
    place = authority.rpartition("@")[2]
    host, _, port = place.rpartition(":") if ":" in place.rpartition("]")[2] else (place, "", "")
    options = dict(parse_qsl(query))
    host = options.get("host") or options.get("hostaddr") or host or "localhost"
    name = unquote(path) or options.get("dbname") or ""
    told = (host.lower(), options.get("port") or port or "5432", name, options.get("service") or "")
    return sha256(json.dumps(told).encode()).hexdigest()[:32]


def where_of(settings: Settings) -> tuple[str, str]:
    """Return the place of the database, and the schema, that settings name."""
    url = settings.database_url
    return (EMBEDDED if url is None else place_of(url.get_secret_value())), settings.database_schema


def _backlog(left: list[float]) -> Backlog:
    return Backlog(len(left), max(0.0, time.time() - min(left))) if left else Backlog()


def _state_of(path: Path) -> object:
    """Return what a file is now, without reading it."""
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns
