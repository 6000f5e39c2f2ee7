"""How far a long call is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum


class Phase(StrEnum):
    """What a long call is at; several may go on side by side."""

    READ = "read"
    """Sources or an export are read through, before anything is filed."""
    FILE = "file"
    WRITE = "write"
    """An export is written."""
    CUT = "cut"
    """Drawers are cut into passages anew, and these embedded."""
    EMBED = "embed"
    TOPICS = "topics"
    """Drawers are put into closets."""
    EXTRACTION = "extraction"
    """Drawers are read for names, and for what they claim."""
    INDEX = "index"
    """The vector index is built."""
    BACK_UP = "back up"
    RESTORE = "restore"
    SUM_UP = "sum up"
    """Older messages of a conversation go into its summary."""
    FETCH = "fetch"
    """A model is fetched from the hub."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far one phase of a long call is."""

    phase: Phase
    done: int
    """So far, in units. It does not fall within a phase."""
    total: int | None
    """In units, as far as is known by now; None where it is not known. It may grow, as where miners file meanwhile."""
    unit: str
    """What is counted, in the plural: "turns", "drawers", "passages", "conversations", "indexes" or "bytes"."""
    what: str | None = None
    """What is worked on, where there is one thing to name: a file, a model, an index."""


OnProgress = Callable[[Progress], None]
"""Told how far a call is, from whatever thread works on it; what it raises ends the call."""
