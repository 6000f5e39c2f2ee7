"""Embedding generations, and what model calls cost."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from pathlib import Path

from palace.errors import CallRecord


def doubts(calls: Iterable[CallRecord]) -> list[str]:
    """List what cannot be believed of calls, each doubt once."""
    return list(dict.fromkeys(call.doubt for call in calls if call.doubt))


@dataclass(frozen=True, slots=True)
class Generation:
    """One embedding model with its dimension, in this palace."""

    id: int
    model: str
    dimension: int
    normalised: bool


@dataclass(frozen=True, slots=True)
class GenerationStatus:
    """A generation as one user uses it."""

    generation: Generation
    state: str
    """"active" or "filling"."""
    embedded: int
    """Passages and sentences that have a vector; a passage that is found by its words alone has none."""
    pending: int


@dataclass(frozen=True, slots=True)
class FetchedModel:
    """A model that is on this computer now."""

    model: str
    """Its name, with the digest of what decides its vectors."""
    dimension: int
    folder: Path


@dataclass(frozen=True, slots=True)
class BackfillSummary:
    """What a backfill did."""

    embedded: int
    """Passages and sentences."""
    pending: int
    cost_usd: Decimal
    seconds: float
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CostLine:
    """Calls of one purpose and model, summed."""

    purpose: str
    """"memory_embed" and its like."""
    model: str
    calls: int
    failed: int
    tokens: int
    cost_usd: Decimal
    seconds: float
    group: str = ""
    """What it is summed by beside these: a day ("2026-04-30"), a source, a model, or a conversation by its room and
    title; "" where nothing was asked for, or the calls were about nothing of the kind."""


class CostGrouping(StrEnum):
    """What the ledger can be summed by, beside purpose and model."""

    DAY = "day"
    SOURCE = "source"
    MODEL = "model"
    CONVERSATION = "conversation"


@dataclass(frozen=True, slots=True)
class CallSubject:
    """What a call to a model was about, for the ledger."""

    conversation_id: int | None = None
    source: str | None = None
    """What was mined, as the person named it."""


@dataclass(frozen=True, slots=True)
class DailyBudget:
    """How much calls of models may take from a moment on, whatever for: since the day began."""

    since: datetime
    tokens: int
    cost_usd: Decimal
