"""The state of the server and of a palace, as shown to a person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from palace.models.costs import GenerationStatus
from palace.models.jobs import JobCounts


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """The state of the database server."""

    kind: str
    """"embedded" or "shared"."""
    running: bool
    url: str
    """Without a password."""
    version: str | None = None
    data_folder: str | None = None
    data_bytes: int | None = None
    pid: int | None = None
    hindrance: str = ""
    """Why a running server accepts no connections ("shutting down", "suspended"); empty otherwise."""


@dataclass(frozen=True, slots=True)
class StepStatus:
    """The state of one index step in a palace."""

    name: str
    """"passages", "vectors" or "topics"."""
    pending: int
    """Conversations that wait for it."""
    failed: int = 0
    """Those of them for which the last try failed."""
    held: int = 0
    """Those that failed so often that only a backfill or a rebuild tries again."""
    failure: str | None = None
    """Message of the last failure."""
    failed_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class PalaceStatus:
    """One user's palace in numbers."""

    user: str
    server: ServerStatus
    wings: int
    rooms: int
    drawers: int
    passages: int
    """Passages with indexed words, with or without a vector; sentences not counted."""
    sentences: int
    """Sentences of persons' messages: each has a vector, in place of the enclosing passage."""
    embeddings: Sequence[GenerationStatus]
    last_mined_at: datetime | None
    replaced: int = 0
    """How many of the drawers are old versions."""
    steps: Sequence[StepStatus] = ()
    """The index steps, in the order in which they run."""
    entities: int = 0
    """Entities with a name, without times."""
    people: int = 0
    """How many of the entities are persons."""
    relations: int = 0
    """Relations that are currently believed, including ended ones."""
    jobs: JobCounts = field(default_factory=JobCounts)
    """Background jobs that wait, run or failed."""
    outbox: int = 0
    """Exchanges that could not be filed yet; they wait in a file on this machine."""


class Verdict(StrEnum):
    """The result of a check."""

    OK = "ok"
    WARNING = "warning"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Check:
    """One line of ``palace doctor``."""

    name: str
    verdict: Verdict
    finding: str
    remedy: str = ""
    """The command or step that fixes it; empty when nothing is wrong."""

    def __str__(self) -> str:
        return f"{self.finding}: `{self.remedy}`" if self.remedy else self.finding


class ServerState(StrEnum):
    """The state of the database, as far as it can be known at once."""

    NEW = "new"
    """Nothing was created yet."""
    STOPPED = "stopped"
    """The embedded server does not run; it is started when needed."""
    AWAY = "away"
    """A shared server does not answer."""
    OUTDATED = "outdated"
    """It runs, but has no palace of this version."""
    BUSY = "busy"
    """It runs, but does not answer at once."""
    RUNNING = "running"


@dataclass(frozen=True, slots=True)
class PalaceGlance:
    """One user's palace at a glance; null for anything that is unknown."""

    user: str
    home: str
    server: ServerState
    is_shared: bool
    """Whether the server is a shared one, which Palace does not start."""
    wings: int | None = None
    rooms: int | None = None
    drawers: int | None = None
    last_mined_at: datetime | None = None
    waiting: int | None = None
    """Jobs that wait or run."""
    failed: int | None = None
    """Jobs that failed."""

    @property
    def is_empty(self) -> bool:
        """Whether it is known that nothing was filed yet."""
        return self.server is ServerState.NEW or self.drawers == 0
