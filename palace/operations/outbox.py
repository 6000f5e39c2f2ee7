"""The outbox: what waits in it, and throwing that away. No server is asked, which may be away."""

from __future__ import annotations

from palace.agent.known_rules import KnownRules
from palace.agent.outbox import Outbox, OutboxContents
from palace.config.settings import Settings
from palace.db.database import Database


def outbox_of(settings: Settings, user: str) -> Outbox:
    """Give the outbox of a user; it need not be there."""
    return Outbox.of(settings.home_folder, f"{Database(settings).address}\n{settings.database_schema}", user)


class OutboxVerbs:
    """What there is to do with an outbox while its database is away."""

    def __init__(self, settings: Settings, user: str) -> None:
        self._settings = settings
        self.outbox = outbox_of(settings, user)

    def contents(self) -> OutboxContents:
        """Say what waits, and what was refused and why, without a word of it."""
        return self.outbox.contents(KnownRules(self._settings, self.outbox.rules_path).hide)

    def discard(self, *, refused_only: bool = False) -> int:
        """Throw away what waits and what was refused, or the latter alone; give how many exchanges that were."""
        return self.outbox.discard_refused() if refused_only else self.outbox.discard()
