"""How much of what hooks left waits to be mined, and since when; nothing is taken."""

from __future__ import annotations

import time
from typing import NamedTuple

from palace.hooks.inbox.left import iter_waiting
from palace.hooks.inbox.whose import Whose
from palace.settings import Settings


class Backlog(NamedTuple):
    """What waits."""

    waiting: int = 0
    """Transcripts."""
    seconds: float = 0.0
    """For how long the oldest has."""

    @classmethod
    def of(cls, left: list[float]) -> Backlog:
        """Sum up when each was left."""
        return cls(len(left), max(0.0, time.time() - min(left))) if left else cls()


def backlog(settings: Settings) -> tuple[Backlog, Backlog]:
    """Look at what waits in the inbox of a home for the palace of these settings, and for others."""
    here: list[float] = []
    elsewhere: list[float] = []
    whose = Whose(settings)
    for left, at in iter_waiting(settings.home_folder):
        (here if left is None or whose.is_here(left) else elsewhere).append(at)
    return Backlog.of(here), Backlog.of(elsewhere)
