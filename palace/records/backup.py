"""What a backup and its restoring come to."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Backup:
    """A file that holds a whole palace, of every user."""

    file: Path
    size_bytes: int
    schema: str
    revision: str
    """The schema's revision in it."""


@dataclass(frozen=True, slots=True)
class RestoreSummary:
    """What was restored."""

    file: Path
    schema: str
    revision_before: str
    """The schema's revision in the backup."""
    revision: str
    """The schema's revision now; a backup that is older was migrated."""
    users: int
    drawers: int
    """Of all users."""
