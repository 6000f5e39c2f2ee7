"""Which palace a note is of: the one that its hook was answered from, and no other that has the same home.

One home may serve several: its environment, or `config.toml`, names a schema or another server. A note says which by
the schema's name and by a digest of where the database is; of an address that may hold a password nothing else is kept.
"""

from __future__ import annotations

import json
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from hashlib import sha256
from urllib.parse import parse_qsl, unquote

from palace.hooks.inbox.left import Left
from palace.hooks.serving.asker import state_of
from palace.settings import CONFIGURATION_FILE, Settings, load_settings
from palace.settings.surroundings import environment_of

EMBEDDED = "embedded"
"""What stands for the server of the home."""
OTHERS_SECONDS = 30 * 86_400.0
"""What is of a palace that no worker has for so long is given up."""
KEPT = 16
"""Environments whose settings are kept."""


def place_of(address: str) -> str:
    """Give a digest of where a database is: host, port and name alone, so that nothing of a password is in it."""
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
    """Give the place of the database, and the schema, that settings name."""
    url = settings.database_url
    return (EMBEDDED if url is None else place_of(url.get_secret_value())), settings.database_schema


@dataclass(frozen=True, slots=True)
class Whose:
    """Tells whose notes are, for a worker or for who looks at what waits."""

    settings: Settings
    """Those of the palace that is open here."""
    _kept: OrderedDict[object, Settings] = field(default_factory=OrderedDict, repr=False)

    def is_here(self, left: Left) -> bool:
        """Tell whether a note is of the palace that is open here; where nobody can know, it fails when it is mined."""
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
        """Tell whether a note has waited for longer than any worker is waited for."""
        return time.time() - left.at >= OTHERS_SECONDS

    def settings_of(self, left: Left) -> Settings:
        """Give the settings that say whose palace it is: those of the hook.

        Raises:
            BadRequest: they cannot be read.
        """
        if not left.variables:
            return self.settings
        home, url = self.settings.home_folder, self.settings.database_url
        variables = {**left.variables, "PALACE_HOME": str(home)}
        if left.database and url is not None and left.database == place_of(url.get_secret_value()):
            variables["PALACE_DATABASE_URL"] = url.get_secret_value()
        key = (frozenset(variables.items()), state_of(home / CONFIGURATION_FILE))
        if key not in self._kept:
            with environment_of(variables):
                self._kept[key] = load_settings()
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return self._kept[key]
