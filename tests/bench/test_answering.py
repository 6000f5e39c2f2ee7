"""Reader and judge over HTTP: answers, judgements, what is kept, what is tried again, and what it costs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from bench.answering.answer import answer
from bench.answering.asking import PURPOSE
from bench.answering.judge import judge_answers
from bench.answering.summary import require_answered, require_judged, summarise
from bench.longmemeval.__main__ import BENCHMARK as LONGMEMEVAL
from bench.retrieval import product
from bench.retrieval.run import Run, ingest
from palace import Palace
from palace.errors import LanguageModelError
from palace.llm.remote import RemoteLanguageModel
from palace.settings import Settings
from palace.testing import Answer, LanguageModelServer
from tests.bench.made_up import make_run

pytestmark = pytest.mark.nightly

READER, JUDGE = "openai/gpt-4o-mini", "openai/gpt-4o"
YES, NO = '{"label": "yes"}', '{"label": "no"}'


@pytest.fixture(scope="module")
def mined(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """A run of two questions whose haystacks are mined."""
    run = make_run(LONGMEMEVAL, settings, tmp_path_factory.mktemp("answering"))
    run = replace(
        run, settings=run.settings.model_copy(update={"database_schema": f"{run.settings.database_schema}_qa"})
    )
    ingest(run)
    yield run
    product.drop_schema(run.settings)


@pytest.fixture
def run(mined: Run, tmp_path: Path) -> Run:
    """The same with logs of its own."""
    return replace(mined, out=tmp_path)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[LanguageModelServer]:
    monkeypatch.setenv("OPENAI_API_KEY", "a-key")
    with LanguageModelServer() as running:
        yield running


@pytest.fixture
def reader(server: LanguageModelServer) -> RemoteLanguageModel:
    return RemoteLanguageModel(READER, api_base=server.api_base)


@pytest.fixture
def judge(server: LanguageModelServer) -> RemoteLanguageModel:
    return RemoteLanguageModel(JUDGE, api_base=server.api_base)


def spent(run: Run) -> tuple[int, Decimal]:
    """Sum what the haystacks' ledgers have under the purpose: calls and dollars."""
    lines = []
    for name in run.dataset.haystacks:
        with Palace.open(run.settings, user=name, embedder=run.embedder) as palace:
            lines += [line for line in palace.costs() if line.purpose == PURPOSE]
    return sum(line.calls for line in lines), sum((line.cost_usd for line in lines), Decimal(0))


def test_the_reader_is_given_what_the_product_recalls_on_the_questions_date(
    run: Run, server: LanguageModelServer, reader: RemoteLanguageModel
) -> None:
    server.script.extend(["By the weir.", "In Ghent."])
    lines = answer(run, reader).latest()
    assert {name: line.hypothesis for name, line in lines.items()} == {"made_0": "By the weir.", "made_1": "In Ghent."}
    first = server.requests[0]
    assert first.body["model"] == "gpt-4o-mini"
    assert "| user | I found my kayak at the boathouse by the weir." in first.prompt
    assert "<asked>Monday 2024-04-01 09:00+00:00</asked>" in first.prompt
    assert "a red one with a patched hull" not in first.prompt


def test_what_is_answered_is_not_asked_again(
    run: Run, server: LanguageModelServer, reader: RemoteLanguageModel
) -> None:
    server.script.extend(["By the weir.", "In Ghent."])
    log = answer(run, reader)
    whole = log.files.log.read_text(encoding="utf-8")
    log.files.log.write_text(whole[: whole.index("\n") + 30], encoding="utf-8")
    server.script.append("In Ghent, at a flea market.")
    assert [line.hypothesis for line in answer(run, reader).latest().values()] == [
        "By the weir.",
        "In Ghent, at a flea market.",
    ]
    answer(run, reader)
    assert len(server.requests) == 3


def test_a_question_that_failed_is_noted_and_tried_again(
    run: Run, server: LanguageModelServer, reader: RemoteLanguageModel
) -> None:
    server.script.extend([Answer.REFUSED, "In Ghent."])
    log = answer(run, reader)
    assert [line.hypothesis for line in log.latest().values()] == [None, "In Ghent."]
    assert "scripted: refused" in str(log.latest()["made_0"].error)
    with pytest.raises(
        LanguageModelError, match="1 questions are without an answer; the same command tries them again"
    ):
        require_answered(run, READER)
    server.script.append("By the weir.")
    assert answer(run, reader).latest()["made_0"].hypothesis == "By the weir."
    require_answered(run, READER)
    costs = log.files.read_manifest()["costs"]
    assert (costs["calls"], costs["failed_calls"]) == (3, 1)


@pytest.fixture
def answered(run: Run, server: LanguageModelServer, reader: RemoteLanguageModel) -> Run:
    """A run whose two questions are answered; the server is as if new."""
    server.script.extend(["By the weir.", "In Ghent."])
    answer(run, reader)
    server.requests.clear()
    return run


def test_judgements_are_scored_and_their_cost_is_told(
    answered: Run, server: LanguageModelServer, judge: RemoteLanguageModel
) -> None:
    before, _ = spent(answered)
    server.script.extend([YES, NO])
    judge_answers(answered, READER, judge)
    assert spent(answered)[0] - before == 2
    summary = summarise(answered, READER, JUDGE)
    assert summary["score"]["overall"]["value"] == 0.5
    assert summary["score"]["by_type"]["single-session-user"]["right"] == 1
    assert summary["score"]["by_type"]["multi-session"]["right"] == 0
    assert summary["manifest"]["judge"]["model"] == JUDGE
    assert (summary["costs"]["reader"]["calls"], summary["costs"]["judge"]["calls"]) == (2, 2)
    assert summary["costs"]["judge"]["cost_usd"] > summary["costs"]["reader"]["cost_usd"] > 0


def test_a_reply_that_is_no_verdict_is_noted_and_judged_again(
    answered: Run, server: LanguageModelServer, judge: RemoteLanguageModel
) -> None:
    server.script.extend(["It depends.", YES])
    log = judge_answers(answered, READER, judge)
    assert [line.is_right for line in log.latest().values()] == [None, True]
    assert log.latest()["made_0"].calls[0].outcome == "malformed"
    score = summarise(answered, READER, JUDGE)["score"]
    assert (score["asked"], score["judged"], score["overall"]["count"]) == (2, 1, 1)
    with pytest.raises(LanguageModelError, match="1 questions are without a judgement"):
        require_judged(answered, READER, JUDGE)
    server.script.append(NO)
    judge_answers(answered, READER, judge)
    require_judged(answered, READER, JUDGE)
    assert summarise(answered, READER, JUDGE)["score"]["overall"]["value"] == 0.5
    assert len(server.requests) == 3
