"""OpenTelemetry, where the program around us has it at work: Palace imports nothing of it, and needs none of it.

Who configures a provider has imported the API by then. Where nobody has, or a thread is about to, looking costs a look
into a dictionary; where the API is there without a provider, it does nothing by itself.
"""

from __future__ import annotations

import sys
from functools import cache
from typing import Any

SCOPE = "palace"
"""The name of the instrumentation."""
FLUSH_MILLISECONDS = 2_000
"""How long the end of a program waits for what is still to be exported."""
_SECONDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]
"""The bounds that the conventions give for durations."""


def tracer() -> Any:
    """Give what starts spans; None where nobody observes."""
    found = getattr(sys.modules.get("opentelemetry.trace"), "get_tracer_provider", None)
    return _tracer(found) if found else None


def meters() -> Meters | None:
    """Give what takes figures; None where nobody observes."""
    found = getattr(sys.modules.get("opentelemetry.metrics"), "get_meter_provider", None)
    return _meters(found) if found else None


def flush() -> None:
    """Have what was observed exported, as far as that goes quickly: a program that ends at once loses it otherwise."""
    for module, getter in (("trace", "get_tracer_provider"), ("metrics", "get_meter_provider")):
        found = getattr(sys.modules.get(f"opentelemetry.{module}"), getter, None)
        flushing = getattr(found(), "force_flush", None) if found else None
        if flushing:
            flushing(FLUSH_MILLISECONDS)


class Meters:
    """The instruments, by the names of the conventions where they have one, else by names of our own."""

    def __init__(self, meter: Any) -> None:
        def seconds(name: str, description: str) -> Any:
            return meter.create_histogram(name, "s", description, explicit_bucket_boundaries_advisory=_SECONDS)

        self.operation_seconds = seconds("gen_ai.client.operation.duration", "GenAI operation duration.")
        self.inference_seconds = seconds("gen_ai.client.inference.duration", "GenAI inference duration.")
        self.work_seconds = seconds("palace.operation.duration", "How long turns, index steps and jobs take.")
        self.input_tokens = meter.create_counter(
            "gen_ai.client.inference.usage.input_tokens", "{token}", "Tokens that language models read."
        )
        self.output_tokens = meter.create_counter(
            "gen_ai.client.inference.usage.output_tokens", "{token}", "Tokens that language models wrote."
        )
        self.embedded_tokens = meter.create_counter(
            "palace.embeddings.tokens", "{token}", "Tokens that embedding models read."
        )
        self.cost = meter.create_counter("palace.model.cost", "{USD}", "What calls of models cost, by the price list.")
        self.records = meter.create_histogram(
            "palace.memory.records", "{drawer}", "Drawers that an operation found, filed or took away."
        )
        self.jobs_due = meter.create_gauge("palace.queue.jobs", "{job}", "Jobs that run, or could begin.")


@cache
def _tracer(found: Any) -> Any:
    return found().get_tracer(SCOPE, sys.modules["palace"].__version__)


@cache
def _meters(found: Any) -> Meters:
    return Meters(found().get_meter(SCOPE, sys.modules["palace"].__version__))
