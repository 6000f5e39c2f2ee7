"""Asking a model about each question: what came of it, what it cost, and what is tried again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from bench.harness import Figures, progress
from bench.retrieval.dataset import Haystack
from bench.retrieval.log import Log
from bench.retrieval.run import Run
from palace import BadRequest, CallRecord, LanguageModelError, Palace, Reply
from palace.db.ledger import record_calls
from palace.opened import OpenPalace

PURPOSE = "memory_qa"
GIVE_UP_AFTER = 5
"""Questions in a row that may fail: after that it is not the questions."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Call:
    """One call to a model, as the ledger has it."""

    model: str
    tokens: int
    cost_usd: float
    seconds: float
    outcome: str


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
    """The instruction that it was judged by."""
    hypothesis: str
    """What was judged: another answer needs another judgement."""
    is_right: bool | None
    """None after an error."""
    calls: list[Call]
    error: str | None = None


Said = TypeVar("Said", Answered, Judged)


@contextmanager
def open_haystack(run: Run, haystack: Haystack) -> Iterator[tuple[OpenPalace, Palace]]:
    """Open a haystack's palace, from within and from without; its connections are given back."""
    opened = OpenPalace.open(run.settings, user=haystack.id, embedder=run.embedder)
    with Palace(opened, owns_database=True) as palace:
        yield opened, palace


def attempt(opened: OpenPalace, ask: Callable[[], Reply[T]]) -> tuple[T | None, list[Call], str | None]:
    """Ask once, and write the calls to the ledger; give the value or None, the calls, and the error or None.

    Raises:
        LanguageModelError: no call could be made at all, as without a key: the next question would fare no better.
    """
    value: T | None = None
    error: str | None = None
    try:
        reply = ask()
        value, calls = reply.value, reply.calls
    except LanguageModelError as problem:
        if not problem.calls:
            raise
        calls, error = problem.calls, str(problem)
    opened.database.run(lambda session: record_calls(session, PURPOSE, calls))
    return value, [_call(each) for each in calls], error


def _call(record: CallRecord) -> Call:
    return Call(record.model, record.tokens, float(record.cost_usd), round(record.seconds, 3), record.outcome)


def keep(log: Log[Said], what: str, lines: Iterable[Said], *, total: int) -> None:
    """Write lines as they come; the manifest says at the end what all of the log cost, failed attempts included.

    Raises:
        LanguageModelError: five questions in a row failed.
    """
    failed = 0
    try:
        for _, line in progress(what, lines, total=total):
            log.append(line)
            failed = failed + 1 if line.error else 0
            if failed == GIVE_UP_AFTER:
                raise LanguageModelError(f"{failed} questions in a row failed, the last one: {line.error}")
    finally:
        every = log.read() if log.path.exists() else []
        latest = {line.question_id: line for line in every}.values()
        counts = {"done": sum(not line.error for line in latest), "failed": sum(bool(line.error) for line in latest)}
        log.write_manifest({**log.read_manifest(), **counts, "costs": costs(every)})


def costs(lines: Sequence[Answered] | Sequence[Judged]) -> Figures:
    """Sum what lines cost."""
    calls = [call for line in lines for call in line.calls]
    return {
        "calls": len(calls),
        "failed_calls": sum(call.outcome != "ok" for call in calls),
        "tokens": sum(call.tokens for call in calls),
        "cost_usd": round(sum(call.cost_usd for call in calls), 6),
        "seconds": round(sum(call.seconds for call in calls), 1),
    }


def require_all(lines: Mapping[str, Answered] | Mapping[str, Judged], what: str) -> None:
    """Do nothing when no question failed.

    Raises:
        LanguageModelError: some did.
    """
    errors = [line.error for line in lines.values() if line.error]
    if errors:
        raise LanguageModelError(
            f"{len(errors)} questions are without {what}; the same command tries them again. The last one: {errors[-1]}"
        )


def require_product(run: Run) -> None:
    """Do nothing when the run's variant has a palace.

    Raises:
        BadRequest: it has none.
    """
    if not run.variant.is_product:
        raise BadRequest(f"only the product has a palace to ask: {run.variant.name} is none of its variants")
