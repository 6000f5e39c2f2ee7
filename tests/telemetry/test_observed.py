"""Spans and figures by the GenAI conventions, where OpenTelemetry is at work; without a word of anybody's."""

from __future__ import annotations

import json
import subprocess
import sys
from types import ModuleType

import pytest
from opentelemetry.trace import SpanKind

from palace import NotFound, Palace, Settings
from palace.telemetry import model_call
from palace.telemetry import work as observed_work
from palace.telemetry.api import flush
from palace.testing import Answer, LanguageModelServer
from tests.queue.conftest import work
from tests.telemetry.conftest import Observed

pytestmark = pytest.mark.usefixtures("no_jobs")

BOAT = "My sailing boat is called Zephyrine and lies in Marbleford."
QUESTION = "What is my sailing boat called?"


def said(*texts: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": text} for text in texts]


def test_filing_recalling_and_forgetting_are_operations_of_memory(boat: Palace, observed: Observed) -> None:
    boat.file(said(BOAT, "It has two masts."), id="a", wing="Boats")
    found = boat.recall(QUESTION)
    boat.forget("Boats")
    filed, recalled, forgotten = (observed.about(name) for name in ("upsert_memory", "search_memory", "delete_memory"))
    assert (filed["gen_ai.operation.name"], filed["palace.verb"]) == ("upsert_memory", "file")
    assert filed["gen_ai.memory.record.count"] == 2
    assert recalled["gen_ai.memory.record.count"] == len(found.hits) > 0
    assert recalled["palace.recall.embed_ms"] == pytest.approx(found.timings_ms["embed"], abs=0.01)
    assert forgotten["gen_ai.memory.record.count"] == 2
    assert {observed.span(name).kind for name in ("upsert_memory", "search_memory")} == {SpanKind.INTERNAL}
    counted = {
        point.attributes["gen_ai.operation.name"]: point.sum for point in observed.points("palace.memory.records")
    }
    assert counted == {"upsert_memory": 2, "search_memory": len(found.hits), "delete_memory": 2}


def test_a_turn_holds_what_it_recalled_and_its_finish_what_it_filed(boat: Palace, observed: Observed) -> None:
    boat.file(said(BOAT), id="a")
    observed.exporter.clear()
    turn = boat.turn(QUESTION, session="chat-7", agent="coder")
    turn.finish("Zephyrine.")
    outer, recalled, finished = (observed.span(name) for name in ("palace.turn", "search_memory", "upsert_memory"))
    assert outer.context
    assert recalled.parent
    assert recalled.parent.span_id == outer.context.span_id
    about = observed.about("palace.turn")
    assert (about["palace.turn.searched"], about["palace.turn.rule"]) == (True, turn.decision.rule)
    assert about["palace.turn.hits"] == len(turn.hits) > 0
    assert {f"palace.turn.{step}_ms" for step in turn.timings} <= set(about)
    assert dict(finished.attributes or {})["palace.verb"] == "turn.finish"


def test_a_call_of_a_language_model_is_a_client_span_with_what_it_took(
    boat: Palace, observed: Observed, provider: LanguageModelServer
) -> None:
    boat.file(said(BOAT, "My boat has a red sail.", "The boat is twelve metres long."), id="a")
    provider.script.append(json.dumps({"keep": [1]}))
    boat.recall("Tell me about my boat", rerank=True)
    (cost,) = [line for line in boat.costs() if line.purpose == "memory_rerank"]
    span, about = observed.span("chat gpt-4o-mini"), observed.about("chat gpt-4o-mini")
    assert span.kind is SpanKind.CLIENT
    assert (about["gen_ai.provider.name"], about["gen_ai.request.model"]) == ("openai", "gpt-4o-mini")
    assert about["gen_ai.usage.input_tokens"] + about["gen_ai.usage.output_tokens"] == cost.tokens
    (read,) = observed.points("gen_ai.client.inference.usage.input_tokens")
    (spent,) = observed.points("palace.model.cost")
    assert (read.value, read.attributes["gen_ai.token.modality"]) == (about["gen_ai.usage.input_tokens"], "text")
    assert spent.value == pytest.approx(float(cost.cost_usd))
    (took,) = observed.points("gen_ai.client.inference.duration")
    assert took.count == 1


def test_a_call_that_fails_has_the_kind_of_its_failure(
    boat: Palace, observed: Observed, provider: LanguageModelServer
) -> None:
    boat.file(said(BOAT, "My boat has a red sail."), id="a")
    provider.script.append(Answer.REFUSED)
    boat.recall("Tell me about my boat", rerank=True)
    about = observed.about("chat gpt-4o-mini")
    assert (about["error.type"], "gen_ai.usage.input_tokens" in about) == ("refused", False)
    (read,) = observed.points("gen_ai.client.inference.usage.input_tokens")
    assert (read.value, read.attributes["gen_ai.token.modality"]) == (0, "unknown")


def test_steps_and_jobs_of_a_worker_are_observed_and_what_waits_is_counted(
    boat: Palace, observed: Observed, settings: Settings
) -> None:
    boat.file(said(BOAT), id="a", background=True)
    work(settings, embedder=boat._opened.embedders.given)
    assert {dict(span.attributes or {})["palace.job.task"] for span in observed.spans("palace.job")} == {"index"}
    steps = {dict(span.attributes or {})["palace.index.step"] for span in observed.spans("palace.index")}
    assert "vectors" in steps
    assert observed.points("palace.operation.duration")


def test_nothing_that_is_observed_has_a_word_a_name_or_an_id(
    settings: Settings, observed: Observed, provider: LanguageModelServer
) -> None:
    marked = settings.model_copy(update={"rerank_model": "openai/gpt-4o-mini", "person": "Quillon"})
    with Palace.open(marked, user="user-quillon-marbleford") as palace:
        palace.file(said(BOAT, "quillon likes marbleford"), id="quillon-id", title="Quillon's", wing="Marbleford")
        provider.script += [json.dumps({"keep": [1]}), "marbleford, unusable"]
        for _ in range(2):
            palace.recall("Where is marbleford and quillon?", rerank=True)
        with pytest.raises(NotFound):
            palace.recall("marbleford", wing="no marbleford")
        turn = palace.turn("and quillon?", history=said("marbleford?"), session="quillon-7", agent="quillon-agent")
        turn.finish("marbleford!")
        palace.forget("Marbleford")
        palace.forget_everything()
    text = observed.everything().lower()
    assert [word for word in ("quillon", "marbleford", "zephyrine") if word in text] == []
    assert "delete_memory_store" in text


@pytest.mark.nightly
@pytest.mark.process
def test_without_the_package_everything_works_and_nothing_is_imported_of_it() -> None:
    program = """
import sys
sys.modules["opentelemetry"] = sys.modules["opentelemetry.trace"] = sys.modules["opentelemetry.metrics"] = None
import palace.api.palace, palace_cli.app, palace.telemetry as telemetry
model_call = telemetry.model_call("completion", "openai/gpt-4o-mini")
for operation in (telemetry.memory("search_memory", "recall"), telemetry.work("turn"), model_call):
    with operation as observed:
        observed.count(1)
assert not [name for name, module in sys.modules.items() if name.startswith("opentelemetry") and module]
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_a_package_that_another_thread_is_importing_is_not_there_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("opentelemetry.trace", "opentelemetry.metrics"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    with observed_work("turn"):
        flush()


def test_providers_are_called_as_the_conventions_do() -> None:
    for model, provider, name in (
        ("openai/gpt-4o-mini", "openai", "gpt-4o-mini"),
        ("gemini/gemini-2.0-flash", "gcp.gemini", "gemini-2.0-flash"),
        ("claude-3-haiku", "anthropic", "claude-3-haiku"),
        ("my-own/model", "my-own", "model"),
    ):
        call = model_call("embedding", model)
        assert (call.labels["gen_ai.provider.name"], call.labels["gen_ai.request.model"]) == (provider, name)
        assert call.name == f"embeddings {name}"


def test_an_error_is_told_by_its_code_or_kind(observed: Observed) -> None:
    with pytest.raises(NotFound), observed_work("index", step="own"):
        raise NotFound("a secret word")
    with pytest.raises(ZeroDivisionError), observed_work("turn"):
        print(1 / 0)
    assert observed.about("palace.index")["error.type"] == "not_found"
    assert observed.about("palace.turn")["error.type"] == "ZeroDivisionError"
    assert "secret word" not in observed.everything()
    assert [span.events for span in observed.spans()] == [(), ()]
