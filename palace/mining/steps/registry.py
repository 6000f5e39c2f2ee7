"""The built-in index steps, each after those it needs."""

from __future__ import annotations

from collections.abc import Sequence

from palace.db.database import UserSession
from palace.db.filing.steps import find_failures
from palace.errors import BadRequest
from palace.mining.steps.extraction import Extraction
from palace.mining.steps.kinds import Kinds
from palace.mining.steps.passages import Passages
from palace.mining.steps.step import IndexStep
from palace.mining.steps.tags import Tags
from palace.mining.steps.topics import Topics
from palace.mining.steps.vectors import Vectors
from palace.mining.steps.work import WorkDone
from palace.models import StepStatus

STEPS: tuple[IndexStep, ...] = (Passages(), Vectors(), Extraction(), Kinds(), Topics(), Tags(), WorkDone())
"""Every built-in step: a module of this package and a row here."""


def steps_with(own: Sequence[IndexStep]) -> tuple[IndexStep, ...]:
    """Return all steps of a palace, the caller's own after the built-in ones.

    Raises:
        BadRequest: one is no index step, two have the same name, or one needs a step that is not before it.
    """
    names: list[str] = []
    steps = (*STEPS, *own)
    for step in steps:
        if not isinstance(step, IndexStep):
            raise BadRequest(f"an index step must be a palace.IndexStep, not {type(step).__name__}")
        if step.name in names:
            raise BadRequest(f"two index steps have the same name: {step.name}")
        if step.made.version < 1:
            raise BadRequest(f"the version of an index step is from 1: that of {step.name} is {step.made.version}")
        missing = [need for need in step.needs if need not in names]
        if missing:
            raise BadRequest(f"the index step {step.name} needs {', '.join(missing)}, which no step before it makes")
        names.append(step.name)
    return steps


def list_step_statuses(session: UserSession, steps: Sequence[IndexStep]) -> tuple[StepStatus, ...]:
    """Return for each step how many conversations are pending, and why the failed ones failed."""
    return tuple(find_failures(session, step.name, step.list_pending(session, asked=True)) for step in steps)
