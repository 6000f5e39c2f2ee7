"""One operation, observed from its beginning to its end.

The names are those of the GenAI semantic conventions, v0.1.0 of their own repository, where they have any. What is
told of an operation are counts, kinds and codes: no text, no name of anybody or anything, no id of a user or a session.
"""

from __future__ import annotations

import logging
import sys
from time import perf_counter
from types import TracebackType
from typing import Any, Self

from palace.telemetry.api import meters, tracer
from palace.telemetry.logs import tell

Value = str | int | float | bool
OPERATION, COUNT, ERROR = "gen_ai.operation.name", "gen_ai.memory.record.count", "error.type"
LOGGER = logging.getLogger("palace.operations")


class Operation:
    """Something that is done in a ``with`` block: a span, a duration, and one line of the log at its lowest level."""

    def __init__(self, name: str, labels: dict[str, Value], about: dict[str, Value]) -> None:
        """``labels`` are few and say what kind of operation it is; ``about`` says more of this one."""
        self.name, self.labels, self.about = name, labels, about
        self._spanned: Any = None
        self._span: Any = None
        self._started = 0.0

    def __enter__(self) -> Self:
        spans = tracer()
        if spans is not None:
            # An error's words may quote anything: that it failed is told, and what kind of failure it was.
            self._spanned = spans.start_as_current_span(
                self.name,
                kind=self._kind(),
                attributes={**self.labels, **self.about},
                record_exception=False,
                set_status_on_exception=False,
            )
            self._span = self._spanned.__enter__()
        self._started = perf_counter()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        seconds = perf_counter() - self._started
        if problem is not None and ERROR not in self.labels:
            self.fail(code_of(problem))
        self._measure(seconds)
        if LOGGER.isEnabledFor(logging.DEBUG):
            told = {**self.labels, **self.about}
            tell(LOGGER, logging.DEBUG, self.name, **told, ms=round(seconds * 1000, 1))
        if self._spanned is not None:
            self._close()

    def note(self, name: str, value: Value) -> None:
        """Say more of it, once that is known."""
        self.about[name] = value

    def count(self, records: int) -> None:
        """Say how many drawers it found, filed or took away."""
        self.about[COUNT] = records

    def fail(self, code: str) -> None:
        """Say that it failed, by a code."""
        self.labels = {**self.labels, ERROR: code}

    def _kind(self) -> Any:
        """Give the kind of its span: what is done within this process."""
        return _trace().SpanKind.INTERNAL

    def _measure(self, seconds: float) -> None:
        measured = meters()
        if measured is None:
            return
        histogram = measured.operation_seconds if OPERATION in self.labels else measured.work_seconds
        histogram.record(seconds, self.labels)
        if COUNT in self.about:
            measured.records.record(self.about[COUNT], self.labels)

    def _close(self) -> None:
        if self._span.is_recording():
            self._span.set_attributes({**self.labels, **self.about})
            if ERROR in self.labels:
                self._span.set_status(_trace().StatusCode.ERROR)
        self._spanned.__exit__(None, None, None)


def memory(operation: str, verb: str) -> Operation:
    """Observe an operation of memory as the conventions name it; ``verb`` is what Palace calls it."""
    return Operation(operation, {OPERATION: operation}, {"palace.verb": verb})


def work(name: str, **labels: Value) -> Operation:
    """Observe something that the conventions have no name for: "turn", "turn.finish", "index" or "job"."""
    return Operation(f"palace.{name}", {f"palace.{name}.{key}": value for key, value in labels.items()}, {})


def code_of(problem: BaseException) -> str:
    """Give the code of an error of Palace, or the kind of any other; never its words."""
    code = getattr(problem, "code", None)
    return code if isinstance(code, str) and type(problem).__module__.startswith("palace.") else type(problem).__name__


def _trace() -> Any:
    return sys.modules["opentelemetry.trace"]
