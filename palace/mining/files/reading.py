"""How a file is read: the readers that are asked, what each is given, and where it reports what it leaves out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, NamedTuple

from palace.errors import UnreadableSource
from palace.mining.files.containers import Container, Folder, is_regular, printable
from palace.mining.files.fields import as_title
from palace.models import Conversation

MOST_NAMED = 20
"""So many messages of a file that cannot be read are named; the summary counts all of them."""
UNREAD_MESSAGES = "messages that could not be read"
UNREAD_LINES = "lines that could not be read"
_MOST_BESIDE = 1 << 20


class LeftOut:
    """Kinds under which several readers count what becomes no message."""

    ATTACHED = "context that the program attached"
    BOOKKEEPING = "bookkeeping"
    HIDDEN_REASONING = "hidden reasoning"
    NOTICES = "notices of the program"
    REACTIONS = "reactions"
    SUBAGENTS = "work of subagents"
    SUMMARIES = "summaries of sessions that grew too long"


class DateOrder(StrEnum):
    """Which of the two numbers of a date like 05/01/2024 is the day."""

    DAY_FIRST = "day-first"
    MONTH_FIRST = "month-first"


class Record(NamedTuple):
    """One JSON value of a file and where it stands, both counted from 1."""

    value: Any
    number: int
    line: int | None = None
    fault: UnreadableSource | None = None
    """Why the line cannot be read, where only this one cannot; then there is no value."""

    def place(self, noun: str, title: str | None = None) -> str:
        """Say where it stands: by line where the file has one a line, else as the n-th of its kind; and its title."""
        where = f"line {self.line}" if self.line else f"{noun} {self.number}"
        shown = as_title(title, 60)
        return f'{where} ("{printable(shown)}")' if shown else where


class JsonReader(NamedTuple):
    """Reads a format that is JSON: an array, a document, or a value a line."""

    title: str
    """What a person calls the format."""
    recognises: Callable[[object], bool]
    """Whether a value is one of this format; asked of the first values of a file."""
    read: Callable[[Iterator[Record], Reading], Iterator[Conversation]]
    """Streams the conversations of all values of the file, from the first on. A value that cannot be read is reported
    to the reading; what nobody can go on after is raised as ``reading.problem(…)``.
    """


class TextReader(NamedTuple):
    """Reads a format that is text."""

    title: str
    """What a person calls the format."""
    recognises: Callable[[str], bool]
    """Whether a text is one of this format, by its beginning, without white space in front; it may end in a word."""
    read: Callable[[str, Reading], Iterator[Conversation]]
    """Streams the conversations of the whole text."""


class ByteReader(NamedTuple):
    """Reads a format whose parts say themselves in which encoding they are."""

    title: str
    """What a person calls the format."""
    recognises: Callable[[bytes, str], bool]
    """Whether a file is one of this format, by its beginning and the ending of its name (".eml")."""
    read: Callable[[BinaryIO, Reading], Iterator[Conversation]]
    """Streams the conversations of the file."""


@dataclass(frozen=True, slots=True)
class Readers:
    """Some readers, in the order in which they are asked whether a file is theirs."""

    json: tuple[JsonReader, ...] = ()
    text: tuple[TextReader, ...] = ()
    bytes: tuple[ByteReader, ...] = ()


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """Where a file lies, and the small files beside it, for formats that keep part of what they know in paths."""

    container: Container
    member: str

    @property
    def path(self) -> PurePosixPath:
        """Its real path; in an archive, that of the archive with its place in it."""
        return PurePosixPath(self.container.key(self.member))

    def beside(self, name: str, up: int = 0) -> str | None:
        """Read a small text file in the folder ``up`` above its own; None where it is missing or cannot be read."""
        try:
            # A pipe would be waited for.
            if isinstance(self.container, Folder) and not is_regular(Path(self.path).parents[up] / name):
                return ""
            return self._beside(name, up).decode("utf-8")
        except (UnreadableSource, OSError, KeyError, ValueError, IndexError):
            return None

    def _beside(self, name: str, up: int) -> bytes:
        if isinstance(self.container, Folder):
            with (Path(self.path).parents[up] / name).open("rb") as file:
                return file.read(_MOST_BESIDE)
        with self.container.open(str(PurePosixPath(self.member).parents[up] / name)) as stream:
            return stream.read(_MOST_BESIDE)


@dataclass(frozen=True, slots=True)
class Reading:
    """The file being read, how it is to be read, and what came of it beside its conversations."""

    file: str
    """As the person would name it, for messages."""
    now: datetime = field(default_factory=lambda: datetime.now(UTC))
    """Times more than a day later than this are not believed."""
    zone: tzinfo = UTC
    """The person's: that of times whose source names none."""
    dates: DateOrder | None = None
    """How dates of two numbers are to be read; None to tell it from the file itself."""
    encoding: str | None = None
    """The encoding of text; None for UTF-8."""
    readers: Readers = field(default_factory=Readers)
    """The caller's own, asked before those that Palace has."""
    where: Whereabouts | None = None
    """Where the file lies; None for what lies nowhere."""
    projects: dict[str, str] = field(default_factory=dict)
    """Names of projects by their id, where an export's conversations and memories give only that."""
    left_out: Counter[str] = field(default_factory=Counter)
    """What of the file is in no conversation, by kind ("joins and other housekeeping"), shown in the summary."""
    failures: list[UnreadableSource] = field(default_factory=list)
    """Conversations and messages that could not be read, where the others of the file could."""
    notices: list[str] = field(default_factory=list)
    """What a person should know of how the file was read, one line each: the order of day and month, say."""

    def problem(self, reason: str, place: str = "") -> UnreadableSource:
        """Word an error about this file; the caller raises it."""
        return UnreadableSource(self.file, reason, place=place)

    def leave_out(self, kind: str, count: int = 1) -> None:
        """Count something that is in the file and not in a conversation."""
        if count:
            self.left_out[kind] += count

    def notice(self, line: str) -> None:
        """Note, once, what a person should know of how the file was read."""
        if line not in self.notices:
            self.notices.append(line)

    def miss(self, problem: UnreadableSource, kind: str = UNREAD_MESSAGES) -> None:
        """Count one message or line that cannot be read, and name it unless many of the file were named already."""
        self.leave_out(kind)
        missed = self.left_out[kind]
        if missed <= MOST_NAMED:
            self.failures.append(problem)
        elif missed == MOST_NAMED + 1:
            self.failures.append(self.problem(f"there are more {kind}: only the first {MOST_NAMED} are named"))

    @property
    def troubles(self) -> int:
        """How many things could not be read, named or not."""
        return len(self.failures) + self.left_out[UNREAD_MESSAGES] + self.left_out[UNREAD_LINES]
