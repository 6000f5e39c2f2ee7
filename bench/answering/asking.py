"""Asking a model one question: what comes of it, and what it cost in the palace's ledger."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Generic, TypeVar

from bench.answering.log import Call
from bench.retrieval.dataset import Haystack
from bench.retrieval.run import Run
from palace import Palace
from palace.errors import LanguageModelError
from palace.llm.protocol import Reply
from palace.opened import OpenPalace
from palace.records import CallRecord
from palace.store.ledger import record_calls

PURPOSE = "memory_qa"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Attempt(Generic[T]):
    """What came of asking once; either a value or an error."""

    value: T | None
    calls: list[Call]
    error: str | None = None


@contextmanager
def open_haystack(run: Run, haystack: Haystack) -> Iterator[tuple[OpenPalace, Palace]]:
    """Open a haystack's palace, from within and from without; its connections are given back."""
    opened = OpenPalace.open(run.settings, user=haystack.id, embedder=run.embedder)
    with Palace(opened, owns_database=True) as palace:
        yield opened, palace


def attempt(opened: OpenPalace, ask: Callable[[], Reply[T]]) -> Attempt[T]:
    """Ask once, and write the calls to the ledger, whatever came of them.

    Raises:
        LanguageModelError: no call could be made at all, as without a key: the next question would fare no better.
    """
    try:
        reply = ask()
    except LanguageModelError as problem:
        if not problem.calls:
            raise
        _record(opened, problem.calls)
        return Attempt(None, [Call.of(call) for call in problem.calls], str(problem))
    _record(opened, reply.calls)
    return Attempt(reply.value, [Call.of(call) for call in reply.calls])


def _record(opened: OpenPalace, calls: Sequence[CallRecord]) -> None:
    opened.database.run(lambda session: record_calls(session, PURPOSE, calls))
