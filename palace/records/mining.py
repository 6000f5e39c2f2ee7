"""What mining plans, files and reports."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from palace.records.place import Span
from palace.records.source import Role


@dataclass(frozen=True, slots=True)
class SourceFailure:
    """A file of which nothing was stored, and why."""

    file: str
    message: str


@dataclass(frozen=True, slots=True)
class MineSummary:
    """What one ``mine`` did."""

    run_id: int | None
    """None for a dry run and for a run that filed nothing."""
    dry_run: bool
    files: int
    conversations: int
    drawers_new: int
    drawers_unchanged: int
    drawers_excluded: int
    drawers_forgotten: int
    """Turns left out because they were forgotten."""
    passages_embedded: int
    passages_pending: int
    """Passages still without an embedding when the run ended; ``palace embeddings backfill`` does them."""
    closets: int
    cost_usd: Decimal
    seconds: float
    failures: tuple[SourceFailure, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MineProgress:
    """A step of a running mine; ``total`` is known before the first step."""

    step: str
    """"read", "file", "embed" or "topics"; "rebuild" or "index" of a rebuild."""
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class KnownTurn:
    """A drawer already filed, or forgotten, as the plan of a conversation needs it."""

    identity: bytes
    position: int
    is_forgotten: bool = False


@dataclass(frozen=True, slots=True)
class NewRoom:
    """A slice of a conversation that needs a room."""

    slice: str
    name: str
    started_at: datetime | None


@dataclass(frozen=True, slots=True)
class NewDrawer:
    """A turn that is to be filed."""

    identity: bytes
    slice: str
    """Which room of its conversation it goes to."""
    position: int
    role: Role
    speaker: str | None
    said_at: datetime | None
    content: str
    is_revision: bool
    is_repaired: bool
    passages: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class CutDrawer:
    """A drawer with the passages it is cut into, as they are filed."""

    drawer_id: int
    is_tool: bool
    content: str
    passages: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class FiledTurn:
    """A drawer as topic segmentation reads it."""

    drawer_id: int
    room_id: int
    content: str
    is_tool: bool


@dataclass(frozen=True, slots=True)
class RebuildSummary:
    """What one ``rebuild`` did."""

    wing: str | None
    """The wing it was confined to; None for the whole palace."""
    resumed: bool
    """Whether it went on with a rebuild that had been interrupted."""
    conversations: int
    """Made afresh by this call."""
    conversations_before: int
    """Made afresh since the rebuild began, but not by this call."""
    conversations_left: int
    """Not made afresh, because the model failed; the same command goes on with them."""
    drawers: int
    passages: int
    passages_embedded: int
    closets: int
    indexes: tuple[str, ...]
    """The vector indexes that were rebuilt."""
    cost_usd: Decimal
    seconds: float
    warnings: tuple[str, ...] = ()
