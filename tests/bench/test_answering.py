"""Reader and judge over HTTP: answers, judgements, what is kept, what is tried again, and what it costs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from bench.answering.answer import answer, answers_of
from bench.answering.asking import PURPOSE, open_haystack
from bench.answering.judge import judge_answers, judgements_of
from bench.answering.prompts import RULES
from bench.answering.summary import require_answered, require_judged, summarise
from bench.longmemeval.__main__ import BENCHMARK as LONGMEMEVAL
from bench.retrieval import product
from bench.retrieval.dataset import Judging
from bench.retrieval.run import Run, ingest, load_variant
from palace import Palace
from palace.errors import BadRequest, DatabaseUnavailable, LanguageModelError, UnreadableSource
from palace.llm.remote import RemoteLanguageModel
from palace.settings import Settings
from palace.testing import Answer, LanguageModelServer
from tests.bench.made_up import make_run

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


def test_a_line_tells_what_was_given_and_what_it_cost(
    run: Run, server: LanguageModelServer, reader: RemoteLanguageModel
) -> None:
    before, dollars_before = spent(run)
    server.script.extend(["By the weir.", "In Ghent."])
    log = answer(run, reader)
    line = log.latest()["made_0"]
    assert "made_0_0#0" in line.drawers.values()
    assert all(f"{pointer} | " in server.requests[0].prompt for pointer in line.drawers)
    (call,) = line.calls
    assert (call.model, call.outcome) == (READER, "ok")
    assert call.tokens > 100
    calls, dollars = spent(run)
    assert calls - before == 2
    manifest = log.files.read_manifest()
    assert (manifest["asked"], manifest["done"], manifest["failed"], manifest["costs"]["calls"]) == (2, 2, 0, 2)
    assert manifest["costs"]["cost_usd"] == pytest.approx(float(dollars - dollars_before), abs=1e-6)
    assert manifest["reader"]["model"] == READER


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


def test_without_a_key_the_first_question_ends_it(
    run: Run, server: LanguageModelServer, reader: RemoteLanguageModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(LanguageModelError, match="set OPENAI_API_KEY"):
        answer(run, reader)
    assert answers_of(run, READER).latest() == {}


def test_one_failure_after_another_ends_it(run: Run, server: LanguageModelServer, reader: RemoteLanguageModel) -> None:
    first = run.dataset.questions[0]
    many = tuple(replace(first, id=f"made_{number}") for number in range(8))
    server.script.extend([Answer.REFUSED] * 8)
    with pytest.raises(LanguageModelError, match=r"5 questions in a row failed, the last one: .*refused"):
        answer(replace(run, dataset=replace(run.dataset, questions=many)), reader)
    manifest = answers_of(run, READER).files.read_manifest()
    assert (len(server.requests), manifest["failed"], manifest["costs"]["calls"]) == (5, 5, 5)


def test_answers_under_other_conditions_are_not_gone_on_with(
    run: Run, server: LanguageModelServer, reader: RemoteLanguageModel
) -> None:
    server.script.extend(["By the weir.", "In Ghent."])
    files = answer(run, reader).files
    files.write_manifest({**files.read_manifest(), "haystack": "pooled"})
    with pytest.raises(BadRequest, match="is of another haystack: --fresh replaces it"):
        answer(run, reader)
    server.script.extend(["Afresh.", "Afresh."])
    assert {line.hypothesis for line in answer(run, reader, fresh=True).latest().values()} == {"Afresh."}


def test_baselines_have_nothing_to_answer_from(run: Run, reader: RemoteLanguageModel) -> None:
    with pytest.raises(BadRequest, match="bm25 is none of its variants"):
        answer(replace(run, variant=load_variant("bm25")), reader)


def test_a_haystacks_connections_are_given_back(run: Run) -> None:
    with open_haystack(run, next(iter(run.dataset.haystacks.values()))) as (opened, palace):
        palace.status()
    with pytest.raises(DatabaseUnavailable, match="closed"):
        opened.run(lambda session: None)


def test_a_question_that_cannot_be_judged_is_not_asked(
    run: Run, server: LanguageModelServer, reader: RemoteLanguageModel
) -> None:
    first, second = run.dataset.questions
    server.script.append("In Ghent.")
    log = answer(replace(run, dataset=replace(run.dataset, questions=(replace(first, answer=None), second))), reader)
    assert list(log.latest()) == ["made_1"]


def test_a_reply_with_separators_of_lines_stays_one_line(
    run: Run, server: LanguageModelServer, reader: RemoteLanguageModel
) -> None:
    server.script.extend(["By\u2028the\nweir.\x85", "In Ghent."])
    assert answer(run, reader).latest()["made_0"].hypothesis == "By\u2028the\nweir."


def test_a_damaged_log_is_named_with_its_line(
    run: Run, server: LanguageModelServer, reader: RemoteLanguageModel
) -> None:
    server.script.extend(["By the weir.", "In Ghent."])
    log = answer(run, reader)
    with log.files.log.open("a") as file:
        file.write("{}\n")
    with pytest.raises(UnreadableSource, match="line 3: is no line of such a log"):
        answer(run, reader)


@pytest.fixture
def answered(run: Run, server: LanguageModelServer, reader: RemoteLanguageModel) -> Run:
    """A run whose two questions are answered; the server is as if new."""
    server.script.extend(["By the weir.", "In Ghent."])
    answer(run, reader)
    server.requests.clear()
    return run


def test_each_answer_is_judged_by_the_instruction_for_its_type(
    answered: Run, server: LanguageModelServer, judge: RemoteLanguageModel
) -> None:
    first, second = answered.dataset.questions
    update = replace(first, judging=Judging.UPDATE)
    server.script.extend([YES, NO])
    run = replace(answered, dataset=replace(answered.dataset, questions=(update, second)))
    lines = judge_answers(run, READER, judge).latest()
    assert {name: line.is_right for name, line in lines.items()} == {"made_0": True, "made_1": False}
    assert [request.body["model"] for request in server.requests] == ["gpt-4o", "gpt-4o"]
    told = [request.prompt for request in server.requests]
    assert RULES[Judging.UPDATE] in told[0]
    assert RULES[Judging.PLAIN] in told[1]
    assert "<reference>the boathouse by the weir; a red one with a patched hull</reference>" in told[0]
    assert "<response>By the weir.</response>" in told[0]


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


def test_another_answer_is_judged_anew(
    answered: Run, server: LanguageModelServer, reader: RemoteLanguageModel, judge: RemoteLanguageModel
) -> None:
    server.script.extend([YES, YES])
    judge_answers(answered, READER, judge)
    server.script.extend(["I do not know.", "In Ghent."])
    answer(answered, reader, fresh=True)
    assert summarise(answered, READER, JUDGE)["score"]["judged"] == 1
    server.script.append(NO)
    lines = judge_answers(answered, READER, judge).latest()
    assert {name: line.is_right for name, line in lines.items()} == {"made_0": False, "made_1": True}


def test_a_question_without_an_answer_is_not_judged(
    run: Run, server: LanguageModelServer, reader: RemoteLanguageModel, judge: RemoteLanguageModel
) -> None:
    server.script.extend([Answer.REFUSED, "In Ghent.", YES])
    answer(run, reader)
    assert list(judge_answers(run, READER, judge).latest()) == ["made_1"]


def test_judging_before_answering_says_what_to_run(run: Run, judge: RemoteLanguageModel) -> None:
    with pytest.raises(BadRequest, match="run `qa` first"):
        judge_answers(run, READER, judge)


def test_each_reader_and_judge_has_a_log_of_its_own(run: Run) -> None:
    assert answers_of(run, READER).files.log.name == "longmemeval-official-product--openai-gpt-4o-mini.jsonl"
    assert judgements_of(run, READER, JUDGE).files.log.name == (
        "longmemeval-official-product--openai-gpt-4o-mini--openai-gpt-4o.jsonl"
    )


def test_the_official_evaluation_can_read_the_answers(answered: Run) -> None:
    lines = answers_of(answered, READER).files.log.read_text(encoding="utf-8").splitlines()
    read = [json.loads(line) for line in lines]
    assert [(line["question_id"], line["hypothesis"]) for line in read] == [
        ("made_0", "By the weir."),
        ("made_1", "In Ghent."),
    ]
