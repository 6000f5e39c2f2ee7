"""Options of reading a file, the interface of readers, and the report of a reading."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo
from enum import StrEnum
from pathlib import Path, PurePosixPath
from stat import S_ISREG
from typing import Any, BinaryIO, NamedTuple

from palace.errors import UnreadableSource
from palace.mining.files.containers import Container, Folder, is_regular, printable
from palace.mining.files.fields import as_title
from palace.models import Conversation

MOST_NAMED = 20
"""Most unreadable messages of a file that are listed; the summary counts all of them."""
UNREAD_MESSAGES = "messages that could not be read"
UNREAD_LINES = "lines that could not be read"
_MOST_BESIDE = 1 << 20


class LeftOut:
    """Categories, shared by readers, of content that becomes no message."""

    ATTACHED = "context that the program attached"
    BOOKKEEPING = "bookkeeping"
    HIDDEN_REASONING = "hidden reasoning"
    NOTICES = "notices of the program"
    REACTIONS = "reactions"
    SUBAGENTS = "work of subagents"
    SUMMARIES = "summaries of sessions that grew too long"


class DateOrder(StrEnum):
    """Whether the day or the month comes first in a date like 05/01/2024."""

    DAY_FIRST = "day-first"
    MONTH_FIRST = "month-first"


class Record(NamedTuple):
    """One JSON value of a file, numbered from 1."""

    value: Any
    number: int
    line: int | None = None
    fault: UnreadableSource | None = None
    """Why this line cannot be read; there is no value then."""

    def place(self, noun: str, title: str | None = None) -> str:
        """Return the position for messages: the line number, or the number of the value, and its title."""
        where = f"line {self.line}" if self.line else f"{noun} {self.number}"
        shown = as_title(title, 60)
        return f'{where} ("{printable(shown)}")' if shown else where


class JsonReader(NamedTuple):
    """A reader of a JSON format: an array, a document or JSON lines."""

    title: str
    """Name of the format, for messages."""
    recognises: Callable[[object], bool]
    """Checks whether one of the first values of a file is of this format."""
    read: Callable[[Iterator[Record], Reading], Iterator[Conversation]]
    """Streams the conversations of all values of the file, from the first. An unreadable value is reported to the
    reading; an error after which reading cannot go on is raised as ``reading.problem(…)``.
    """


class TextReader(NamedTuple):
    """A reader of a text format."""

    title: str
    """Name of the format, for messages."""
    recognises: Callable[[str], bool]
    """Checks the beginning of a text, without leading white space; it may be cut off within a word."""
    read: Callable[[str, Reading], Iterator[Conversation]]
    """Streams the conversations of the whole text."""


class ByteReader(NamedTuple):
    """A reader of a format whose parts declare their own encodings."""

    title: str
    """Name of the format, for messages."""
    recognises: Callable[[bytes, str], bool]
    """Checks a file by its first bytes and the ending of its name (".eml")."""
    read: Callable[[BinaryIO, Reading], Iterator[Conversation]]
    """Streams the conversations of the file."""


@dataclass(frozen=True, slots=True)
class Readers:
    """Readers, in the order in which they are tried."""

    json: tuple[JsonReader, ...] = ()
    text: tuple[TextReader, ...] = ()
    bytes: tuple[ByteReader, ...] = ()


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """The location of a file and the small files beside it, for formats that keep metadata in paths."""

    container: Container
    member: str

    @property
    def path(self) -> PurePosixPath:
        """Real path of the file; in an archive, the archive's path and the path inside it."""
        return PurePosixPath(self.container.key(self.member))

    def beside(self, name: str, up: int = 0) -> str | None:
        """Return the text of a small file in the folder ``up`` levels above the file's own, or None."""
        try:
            if not isinstance(self.container, Folder):
                stream = self.container.open(str(PurePosixPath(self.member).parents[up] / name))
            elif is_regular(path := Path(self.path).parents[up] / name):
                stream = path.open("rb")
            else:  # Reading a pipe would block.
                return ""
            with stream:
                return stream.read(_MOST_BESIDE).decode("utf-8")
        except (UnreadableSource, OSError, KeyError, ValueError, IndexError):
            return None

    def below(self, folder: str, up: int = 0, pattern: str = "**/*.jsonl") -> list[Whereabouts]:
        """Return the files that match a pattern below a folder ``up`` levels above the file's own.

        Links and hidden files and folders are left out.
        """
        is_folder = isinstance(self.container, Folder)
        above = (self.path if is_folder else PurePosixPath(self.member)).parents
        if len(above) <= up or not {"..", "/"}.isdisjoint(PurePosixPath(folder).parts):
            return []
        root = above[up] / folder
        if is_folder:
            try:
                below = {path: path.relative_to(root).parts for path in Path(root).glob(pattern)}
                paths = [path for path, parts in below.items() if not any(part.startswith(".") for part in parts)]
                plain = {folder for folder in {path.parent for path in paths} if folder.resolve() == folder}
                found = sorted(str(path) for path in paths if path.parent in plain and S_ISREG(path.lstat().st_mode))
            except (OSError, ValueError):  # Ids in files may be no names of folders.
                return []
        else:
            wanted = re.compile(re.escape(pattern).replace(r"\*\*/", "(.*/)?").replace(r"\*", "[^/]*"))
            found = [
                name
                for name in self.container.names()
                if (path := PurePosixPath(name)).is_relative_to(root) and wanted.fullmatch(str(path.relative_to(root)))
            ]
        return [replace(self, member=name) for name in found]


