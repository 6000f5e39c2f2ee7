"""One operation, or one call of a model behind an API, observed from its beginning to its end.

The names are those of the GenAI semantic conventions, v0.1.0 of their own repository, where they have any. What is
told of an operation are counts, kinds and codes: no text, no name of anybody or anything, no id of a user or a session.
"""

from __future__ import annotations

import logging
import sys
from decimal import Decimal
from time import perf_counter
from types import TracebackType
from typing import Any, Self

from palace.telemetry.api import meters, tracer
from palace.telemetry.logs import tell

Value = str | int | float | bool
OPERATION, COUNT, ERROR = "gen_ai.operation.name", "gen_ai.memory.record.count", "error.type"
LOGGER = logging.getLogger("palace.operations")

PROVIDER, MODEL, MODALITY = "gen_ai.provider.name", "gen_ai.request.model", "gen_ai.token.modality"
READ, WRITTEN = "gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens"
CHAT, EMBEDDINGS = "chat", "embeddings"
COST = "palace.cost_usd"

_PROVIDERS = {
    "azure": "azure.ai.openai",
    "azure_ai": "azure.ai.inference",
    "bedrock": "aws.bedrock",
    "cohere_chat": "cohere",
    "gemini": "gcp.gemini",
    "mistral": "mistral_ai",
    "moonshot": "moonshot_ai",
    "vertex_ai": "gcp.vertex_ai",
    "watsonx": "ibm.watsonx.ai",
    "xai": "x_ai",
}
"""What the conventions call a provider, where litellm has another word for it."""
_OWNERS = (("claude", "anthropic"), ("gemini", "gcp.gemini"))
"""Whose models are, where a name does not say it."""


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


class ModelCall(Operation):
    """One call of a model."""

    def took(self, read: int, written: int, cost_usd: Decimal) -> None:
        """Say what the provider counted."""
        self.about[READ] = read
        if self.labels[OPERATION] == CHAT:
            self.about[WRITTEN] = written
        self.about[COST] = float(cost_usd)

    def _kind(self) -> Any:
        return _trace().SpanKind.CLIENT

    def _measure(self, seconds: float) -> None:
        measured = meters()
        if measured is None:
            return
        is_chat, labels = self.labels[OPERATION] == CHAT, self.labels
        (measured.inference_seconds if is_chat else measured.operation_seconds).record(seconds, labels)
        measured.cost.add(self.about.get(COST, 0), labels)
        if not is_chat:
            measured.embedded_tokens.add(self.about.get(READ, 0), labels)
            return
        counted = {**labels, MODALITY: "text" if READ in self.about else "unknown"}
        measured.input_tokens.add(self.about.get(READ, 0), counted)
        measured.output_tokens.add(self.about.get(WRITTEN, 0), counted)


def model_call(verb: str, model: str) -> ModelCall:
    """Observe a call of one of litellm's verbs ("completion", "embedding")."""
    operation = EMBEDDINGS if verb == "embedding" else CHAT
    provider, slash, name = model.partition("/")
    if not slash:
        provider, name = next((owner for start, owner in _OWNERS if model.startswith(start)), "openai"), model
    labels: dict[str, Value] = {OPERATION: operation, PROVIDER: _PROVIDERS.get(provider, provider), MODEL: name}
    return ModelCall(f"{operation} {name}", labels, {})


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
