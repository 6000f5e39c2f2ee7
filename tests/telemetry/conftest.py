"""What OpenTelemetry collects of one test, in memory."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from opentelemetry import metrics, trace
from opentelemetry.metrics import _internal as metering
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from palace import Palace, Settings
from palace.telemetry import api
from palace.testing import HashingEmbedder


@dataclass(frozen=True)
class Observed:
    """What was observed so far."""

    exporter: InMemorySpanExporter
    reader: InMemoryMetricReader

    def spans(self, name: str | None = None) -> list[ReadableSpan]:
        return [span for span in self.exporter.get_finished_spans() if name in (None, span.name)]

    def span(self, name: str) -> ReadableSpan:
        (found,) = self.spans(name)
        return found

    def about(self, name: str) -> Mapping[str, Any]:
        return dict(self.span(name).attributes or {})

    def points(self, name: str) -> list[Any]:
        data = self.reader.get_metrics_data()
        found = [
            metric.data.data_points
            for resource in (data.resource_metrics if data else ())
            for scope in resource.scope_metrics
            for metric in scope.metrics
            if metric.name == name
        ]
        return [point for points in found for point in points]

    def everything(self) -> str:
        """Give all of it as text."""
        data = self.reader.get_metrics_data()
        return "\n".join([*(span.to_json() for span in self.spans()), data.to_json() if data else ""])


@pytest.fixture
def observed(monkeypatch: pytest.MonkeyPatch) -> Iterator[Observed]:
    exporter, reader = InMemorySpanExporter(), InMemoryMetricReader()
    tracing = TracerProvider()
    tracing.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "_TRACER_PROVIDER", tracing)
    monkeypatch.setattr(metering, "_METER_PROVIDER", MeterProvider([reader]))
    assert metrics.get_meter_provider() is metering._METER_PROVIDER
    forget()
    yield Observed(exporter, reader)
    forget()


def forget() -> None:
    api._tracer.cache_clear()
    api._meters.cache_clear()


@pytest.fixture
def boat(settings: Settings) -> Iterator[Palace]:
    own = settings.model_copy(update={"rerank_model": "openai/gpt-4o-mini"})
    with Palace.open(own, user=f"user-{uuid.uuid4()}", embedder=HashingEmbedder()) as opened:
        yield opened
