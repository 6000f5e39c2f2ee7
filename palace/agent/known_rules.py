"""A user's redaction rules, also while the database is unreachable: a copy of the last ones is kept on this machine.

Texts are redacted before they wait in the outbox. While the database is unreachable, the patterns of the process apply
in addition to the copy: rather too much is removed than too little.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock

from palace.agent.outbox_files import make_folder
from palace.agent.outbox_files import replace as replace_file
from palace.config.effective import Stored
from palace.config.settings import Settings
from palace.db.database import UserSession
from palace.db.settings import own_settings
from palace.errors import OutboxError
from palace.mining.redaction import NAMES, rules_of
from palace.nlp.secrets import Rules, redact


@dataclass(slots=True)
class KnownRules:
    """The redaction rules of one user; safe to share between threads."""

    settings: Settings
    path: Path
    """The file with the copy, for a process that starts while the database is away; only its owner can read it."""
    _seen: Stored | None = field(default=None, repr=False)
    _lock: Lock = field(default_factory=Lock, repr=False)

    def find(self, session: UserSession) -> Rules:
        """Load the rules from the database, and update the copy.

        Raises:
            PalaceError: a pattern of the environment, or of the file, cannot be used.
        """
        return self.note(own_settings(session, NAMES))

    def note(self, stored: Stored) -> Rules:
        """Return the rules that the settings name, and update the copy.

        Raises:
            PalaceError: a pattern of the environment, or of the file, cannot be used.
        """
        with self._lock:
            if stored != self._seen:
                self._seen = stored
                if stored != self._read():
                    self._write(stored)
        return rules_of(self.settings, stored)

    def last(self) -> Rules:
        """Return the rules of the copy, with the patterns of the process added.

        Raises:
            PalaceError: a pattern of the environment, or of the file, cannot be used.
        """
        with self._lock:
            stored = self._read() if self._seen is None else self._seen
        rules, own = rules_of(self.settings, stored), rules_of(self.settings)
        named = {pattern.name for pattern in rules.patterns}
        both = (*rules.patterns, *(pattern for pattern in own.patterns if pattern.name not in named))
        return replace(rules, patterns=both[: max(len(rules.patterns), 32)])

    def hide(self, said: str) -> str:
        """Redact a text that will wait in the outbox."""
        return redact(said, self.last()).text

    def _read(self) -> Stored:
        with suppress(OSError, ValueError, RecursionError):
            fields = json.loads(self.path.read_bytes())
            if isinstance(fields, dict):
                return {("", name): value for name, value in fields.items() if name in NAMES}
        return {}

    def _write(self, stored: Stored) -> None:
        with suppress(OSError, OutboxError):
            if not stored:
                self.path.unlink(missing_ok=True)
                return
            make_folder(self.path.parent)
            replace_file(self.path, json.dumps({name: value for (_, name), value in stored.items()}).encode())
