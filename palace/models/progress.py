"""Progress reports of long calls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum


class Phase(StrEnum):
    """A phase of a long call; several may run at the same time."""

    READ = "read"
    """Sources or an export are read, before anything is filed."""
    FILE = "file"
    WRITE = "write"
    """An export is written."""
    CUT = "cut"
    """Drawers are cut into passages again, and these embedded."""
    EMBED = "embed"
    TOPICS = "topics"
    """Drawers are sorted into closets."""
    EXTRACTION = "extraction"
    """Names and claims are extracted from drawers."""
    INDEX = "index"
    """The vector index is built."""
    BACK_UP = "back up"
    RESTORE = "restore"
    SUM_UP = "sum up"
    """Older messages of a conversation go into its summary."""
    FETCH = "fetch"
    """A model is downloaded from the hub."""


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of one phase of a long call."""

    phase: Phase
    done: int
    """Units done so far; never decreases within a phase."""
    total: int | None
    """Units in all, as far as is known; None if unknown. It may grow, for instance while others file."""
    unit: str
    """The unit, in the plural: "turns", "drawers", "passages", "conversations", "indexes" or "bytes"."""
    what: str | None = None
    """The file, model or index that is worked on, if there is one."""


OnProgress = Callable[[Progress], None]
"""Receives progress, in whatever thread works on the call; an exception that it raises ends the call."""
