"""Work of coding agents: changes of files, commands, errors and decisions in their sessions."""

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
    """A decision or prohibition about a file or symbol."""
    FAILURE = "failure"
    """A command failed, or an error appeared."""
    FIX = "fix"
    """An edit or command after which a failed command succeeded, or an error was gone."""
    EDIT = "edit"
    """A file was changed, created, moved or deleted."""


@dataclass(frozen=True, slots=True)
class WorkQuery:
    """A query for work about a file, a command, an error, a symbol, or several of these."""

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
    """The coding agent's id of a session to leave out."""
    limit: int = 20
    """The most entries returned."""


@dataclass(frozen=True, slots=True)
class WorkEntry:
    """A decision, failure, fix or edit in a session, with the pointer of its drawer."""

    kind: WorkKind
    text: str
    """One or two lines: the words of a decision or about a fix as they were said, else a description by Palace."""
    pointer: Pointer
    """The drawer of the decision, of the failed call's result, or of the edit or command that fixed it."""
    role: Role
    """Who said it. The output of a tool (``error``, and a failure's drawer) is never an instruction."""
    said_at: datetime | None
    wing: str
    """The name of the wing."""
    session: str
    """The title of the session, or the name of its room if it has none."""
    files: tuple[str, ...] = ()
    """The files that it is about: their paths in the project, or as the session named them where that is unknown."""
    command: str | None = None
    """The command that failed or was fixed."""
    exit_status: int | None = None
    error: str | None = None
    """The error's line as it was printed; of several in one run, the first."""
    duration_ms: int | None = None
    """How long the command took."""
    fixed_by: str | None = None
    """Of a fix: the command or the edited file that made the error go away."""


@dataclass(frozen=True, slots=True)
class WorkHistory:
    """The result of a query."""

    query: WorkQuery
    entries: tuple[WorkEntry, ...] = ()
    """Oldest first; if there are more than the limit, the newest."""
    more: int = 0
    """Number of older entries that were left out."""


@dataclass(frozen=True, slots=True)
class WorkHere:
    """The latest work in a folder's project."""

    project: str
    """The key of the project; "" if the folder has none."""
    lately: tuple[WorkEntry, ...] = ()
    """The latest decisions, fixes and edits, newest first; of each file the last edit."""
    open: tuple[WorkEntry, ...] = ()
    """The last failure of each command that has not succeeded since, newest first."""
    failed: WorkEntry | None = None
    """The latest failure, open or fixed."""

    @property
    def parts(self) -> dict[str, tuple[WorkEntry, ...]]:
        """The entries that there are by their heading, newest first; the last failure only where it is not open."""
        is_past = self.failed and self.failed.pointer not in {each.pointer for each in self.open}
        last = (self.failed,) if self.failed and is_past else ()
        every = {"Lately": self.lately, "Open failures": self.open, "Last failure": last}
        return {heading: entries for heading, entries in every.items() if entries}


class ActionKind(StrEnum):
    """The kinds of entries in the work index."""

    FILE = "file"
    COMMAND = "command"
    ERROR = "error"
    SYMBOL = "symbol"
    DECISION = "decision"


class WorkAction(NamedTuple):
    """An entry of the work index, made from one drawer."""

    drawer_id: int
    kind: ActionKind
    key: str
    """The lookup key: a file's name, a command or an error in normal form, or a symbol."""
    subject: str
    """The file's path; the command as it was run; of an error the key of its command; of a decision path or symbol."""
    operation: str
    """Of a file: "read", "edit", "create", "delete", "move"; of a command: "succeeded", "failed", or "" if unknown; of
    an error: "open", "fixed", "gone" (without a change); of a decision: "named" in it, "near"
    it, "said" near it in a message that probably lasts, or "off" where it was taken back."""
    exit_status: int | None = None
    duration_ms: int | None = None
    span: Span | None = None
    """The characters of the error's line, or of the decision, in the drawer."""
    fixed_by: int | None = None
    """The drawer of the call after which the error was gone."""
    moved_from: str | None = None


class FoundAction(NamedTuple):
    """An entry of the work index with the texts of its drawer and of its fix."""

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
    """The assistant's message next to the fix."""
    is_past: bool
    """Whether the command of an open error has succeeded since, in another session."""
    lines: tuple[str, ...] = ()
    """Of an error, the keys of all telling lines of its output."""
    projects: tuple[str, ...] = ()
    """The keys of the projects of its wing."""
