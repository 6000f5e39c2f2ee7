"""Background work: one row of the queue, and how many there are."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class JobState(StrEnum):
    """How far a job is."""

    WAITING = "waiting"
    RUNNING = "running"
    FAILED = "failed"
    """A dead letter: it was tried as often as is worth it, and waits for a person."""


@dataclass(frozen=True, slots=True)
class Job:
    """One piece of background work of one user."""

    id: int
    task: str
    """What is to be done: ``index`` does the index steps that are pending."""
    state: JobState
    conversation_id: int | None
    """The conversation it is for; None for all of them."""
    title: str | None
    """What that conversation is called, where it has a name."""
    attempts: int
    """How often it failed."""
    enqueued_at: datetime
    changed_at: datetime
    """When it was begun, put back or given up."""
    due_at: datetime | None
    """Until when it rests after a failure."""
    error: str | None
    """Why it was not done, in one line; never what a message says."""


@dataclass(frozen=True, slots=True)
class JobCounts:
    """How many jobs a user has."""

    waiting: int = 0
    running: int = 0
    failed: int = 0


@dataclass(frozen=True, slots=True)
class WorkSummary:
    """What a worker did."""

    done: int
    """Jobs."""
    failed: int
    """Attempts that failed."""
    seconds: float
    filed: int = 0
    """Drawers that are new, of files that were watched."""
    unread: int = 0
    """Watched files that could not be read, or not all of them."""
    hooks: int = 0
    """Hooks of coding agents that were answered."""
    missing: int = 0
    """Watched folders, or files, that were not there when they were looked at last."""


@dataclass(frozen=True, slots=True)
class ServiceFile:
    """The file that has systemd run a worker."""

    path: str
    state: str
    """"written", "replaced", "unchanged", "removed", or "absent" where there was none to remove."""
    commands: tuple[str, ...] = ()
    """What is to be run next, in order."""
    notices: tuple[str, ...] = ()
    """What a person should know of it."""
