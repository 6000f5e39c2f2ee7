"""The index steps there are, each behind those it needs."""

from __future__ import annotations

from collections.abc import Sequence

from palace.mining.steps.passages import Passages
from palace.mining.steps.step import IndexStep
from palace.mining.steps.topics import Topics
from palace.mining.steps.vectors import Vectors
from palace.records import StepStatus
from palace.store.database import UserSession
from palace.store.filing.steps import find_failures

STEPS: tuple[IndexStep, ...] = (Passages(), Vectors(), Topics())


def list_step_statuses(session: UserSession, steps: Sequence[IndexStep] = STEPS) -> tuple[StepStatus, ...]:
    """Say of each step how many conversations wait for it, and of those that failed why."""
    return tuple(find_failures(session, step.name, step.list_pending(session, asked=True)) for step in steps)
