"""Counts the results of a mine while it goes on, and formats them for the event of its run."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from palace.errors import Cancelled, PalaceError, UnreadableSource
from palace.mining.extraction.asking import Asking
from palace.mining.files.reading import Reading
from palace.mining.filing.conversation import Filed
from palace.mining.filing.wing_matching import Reason
from palace.mining.redaction import added_up
from palace.models import Conversation, MineSummary, RehearsedSource, SecretsFound, SourceFailure
from palace.models.intake import repair

MOST_WARNINGS = 40
MOST_FAILURES = 40
"""Most failures listed in an event."""
LONGEST_LINE = 500
"""Most characters of a file name or failure in an event."""
_COUNTED = (
    "files",
    "conversations",
    "drawers_new",
    "drawers_unchanged",
    "drawers_excluded",
    "drawers_forgotten",
    "passages_embedded",
    "passages_pending",
)
Details = dict[str, object]
MOST_SECRETS = 1000
"""Most redacted messages listed in a summary."""


@dataclass(slots=True)
class Tally:
    """The results of a mine so far."""

    files: int = 0
    conversations: int = 0
    new: int = 0
    unchanged: int = 0
    excluded: int = 0
    forgotten: int = 0
    closets: int = 0
    names: int = 0
    claims: int = 0
    failures: dict[SourceFailure, None] = field(default_factory=dict)
    """In order of occurrence, without duplicates."""
    warnings: list[str] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    passed_over: Counter[str] = field(default_factory=Counter)
    wing_match: Counter[tuple[str, Reason]] = field(default_factory=Counter)
    """Conversations by the wing that was chosen automatically and why."""
    secrets: list[SecretsFound] = field(default_factory=list)
    """Kinds of secrets removed from new messages, by message."""
    rehearsed: list[RehearsedSource] = field(default_factory=list)
    """Results by source, of a dry run."""

    @property
    def seen(self) -> int:
        """Number of turns processed, whatever the result."""
        return self.new + self.unchanged + self.excluded + self.forgotten

    def fail(self, problem: UnreadableSource, remark: str = "") -> None:
        """Record a source or conversation that could not be mined, without duplicates."""
        self.failures[SourceFailure(problem.file, f"{problem}{remark}")] = None

    def take(self, file: str, conversation: Conversation, filed: Filed) -> None:
        """Add the result of one conversation, and record which messages were redacted."""
        self.conversations += 1
        self.new += filed.new
        self.unchanged += filed.unchanged
        self.forgotten += filed.forgotten
        if filed.wing_match:
            self.wing_match[filed.wing_match.wing.name, filed.wing_match.reason] += 1
        source = f"{file}, {conversation.place}" if conversation.place else file
        for index, kinds in filed.redacted.items():
            number = conversation.messages[index] if conversation.messages else index + 1
            self.secrets.append(SecretsFound(f"{source}, message {number or index + 1}", kinds))

    def take_up(self, reading: Reading) -> None:
        """Add the counts, notices and failures of a complete reading of a source."""
        self.left_out.update(reading.left_out)
        self.notices += reading.notices
        for problem in reading.failures:
            self.fail(problem)

    def summarise(self, started: float) -> MineSummary:
        """Return the summary, without run, embedding and cost."""
        return MineSummary(
            run_id=None,
            dry_run=False,
            files=self.files,
            conversations=self.conversations,
            drawers_new=self.new,
            drawers_unchanged=self.unchanged,
            drawers_excluded=self.excluded,
            drawers_forgotten=self.forgotten,
            passages_embedded=0,
            passages_pending=0,
            closets=self.closets,
            cost_usd=Decimal(0),
            seconds=time.monotonic() - started,
            failures=tuple(self.failures),
            warnings=_bounded(self.warnings),
            left_out=tuple(self.left_out.most_common()),
            notices=_bounded([*self.notices, *map(_placed, self.wing_match.items())]),
            passed_over=tuple(self.passed_over.most_common()),
            sources=tuple(self.rehearsed),
            names=self.names,
            claims=self.claims,
            secrets=added_up(found.kinds for found in self.secrets),
            secrets_in=tuple(self.secrets[:MOST_SECRETS]),
        )


def _placed(wing_match: tuple[tuple[str, Reason], int]) -> str:
    (wing, reason), count = wing_match
    which = "a conversation" if count == 1 else f"{count:,} conversations"
    return f"{which} went to the wing {wing!r}: {reason}"


def _bounded(lines: Sequence[str]) -> tuple[str, ...]:
    left_out = len(lines) - MOST_WARNINGS
    if left_out <= 0:
        return tuple(lines)
    return (*lines[:MOST_WARNINGS], f"… and {left_out:,} more of this kind")


def mined(source: str, summary: MineSummary, landed: Sequence[tuple[int, int]], ended: PalaceError | None) -> Details:
    """Return the event details of a mine; ``landed`` counts drawers by wing, ``ended`` is the error that ended it."""
    failures = summary.failures[:MOST_FAILURES]
    return {
        **noted(_line(source), landed, ended),
        **{name: getattr(summary, name) for name in _COUNTED},
        "cost_usd": str(summary.cost_usd),
        "failures": [{"file": _line(each.file), "message": _line(each.message)} for each in failures],
        "failure_count": len(summary.failures),
        "warning_count": len(summary.warnings),
        "secrets": dict(summary.secrets),
    }


def noted(source: str, landed: Sequence[tuple[int, int]], ended: PalaceError | None) -> Details:
    """Return the event details of filing one note."""
    details: Details = {"outcome": "finished"}
    if isinstance(ended, Cancelled):
        details = {"outcome": "cancelled"}
    elif ended is not None:
        details = {"outcome": "failed", "error": ended.code, "message": _line(str(ended))}
    wings = [{"number": number, "drawers": count} for number, count in landed]
    return {**details, "source": source, "drawers_new": sum(count for _, count in landed), "wings": wings}


def read_by_model(asking: Asking | None) -> Details:
    """Return the event details of the extraction model; {} if it had nothing to read."""
    if asking is None or not asking.read + asking.unread:
        return {}
    return {
        "extraction": {
            "model": _line(asking.model),
            "read": asking.read,
            "unread": asking.unread,
            "dropped": asking.dropped,
            "out_of_budget": asking.is_out_of_budget,
        }
    }


def _line(text: str) -> str:
    line = " ".join(repair(text)[0].split())
    return line if len(line) <= LONGEST_LINE else line[: LONGEST_LINE - 1] + "…"
