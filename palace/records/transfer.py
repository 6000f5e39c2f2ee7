"""What exporting and importing report."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal


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
    passages_pending: int
    """Passages still without an embedding; ``palace embeddings backfill`` does them."""
    cost_usd: Decimal
    seconds: float
    warnings: tuple[str, ...] = ()
