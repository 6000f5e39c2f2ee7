"""Who asks: settings as the process that asks would read them itself, so that warm and cold answers are the same.

A worker may have been started by anything, with any environment. What a hook is answered follows from its own: whose
palace it is, what is injected. Where that means another database or another model than the worker has, it declines.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

from palace.settings import CONFIGURATION_FILE, Settings, load_settings
from palace.settings.surroundings import environment_of

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


class Declined(Exception):
    """The worker cannot answer this; says why in one word. Whoever asks answers for themselves."""


@dataclass(frozen=True, slots=True)
class Askers:
    """Reads the settings of who asks, again only where something of them changed."""

    settings: Settings
    """Those of the worker."""
    _kept: OrderedDict[object, Settings] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def settings_of(self, told: Mapping[str, Any]) -> Settings:
        """Give the settings that hold for a request.

        Raises:
            Declined: they mean another palace than the worker has open. BadRequest: they cannot be read.
        """
        variables = _variables(told)
        key = (frozenset(variables.items()), state_of(Path(variables["PALACE_HOME"]) / CONFIGURATION_FILE))
        with self._lock:
            known = self._kept.get(key)
        if known is None:
            known = self._read(variables)
            with self._lock:
                self._kept[key] = known
                while len(self._kept) > KEPT:
                    self._kept.popitem(last=False)
        return known

    def _read(self, variables: Mapping[str, str]) -> Settings:
        with environment_of(variables):
            found = load_settings()
        if os.path.realpath(found.home_folder) != os.path.realpath(self.settings.home_folder):
            raise Declined("home")
        if any(getattr(found, name) != getattr(self.settings, name) for name in SAME):
            raise Declined("settings")
        if found.timezone is None and variables.get("TZ") != os.environ.get("TZ"):
            raise Declined("zone")
        return found


def _variables(told: Mapping[str, Any]) -> Mapping[str, str]:
    """Read the environment of a request.

    Raises:
        Declined: it is none.
    """
    said = told.get("environment")
    if not isinstance(said, dict) or len(said) > MOST_VARIABLES or not said.get("PALACE_HOME"):
        raise Declined("environment")
    if not all(isinstance(value, str) and "\0" not in value for value in said.values()):
        raise Declined("environment")
    return said


def state_of(path: Path) -> object:
    """Say what a file is now, without reading it."""
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns
