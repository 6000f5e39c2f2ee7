"""How memories end: by age, by disuse, and where there are too many. Nothing is deleted: they expire."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

from palace.config.effective import Effective
from palace.db.database import UserSession
from palace.db.memory_life import (
    MemoryUse,
    expire,
    expire_faded,
    expire_unused,
    fade_unused,
    has_more,
    list_memory_uses,
)
from palace.models import MemoryType, SweepSummary

LEAST_IMPORTANCE = 0.05
"""Importance below which a faded memory expires: after some two years without use for a usual one."""
HALF_LIFE = 365.0
"""Days without use that halve how useful a memory counts."""


def days_of(kind: MemoryType, effective: Effective) -> float:
    """Return the days after which an unused memory of a type expires; 0 for never."""
    days = {
        MemoryType.EPISODIC: effective.memory_days_episodic,
        MemoryType.PROCEDURAL: effective.memory_days_procedural,
        MemoryType.SEMANTIC: effective.memory_days_semantic,
    }
    return days.get(kind, 0)


def until(kind: MemoryType, effective: Effective, now: datetime) -> datetime | None:
    """Return when a memory that is accepted now expires unless it is used; None for never."""
    days = days_of(kind, effective)
    return now + timedelta(days=days) if days else None


def usefulness(use: MemoryUse, now: datetime) -> float:
    """Return how useful a memory is: important and sure, used and not corrected, lately."""
    idle = max((now - use.touched_at) / timedelta(days=1), 0.0)
    often = 1 + math.log1p(use.used) + 0.3 * math.log1p(use.injected)
    late: float = 0.5 ** (idle / HALF_LIFE)
    return use.importance * use.confidence * often / (1 + use.corrected) * late


def sweep(session: UserSession, effective: Effective) -> SweepSummary:
    """Let memories fade and expire by the user's settings; pinned ones and those with an expiry of their own stay."""
    expired = sum(
        expire_unused(session, kind, timedelta(days=days)) for kind in MemoryType if (days := days_of(kind, effective))
    )
    faded = 0
    if effective.memory_fade_days:
        faded = fade_unused(session, timedelta(days=effective.memory_fade_days))
        expired += expire_faded(session, LEAST_IMPORTANCE)
    return SweepSummary(expired, sum(_prune(session, kind, effective.memory_quota) for kind in MemoryType), faded)


def _prune(session: UserSession, kind: MemoryType, quota: int) -> int:
    """Let the least useful memories of a type expire that are over the quota; return how many."""
    if not has_more(session, kind, quota):
        return 0
    now, uses = datetime.now(UTC), list_memory_uses(session, kind)
    ordered = sorted(uses, key=lambda use: (usefulness(use, now), use.drawer_id))
    return expire(session, [each.drawer_id for each in ordered[: max(len(uses) - quota, 0)]])
