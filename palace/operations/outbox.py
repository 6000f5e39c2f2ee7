"""The outbox as seen from the façade: list and discard it. The database is not used, since it may be away."""

from __future__ import annotations

from palace.agent.known_rules import KnownRules
from palace.agent.outbox import Outbox, OutboxContents
from palace.config.settings import Settings
from palace.db.database import Database


def outbox_of(settings: Settings, user: str) -> Outbox:
    """Return the outbox of a user; its files need not exist."""
    return Outbox.of(settings.home_folder, f"{Database(settings).address}\n{settings.database_schema}", user)


class OutboxVerbs:
    """Methods of an outbox that work while the database is away."""

    def __init__(self, settings: Settings, user: str) -> None:
        self._settings = settings
        self.outbox = outbox_of(settings, user)

    def contents(self) -> OutboxContents:
        """List the waiting exchanges, and the refused ones and why, without their text."""
        return self.outbox.contents(KnownRules(self._settings, self.outbox.rules_path).hide)

    def discard(self, *, refused_only: bool = False) -> int:
        """Delete the waiting and the refused exchanges, or only the latter; return how many were deleted."""
        return self.outbox.discard_refused() if refused_only else self.outbox.discard()
