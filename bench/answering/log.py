"""Logs of what models said: a line a question, kept from the moment it is written, gone on with after a stop.

A question that failed is a line too, with what the attempt cost; when it is tried again, its last line counts.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Generic, Protocol, TypeVar

from bench.retrieval.log import RunFiles, lines_of
from bench.retrieval.run import progress
from palace.errors import BadRequest, LanguageModelError, UnreadableSource
from palace.records import CallRecord

GIVE_UP_AFTER = 5
"""Questions in a row that may fail: after that it is not the questions."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call to a model, as the ledger has it."""

    model: str
    tokens: int
    cost_usd: float
    seconds: float
    outcome: str

    @classmethod
    def of(cls, record: CallRecord) -> Call:
        """Take a record of the ledger."""
        return cls(record.model, record.tokens, float(record.cost_usd), round(record.seconds, 3), record.outcome)


class Line(Protocol):
    """What every line has."""

    @property
    def question_id(self) -> str:
        """Which question it is about."""

    @property
    def calls(self) -> list[Call]:
        """What it took."""

    @property
    def error(self) -> str | None:
        """Why there is nothing; None where there is something."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A question and what the reader answered."""

    question_id: str
    question_type: str
    question: str
    asked_at: str | None
    hypothesis: str | None
    """The reader's words, under the name that LongMemEval's own evaluation reads; None after an error."""
    drawers: dict[str, str]
    """What the reader was given: the turn that each pointer cites."""
    recall_ms: float
    calls: list[Call]
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """A question and whether the answer to it is right."""

    question_id: str
    question_type: str
    judging: str
    """By which instruction."""
    hypothesis: str
    """What was judged: another answer needs another judgement."""
    is_right: bool | None
    """None after an error."""
    calls: list[Call]
    error: str | None = None


L = TypeVar("L", Answered, Judged)


@dataclass(frozen=True)
class LineLog(Generic[L]):
    """One log, beside its manifest."""

    files: RunFiles
    kind: type[L]

    def latest(self) -> dict[str, L]:
        """Give each question's last line, in the order they were first asked; empty where there is no log.

        Raises:
            UnreadableSource: a line is cut off, or not one of such a log.
        """
        return {line.question_id: line for line in self._lines()}

    def keep(self, what: str, lines: Iterable[L], *, total: int) -> None:
        """Write lines as they come, saying how far it is; the manifest is told what all of the log cost.

        Raises:
            LanguageModelError: five questions in a row failed.
        """
        failed = 0
        try:
            for _, line in progress(what, lines, total=total):
                self._append(line)
                failed = failed + 1 if line.error else 0
                if failed == GIVE_UP_AFTER:
                    raise LanguageModelError(f"{failed} questions in a row failed, the last one: {line.error}")
        finally:
            self._sum_up()

    def require(self, verb: str) -> dict[str, L]:
        """Give each question's last line.

        Raises:
            BadRequest: there is no log; ``verb`` makes one.
        """
        if not self.files.log.exists():
            raise BadRequest(f"there is no log {self.files.log}: run `{verb}` first")
        return self.latest()

    def _append(self, line: L) -> None:
        with self.files.log.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(line), ensure_ascii=False) + "\n")

    def _lines(self) -> Iterator[L]:
        if not self.files.log.exists():
            return
        for number, line in enumerate(lines_of(self.files.log), 1):
            try:
                yield self._line(json.loads(line))
            except (ValueError, TypeError, KeyError) as problem:
                reason = "is no line of such a log"
                raise UnreadableSource(str(self.files.log), reason, place=f"line {number}") from problem

    def _line(self, value: dict[str, Any]) -> L:
        return self.kind(**{**value, "calls": [Call(**call) for call in value["calls"]]})

    def _sum_up(self) -> None:
        lines = list(self._lines())
        latest = {line.question_id: line for line in lines}.values()
        counts = {"done": sum(not line.error for line in latest), "failed": sum(bool(line.error) for line in latest)}
        self.files.write_manifest({**self.files.read_manifest(), **counts, "costs": costs(lines)})


def costs(lines: Sequence[Line]) -> dict[str, float]:
    """Sum what lines cost, failed attempts included."""
    calls = [call for line in lines for call in line.calls]
    return {
        "calls": len(calls),
        "failed_calls": sum(call.outcome != "ok" for call in calls),
        "tokens": sum(call.tokens for call in calls),
        "cost_usd": round(sum(call.cost_usd for call in calls), 6),
        "seconds": round(sum(call.seconds for call in calls), 1),
    }
