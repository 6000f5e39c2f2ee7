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
    """Return the doubts about the plausibility of calls, each once, in order."""
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
    """An embedding generation as one user uses it."""

    generation: Generation
    state: str
    """"active" or "filling"."""
    embedded: int
    """Passages and sentences that have a vector; passages indexed by keywords alone have none."""
    pending: int


@dataclass(frozen=True, slots=True)
class FetchedModel:
    """A downloaded model that is ready to use."""

    model: str
    """Its name, with a digest of everything that decides its vectors."""
    dimension: int
    folder: Path


@dataclass(frozen=True, slots=True)
class BackfillSummary:
    """The result of a backfill."""

    embedded: int
    """Passages and sentences that got a vector."""
    pending: int
    cost_usd: Decimal
    seconds: float
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CostLine:
    """The sum of the model calls of one purpose and model."""

    purpose: str
    """Such as "memory_embed"."""
    model: str
    calls: int
    failed: int
    tokens: int
    cost_usd: Decimal
    seconds: float
    group: str = ""
    """The value of the further grouping: a day ("2026-04-30"), a source, a model, or a conversation by its room and
    title; "" without a grouping, or where the calls have no such value."""


class CostGrouping(StrEnum):
    """Further groupings of the ledger, in addition to purpose and model."""

    DAY = "day"
    SOURCE = "source"
    MODEL = "model"
    CONVERSATION = "conversation"


@dataclass(frozen=True, slots=True)
class CallSubject:
    """What a model call was for, as the ledger records it."""

    conversation_id: int | None = None
    source: str | None = None
    """The mined source, as the person named it."""


@dataclass(frozen=True, slots=True)
class DailyBudget:
    """The most that model calls may use from a moment on, normally the start of the day."""

    since: datetime
    tokens: int
    cost_usd: Decimal
