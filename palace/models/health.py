"""The server and the palace as a person asks about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from palace.models.costs import GenerationStatus
from palace.models.jobs import JobCounts


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """The database server as a person asks about it."""

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
    """Why a server that has a process lets nobody in ("shutting down", "suspended"); empty otherwise."""


@dataclass(frozen=True, slots=True)
class StepStatus:
    """How far a palace is with one index step."""

    name: str
    """"passages", "vectors" or "topics"."""
    pending: int
    """Conversations that wait for it."""
    failed: int = 0
    """Those of them for which it failed when it was tried last."""
    held: int = 0
    """Those for which it failed so often that only a backfill or a rebuild tries again."""
    failure: str | None = None
    """What the last failure said."""
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
    """Those that have words, with a vector or without; sentences not counted."""
    sentences: int
    """What persons said, sentence by sentence: each has a vector, in place of the passage that it stands in."""
    embeddings: Sequence[GenerationStatus]
    last_mined_at: datetime | None
    replaced: int = 0
    """How many of the drawers are old versions."""
    steps: Sequence[StepStatus] = ()
    """The index steps in the order they are done."""
    entities: int = 0
    """Those that have a name, times aside."""
    relations: int = 0
    """Those that are believed, what is over included."""
    jobs: JobCounts = field(default_factory=JobCounts)
    """Background work that waits, runs or failed."""
    outbox: int = 0
    """Exchanges that could not be filed yet: they wait in a file of this machine's."""


class Verdict(StrEnum):
    """What a check found."""

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
    """The command or step that mends it; empty when nothing is wrong."""

    def __str__(self) -> str:
        return f"{self.finding}: `{self.remedy}`" if self.remedy else self.finding


class ServerState(StrEnum):
    """What is known of the database at a glance."""

    NEW = "new"
    """Nothing was made yet."""
    STOPPED = "stopped"
    """The embedded server does not run; whatever needs it starts it."""
    AWAY = "away"
    """A shared server does not answer."""
    OUTDATED = "outdated"
    """It runs, and has no palace of this version."""
    BUSY = "busy"
    """It runs, and does not tell at once."""
    RUNNING = "running"


@dataclass(frozen=True, slots=True)
class PalaceGlance:
    """One user's palace at a glance; what nobody could tell is null."""

    user: str
    home: str
    server: ServerState
    is_shared: bool
    """Whether the server is a shared one, which is not ours to start."""
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
