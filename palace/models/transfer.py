"""What exporting and importing report, backing up and restoring."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ExportSummary:
    """What one export wrote."""

    file: str | None
    """None where it went into a stream."""
    runs: int
    wings: int
    conversations: int
    rooms: int
    drawers: int
    tombstones: int
    size_bytes: int
    seconds: float
    warnings: tuple[str, ...] = ()
    """What is not in it, though it should be."""


@dataclass(frozen=True, slots=True)
class PagesSummary:
    """What was written for people to read."""

    folder: str
    format: str
    wings: int
    rooms: int
    drawers: int
    seconds: float


@dataclass(frozen=True, slots=True)
class MovedPlace:
    """A room, or a drawer, that was imported or taken back and has another pointer here."""

    was: str
    """In the palace that the file is of, or before it was forgotten."""
    now: str


@dataclass(frozen=True, slots=True)
class ImportSummary:
    """What one import did."""

    wings: int
    """In the file, as are the conversations and the tombstones."""
    conversations: int
    tombstones: int
    drawers_new: int
    drawers_unchanged: int
    """The palace had them already."""
    drawers_forgotten: int
    """Left out because the palace has forgotten them."""
    passages_embedded: int
    """Sentences included."""
    passages_pending: int
    """Passages still without an embedding; ``palace embeddings backfill`` does them."""
    cost_usd: Decimal
    seconds: float
    is_joined: bool = False
    """The file is of another palace than this one, which holds things of its own."""
    moved: tuple[MovedPlace, ...] = ()
    """Of another palace's file: the rooms that have another pointer here, and the drawers that do not follow their
    room. What is not listed has the pointer that it had."""
    settings: int = 0
    """How many were taken up."""
    warnings: tuple[str, ...] = ()


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