@dataclass(frozen=True, slots=True)
class Reading:
    """The file being read, the options of reading it, and the problems and counts reported meanwhile."""

    file: str
    """Name for messages, as the user would write it."""
    now: datetime = field(default_factory=lambda: datetime.now(UTC))
    """Times more than a day later than this are rejected."""
    zone: tzinfo = UTC
    """The user's time zone, for times without one."""
    dates: DateOrder | None = None
    """Order of day and month in ambiguous dates; None to infer it from the file."""
    encoding: str | None = None
    """Encoding of text; None for UTF-8."""
    readers: Readers = field(default_factory=Readers)
    """The caller's own readers, tried before the built-in ones."""
    where: Whereabouts | None = None
    """Location of the file; None if it has none."""
    projects: dict[str, str] = field(default_factory=dict)
    """Names of projects by id, because conversations and memories in an export give only the id."""
    left_out: Counter[str] = field(default_factory=Counter)
    """Counts by category of what becomes no message, shown in the summary."""
    failures: list[UnreadableSource] = field(default_factory=list)
    """Conversations and messages that could not be read, while others could."""
    notices: list[str] = field(default_factory=list)
    """Facts about how the file was read for the user, one line each, such as the order of day and month."""

    def beside(self, name: str, up: int = 0) -> str | None:
        """Return the text of a small file in the folder ``up`` levels above the file's own, or None."""
        return self.where.beside(name, up) if self.where else None

    def below(self, folder: str, up: int = 0) -> list[Whereabouts]:
        """Return the files of JSON lines below a folder ``up`` levels above the file's own; none for the folder ""."""
        return self.where.below(folder, up) if self.where and folder else []

    def problem(self, reason: str, place: str = "") -> UnreadableSource:
        """Return an error about this file, for the caller to raise."""
        return UnreadableSource(self.file, reason, place=place)

    def leave_out(self, kind: str, count: int = 1) -> None:
        """Count content of the file that is in no conversation."""
        if count:
            self.left_out[kind] += count

    def notice(self, line: str) -> None:
        """Add a notice, unless it is there already."""
        if line not in self.notices:
            self.notices.append(line)

    def miss(self, problem: UnreadableSource, kind: str = UNREAD_MESSAGES) -> None:
        """Count an unreadable message or line, and list it unless ``MOST_NAMED`` are listed already."""
        self.leave_out(kind)
        missed = self.left_out[kind]
        if missed <= MOST_NAMED:
            self.failures.append(problem)
        elif missed == MOST_NAMED + 1:
            self.failures.append(self.problem(f"there are more {kind}: only the first {MOST_NAMED} are named"))

    @property
    def troubles(self) -> int:
        """Number of things that could not be read, listed or not."""
        return len(self.failures) + self.left_out[UNREAD_MESSAGES] + self.left_out[UNREAD_LINES]
