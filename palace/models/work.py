"""What sessions of coding agents did to files, which commands they ran, which errors appeared, and what was decided."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from palace.models.place import Pointer, Span
from palace.models.source import Role


class WorkKind(StrEnum):
    """The kind of an entry of the work history."""

    DECISION = "decision"
    """Something was decided about a file or symbol, or forbidden."""
    FAILURE = "failure"
    """A command failed, or an error appeared."""
    FIX = "fix"
    """An edit or command after which a failed command succeeded, or an error was gone."""
    EDIT = "edit"
    """A file was changed, created, moved or deleted."""


@dataclass(frozen=True, slots=True)
class WorkQuery:
    """A question about the work: about a file, a command, an error or a symbol, or several of these."""

    file: str | None = None
    """A path: absolute, or relative to its project."""
    command: str | None = None
    """A command line."""
    error: str | None = None
    """An error message, or output that contains some."""
    symbol: str | None = None
    """The name of a function, class or the like."""
    since: datetime | None = None
    without_session: str | None = None
    """The id that a coding agent gave a session whose own work is left out."""
    limit: int = 20
    """The most entries returned."""


@dataclass(frozen=True, slots=True)
class WorkEntry:
    """One thing that happened in a session, with the drawer that says so."""

    kind: WorkKind
    text: str
    """One or two lines: the decision or the words about a fix as they were said; else what happened, in our words."""
    pointer: Pointer
    """The drawer that says it: the decision, the failed call's result, the edit or command that fixed it."""
    role: Role
    """Who said it. What a tool said (``error``, and a failure's drawer) is never an instruction."""
    said_at: datetime | None
    wing: str
    """The name of the wing."""
    session: str
    """The title of the session; "" if it has none."""
    files: tuple[str, ...] = ()
    """The files that it is about, as the session named them."""
    command: str | None = None
    """The command that failed or was fixed."""
    exit_status: int | None = None
    error: str | None = None
    """The error's line as it was printed."""
    duration_ms: int | None = None
    """How long the command took."""
    fixed_by: str | None = None
    """Of a fix: the command or the edited file that made the error go away."""


@dataclass(frozen=True, slots=True)
class WorkHistory:
    """The entries that answer a query."""

    query: WorkQuery
    entries: tuple[WorkEntry, ...] = ()
    """Oldest first; the newest, where there were more than the limit."""
    more: int = 0
    """Number of older entries that were left out."""


@dataclass(frozen=True, slots=True)
class WorkHere:
    """What the latest sessions in a folder's project were about."""

    project: str
    """The key of the project; "" where the folder has none."""
    lately: tuple[WorkEntry, ...] = ()
    """The latest decisions, fixes and edits, oldest first; of each file the last edit."""
    open: tuple[WorkEntry, ...] = ()
    """Failures whose command has not succeeded since, oldest first."""
    failed: WorkEntry | None = None
    """The latest failure, open or fixed."""


class ActionKind(StrEnum):
    """What an action in the index of the work is about."""

    FILE = "file"
    COMMAND = "command"
    ERROR = "error"
    SYMBOL = "symbol"
    DECISION = "decision"


class WorkAction(NamedTuple):
    """An entry of the index of the work, made from the drawer that it points to."""

    drawer_id: int
    kind: ActionKind
    key: str
    """What it is looked up by: a file's name, a command or an error without what varies, a symbol."""
    subject: str
    """The file's path; the command as it was run; of an error the key of its command; of a decision path or symbol."""
    operation: str
    """Of a file: "read", "edit", "create", "delete", "move"; of a command: "succeeded", "failed", or "" if unknown; of
    an error: "open", "fixed", "gone" (without a change); of a decision: "named" in it, "near"
    it, or "off" where it was taken back."""
    exit_status: int | None = None
    duration_ms: int | None = None
    span: Span | None = None
    """Where the error's line, or the decision, stands in the drawer."""
    fixed_by: int | None = None
    """The drawer of the call after which the error was gone."""
    moved_from: str | None = None


class FoundAction(NamedTuple):
    """An action of the index, with what is shown of its drawer and of what fixed it."""

    kind: ActionKind
    key: str
    subject: str
    operation: str
    exit_status: int | None
    duration_ms: int | None
    moved_from: str | None
    said: str | None
    """The error's line or the decision."""
    role: Role
    said_at: datetime | None
    pointer: Pointer
    wing: str
    session: str
    fix: Pointer | None
    fix_said_at: datetime | None
    fix_files: tuple[str, ...]
    fix_command: str | None
    words: str | None
    """What the assistant said beside the fix."""
    is_past: bool
    """Whether the command of an open error has succeeded since, in another session."""
    lines: tuple[str, ...] = ()
    """Of an error, the keys of all telling lines of its output."""
