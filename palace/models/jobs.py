"""Jobs of the queue, and the results of workers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class JobState(StrEnum):
    """The state of a job."""

    WAITING = "waiting"
    RUNNING = "running"
    FAILED = "failed"
    """Given up after its last try; it waits for a person."""


@dataclass(frozen=True, slots=True)
class Job:
    """A background job of one user."""

    id: int
    task: str
    """The task: ``index`` runs the pending index steps."""
    state: JobState
    conversation_id: int | None
    """The conversation that it is for; None for all of them."""
    title: str | None
    """Title of that conversation, if it has one."""
    attempts: int
    """Number of failures."""
    enqueued_at: datetime
    changed_at: datetime
    """When it was started, put back or given up."""
    due_at: datetime | None
    """Earliest time of the next try after a failure."""
    error: str | None
    """The error of the last try, in one line; it never quotes a message."""


@dataclass(frozen=True, slots=True)
class JobCounts:
    """Numbers of a user's jobs by state."""

    waiting: int = 0
    running: int = 0
    failed: int = 0


@dataclass(frozen=True, slots=True)
class WorkSummary:
    """The result of a worker's run."""

    done: int
    """Jobs that were done."""
    failed: int
    """Tries that failed."""
    seconds: float
    filed: int = 0
    """New drawers from watched files."""
    unread: int = 0
    """Watched files that could not be read, or only in part."""
    hooks: int = 0
    """Hooks of coding agents that were answered."""
    missing: int = 0
    """Watched folders, or files, that did not exist when last checked."""


@dataclass(frozen=True, slots=True)
class ServiceFile:
    """The systemd unit file that runs a worker."""

    path: str
    state: str
    """"written", "replaced", "unchanged", "removed", or "absent" where there was none to remove."""
    commands: tuple[str, ...] = ()
    """Commands to run next, in order."""
    notices: tuple[str, ...] = ()
    """Remarks for the person."""
