"""Reranking by a model that sends whatever it likes: recall answers in the order it had, with a warning, in time."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as how
from hypothesis import strategies as st

from palace import Palace
from palace.llm.remote import RemoteLanguageModel
from palace.llm.typed import find_object
from palace.recall.request import RecallRequest
from palace.recall.rerank import Choice, Kept, LanguageModelReranker, rerank
from palace.records import CallRecord, Drawer, Hit, Pointer, Role, Scope, Span
from palace.settings import Settings
from palace.store.database import UserSession
from palace.store.ledger import LARGEST_COST, LARGEST_COUNT, record_calls
from palace.store.ledger.sums import list_costs
from palace.testing import EmbeddingServer, HashingEmbedder, LanguageModelServer, RawAnswer
from tests.untrusted import JSON, nearly

MODEL = "openai/gpt-4o-mini"
NOON = datetime(2026, 4, 30, 12, tzinfo=UTC)
REQUEST = RecallRequest("which?", 5, Scope(), 0, NOON)
THROUGH_HTTP = how(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def hit(number: int) -> Hit:
    pointer = Pointer(1, 1, number)
    drawer = Drawer(number, pointer, f"text {number}", Role.USER, None, NOON, NOON, "Efoil", "Evening", None, number)
    return Hit(drawer, 1.0, Span(0, 6), ())


HITS = tuple(hit(number) for number in range(1, 6))


@pytest.fixture(scope="module")
def server() -> Iterator[LanguageModelServer]:
    with pytest.MonkeyPatch.context() as patch, LanguageModelServer() as running:
        patch.setenv("OPENAI_API_KEY", "a-key")
        yield running


@pytest.fixture
def reranker(server: LanguageModelServer) -> LanguageModelReranker:
    server.script.clear()
    return LanguageModelReranker(RemoteLanguageModel(MODEL, api_base=server.api_base, timeout=5, pause=0))


def completion(content: object, **further: object) -> dict[str, Any]:
    message = {"role": "assistant", "content": content}
    choices = [{"index": 0, "finish_reason": "stop", "message": message}]
    usage = {"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7}
    return {"id": "s", "object": "chat.completion", "created": 0, "model": "m", "choices": choices} | {
        "usage": usage,
        **further,
    }


def assert_fails_open(found: Any) -> None:
    assert sorted(each.drawer.id for each in found.hits) == [1, 2, 3, 4, 5]
    if found.warnings:
        assert found.hits == HITS
        (said,) = found.warnings
        assert said.isprintable()
        assert len(said) < 500
        assert "Traceback" not in said
    ranks = [each.reranked for each in found.hits if each.reranked]
    assert ranks == list(range(1, len(ranks) + 1))


@given(nearly(completion('{"keep": [2, 1]}')) | JSON)
@THROUGH_HTTP
def test_any_answer_leaves_every_hit_where_it_was_or_in_front(
    server: LanguageModelServer, reranker: LanguageModelReranker, answer: object
) -> None:
    server.script.extend([RawAnswer.of(answer)] * 2)
    assert_fails_open(rerank(reranker, REQUEST, HITS))
    server.script.clear()


@given(JSON.map(lambda kept: json.dumps({"keep": kept})) | st.text() | JSON.map(json.dumps))
@THROUGH_HTTP
def test_any_reply_leaves_every_hit_where_it_was_or_in_front(
    server: LanguageModelServer, reranker: LanguageModelReranker, reply: str
) -> None:
    server.script.append(RawAnswer.of(completion(reply)))
    assert_fails_open(rerank(reranker, REQUEST, HITS))
    server.script.clear()


DEEP = '{"keep": [' + "[" * 900 + "]" * 900 + "]}"
NESTED = '{"keep": {"a":' * 200_000
LEVELS = "".join(f'{{"k": "{"x" * 1000}", "keep": ' for _ in range(5000))


@pytest.mark.parametrize(
    "reply",
    [
        DEEP,
        NESTED,
        LEVELS,
        "{" * 5_000_000,
        '{"keep": [' + "1," * 2_000_000,
        '{"' + "{" * 5_000_000,
        "\ud800{",
        "\0" * 99,
    ],
    ids=["deep", "nested", "levels", "braces", "long", "unclosed", "surrogate", "nul"],
)
def test_a_reply_made_to_be_slow_is_passed_over_at_once(
    server: LanguageModelServer, reranker: LanguageModelReranker, reply: str
) -> None:
    server.script.append(RawAnswer.of(completion(reply)))
    found = rerank(reranker, REQUEST, HITS)
    assert_fails_open(found)
    assert len(found.warnings) == 1


def test_looking_for_an_object_takes_no_longer_for_what_is_made_to_be_slow() -> None:
    started = time.process_time()
    for reply in (NESTED, LEVELS, DEEP * 500):
        find_object(Kept, reply)
    assert time.process_time() - started < 20


@pytest.mark.parametrize("body", [b"<html>" + b"x" * 10_000_000, b"[" * 10_000_000, b'"' + b"x" * 10_000_000 + b'"'])
@pytest.mark.parametrize("status", [200, 500])
def test_ten_megabytes_of_nothing_are_one_warning(
    server: LanguageModelServer, reranker: LanguageModelReranker, status: int, body: bytes
) -> None:
    server.script.extend([RawAnswer(body, status)] * 2)
    found = rerank(reranker, REQUEST, HITS)
    assert found.hits == HITS
    assert_fails_open(found)


@dataclass(frozen=True, slots=True)
class Naming:
    """A reranker that names any numbers."""

    numbers: tuple[int, ...]
    candidates: int = 3

    def choose(self, query: str, now: datetime, hits: Sequence[Hit]) -> Choice:
        return Choice(self.numbers)


@given(st.lists(st.integers(-3, 8)).map(tuple))
def test_whatever_numbers_a_reranker_names_each_hit_is_there_once(numbers: tuple[int, ...]) -> None:
    found = rerank(Naming(numbers), REQUEST, HITS)
    assert_fails_open(found)
    assert [each.reranked for each in found.hits if each.drawer.id > 3] == [None, None]


CALLS = st.builds(
    CallRecord,
    st.text(max_size=600),
    st.integers(-(10**40), 10**40),
    st.decimals(),
    st.floats(),
    st.sampled_from(["ok", "timeout\0"]),
)


@given(st.lists(CALLS, min_size=1, max_size=3))
@how(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_ledger_takes_any_figures(session: UserSession, calls: list[CallRecord]) -> None:
    record_calls(session, "memory_test", calls)
    for line in list_costs(session):
        assert line.tokens >= 0
        assert line.cost_usd >= 0
        assert line.seconds >= 0


def test_the_ledger_keeps_the_nearest_that_it_can(session: UserSession) -> None:
    record_calls(session, "memory_test", [CallRecord("m", 10**30, Decimal(10) ** 30, float("inf"), "ok")])
    (line,) = list_costs(session)
    assert (line.tokens, line.cost_usd, line.seconds) == (LARGEST_COUNT, LARGEST_COST, 0.0)


USAGES = [{"prompt_tokens": 10**30, "total_tokens": 10**30}, {"prompt_tokens": -5, "total_tokens": -5}]


class Boasting(EmbeddingServer):
    """Embeds well and counts wildly."""

    def body(self, request: Any, answer: str) -> dict[str, Any]:
        return super().body(request, answer) | {"usage": USAGES[len(self.requests) % 2]}


def test_counts_that_cannot_be_true_are_one_warning_and_the_work_is_done(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    talk = tmp_path / "talk.json"
    said = [{"role": "user", "content": f"Battery number {number} is charged."} for number in range(300)]
    talk.write_text(json.dumps(said), encoding="utf-8")
    with Boasting(dimension=96) as provider:
        monkeypatch.setenv("OPENAI_API_BASE", provider.api_base)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
        update = {"user": f"user-{uuid.uuid4()}", "embedding_model": "openai/text-embedding-3-small"}
        with Palace.open(settings.model_copy(update=update)) as palace:
            summary = palace.mine(talk)
            assert (summary.passages_embedded, summary.passages_pending) == (300, 0)
            (warning,) = summary.warnings
            assert "gives token counts that cannot be true" in warning
            found = palace.recall("battery number 7")
            assert (len(found.hits), found.warnings) == (5, (warning,))
            (line,) = palace.costs()
            assert (line.tokens, line.cost_usd, line.failed) == (0, Decimal(0), 0)


def test_a_doubt_of_the_reranker_is_told_beside_its_choice(
    settings: Settings, server: LanguageModelServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    talk = tmp_path / "talk.json"
    talk.write_text(json.dumps([{"role": "user", "content": f"Battery {n}."} for n in range(4)]), encoding="utf-8")
    monkeypatch.setenv("OPENAI_API_BASE", server.api_base)
    usage = {"prompt_tokens": 10**12, "completion_tokens": 1, "total_tokens": 10**12}
    server.script.append(RawAnswer.of(completion('{"keep": [2]}', usage=usage)))
    chosen = settings.model_copy(update={"rerank_model": MODEL, "user": f"user-{uuid.uuid4()}"})
    with Palace.open(chosen, embedder=HashingEmbedder()) as palace:
        palace.mine(talk)
        found = palace.recall("battery", rerank=True)
    assert found.hits[0].reranked == 1
    assert found.warnings == (
        f"{MODEL} gives no token counts that can be true: {found.warnings[0].partition(': ')[2]}",
    )
