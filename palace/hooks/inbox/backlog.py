"""How much of what hooks left waits to be mined, and since when; nothing is taken."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from palace.hooks.failures import FOLDER as HOOKS
from palace.hooks.inbox.left import FOLDER, LEFT, TAKEN


class Backlog(NamedTuple):
    """What waits."""

    waiting: int = 0
    """Transcripts."""
    seconds: float = 0.0
    """For how long the oldest has."""


def backlog(home: Path) -> Backlog:
    """Look at what waits in the inbox of a home."""
    left: list[float] = []
    with suppress(OSError), os.scandir(home / HOOKS / FOLDER) as found:
        for entry in found:
            if entry.name.endswith((LEFT, TAKEN)) and not entry.name.startswith("."):
                with suppress(OSError):
                    left.append(entry.stat(follow_symlinks=False).st_mtime)
    return Backlog(len(left), max(0.0, time.time() - min(left))) if left else Backlog()
