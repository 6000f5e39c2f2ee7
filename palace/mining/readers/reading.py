"""What every reader is told about the reading it is part of, and what it reports back beside the conversations."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from enum import StrEnum

from palace.errors import UnreadableSource
from palace.mining.readers.files.whereabouts import Whereabouts
from palace.mining.readers.reader import Readers

MOST_NAMED = 20
"""So many messages of a file that cannot be read are named; the summary counts all of them."""
UNREAD_MESSAGES = "messages that could not be read"
UNREAD_LINES = "lines that could not be read"
_LEFT_OUT = (UNREAD_MESSAGES, UNREAD_LINES)
"""Kinds that any reader may count."""


class DateOrder(StrEnum):
    """Which of the two numbers of a date like 05/01/2024 is the day."""

    DAY_FIRST = "day-first"
    MONTH_FIRST = "month-first"


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
    """What of the file is in no conversation, by kind ("joins and other housekeeping"), told in the summary."""
    failures: list[UnreadableSource] = field(default_factory=list)
    """Conversations and messages that could not be read, where the others of the file could."""
    notices: list[str] = field(default_factory=list)
    """What a person should know of how the file was read, one line each: the order of day and month, say."""

    def problem(self, reason: str, place: str = "") -> UnreadableSource:
        """Word an error about this file; the caller raises it."""
        return UnreadableSource(self.file, reason, place=place)

    def leave_out(self, kind: str, count: int = 1) -> None:
        """Count something that is in the file and not in a conversation."""
        self.left_out[kind] += count

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
