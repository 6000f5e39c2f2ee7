"""Results of exports and imports, backups and restores."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ExportSummary:
    """The result of one export."""

    file: str | None
    """None where it was written to a stream."""
    runs: int
    wings: int
    conversations: int
    rooms: int
    drawers: int
    tombstones: int
    size_bytes: int
    seconds: float
    warnings: tuple[str, ...] = ()
    """Data that is missing from it."""


@dataclass(frozen=True, slots=True)
class PagesSummary:
    """The result of writing pages for people to read."""

    folder: str
    format: str
    wings: int
    rooms: int
    drawers: int
    seconds: float


@dataclass(frozen=True, slots=True)
class MovedPlace:
    """A room, or a drawer, whose pointer changed on import or on restoring."""

    was: str
    """Its pointer in the palace of the file, or before it was forgotten."""
    now: str


@dataclass(frozen=True, slots=True)
class ImportSummary:
    """The result of one import."""

    wings: int
    """Number in the file; so are conversations and tombstones."""
    conversations: int
    tombstones: int
    drawers_new: int
    drawers_unchanged: int
    """Drawers that the palace had already."""
    drawers_forgotten: int
    """Drawers left out because the palace has forgotten them."""
    passages_embedded: int
    """Includes sentences."""
    passages_pending: int
    """Passages without an embedding; ``palace embeddings backfill`` embeds them."""
    cost_usd: Decimal
    seconds: float
    is_joined: bool = False
    """Whether the file is from another palace than this one, which was not empty."""
    moved: tuple[MovedPlace, ...] = ()
    """For a file of another palace: rooms with a new pointer, and drawers that do not follow their room. All others
    keep their pointers."""
    settings: int = 0
    """Number of settings that were imported."""
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SyncSummary:
    """The result of one sync."""

    peer: str
    """The address of the other machine, or the folder."""
    sent: int = 0
    """Drawers that were new to the other machine; in a folder those filed since the last sync."""
    received: int = 0
    """Drawers that were new here."""
    forgotten: int = 0
    """Drawers forgotten here because they were forgotten on another machine."""
    forgotten_there: int = 0
    """Drawers forgotten on the other machine in this sync; always 0 with a folder."""
    paired: str = ""
    """The fingerprint and machine of the palace that this sync paired with; empty if it was paired already."""
    withheld: int = 0
    """Messages and names that were not sent because they contain secrets."""
    skipped: int = 0
    """Bundles that were not read; ``warnings`` say why."""
    passages_pending: int = 0
    """Passages without an embedding; ``palace embeddings backfill`` embeds them."""
    key: str | None = None
    """The key file that was made for the folder, to be copied to the other machines."""
    seconds: float = 0.0
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Peer:
    """A machine or a shared folder that the palace is synchronised with."""

    name: str
    synced_at: datetime | None
    """The time of the last complete sync; of a machine in a folder, when its last bundle was read."""
    fingerprint: str | None = None
    """The hash of a paired palace's key, which its own machine shows too."""
    is_unpaired: bool = False
    """Whether it is refused, because it was unpaired here."""


@dataclass(frozen=True, slots=True)
class SyncStatus:
    """This machine as others see it, and whom its palace was synchronised with."""

    machine: str
    fingerprint: str
    """A hash of the palace's key, to compare when pairing."""
    peers: tuple[Peer, ...]


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup file with the palaces of all users."""

    file: Path
    size_bytes: int
    schema: str
    revision: str
    """The schema's revision in the backup."""


@dataclass(frozen=True, slots=True)
class RestoreSummary:
    """The result of restoring a backup."""

    file: Path
    schema: str
    revision_before: str
    """The schema's revision in the backup."""
    revision: str
    """The schema's revision now; an older backup was migrated."""
    users: int
    drawers: int
    """Of all users."""
