"""What `palace connect` answers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from palace.records import MineSummary


class Level(StrEnum):
    """Whose files are meant."""

    USER = "user"
    """The person's own, which count everywhere."""
    PROJECT = "project"
    """Those in a project's folder, which everybody has who works there."""


class FileState(StrEnum):
    """What becomes of a file, or became."""

    UNCHANGED = "unchanged"
    NEW = "new"
    CHANGED = "changed"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class ConfigChange:
    """What becomes of one file of a client's configuration."""

    file: str
    state: FileState
    difference: str = ""
    """Line by line, as `diff -u` has it; long lines are cut, and secrets left out."""


@dataclass(frozen=True, slots=True)
class Sessions:
    """What a client has kept of earlier sessions, and what mining all of it would come to, mined before or not."""

    folders: tuple[str, ...]
    """What is mined."""
    sessions: int
    size_bytes: int
    oldest_at: datetime | None
    """When the session was last written to that was left first."""
    newest_at: datetime | None
    """When any was last written to."""
    sampled: int
    """How many of them were read for the estimate."""
    drawers: int | None
    """An estimate; none where no session could be read."""
    minutes: float | None
    """What filing and embedding them may take, an estimate."""


@dataclass(frozen=True, slots=True)
class Connection:
    """What connecting a client did, would do, or took back."""

    client: str
    level: Level
    done: bool
    """Whether the files are so now; what was only shown is not done."""
    files: tuple[ConfigChange, ...]
    notices: tuple[str, ...] = ()
    """What a person has to do or to know, one line each."""
    sessions: Sessions | None = None
    mined: MineSummary | None = None
    """What mining those filed, where that was asked for."""


@dataclass(frozen=True, slots=True)
class ClientState:
    """A client as it stands on this machine."""

    client: str
    title: str
    is_found: bool
    """It is installed, or has been used."""
    level: Level
    server: bool
    """Whether the server stands in its configuration."""
    hooks: tuple[str, ...]
    """The events that run a hook of ours."""
    lacking: tuple[str, ...]
    """The events of it that do not."""
    program: str
    """The executable that its configuration names; empty where it names none."""
    is_runnable: bool
    """Whether that is there and can be run; true where none is named."""
    problem: str = ""
    """Why its configuration cannot be read."""
    sessions: Sessions | None = None
