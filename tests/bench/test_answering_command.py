"""The verbs that answer and judge, as they are typed, and how judgements become figures."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bench.answering.models import Call, Judged, costs
from bench.answering.score import score
from bench.command import main
from bench.locomo import BENCHMARK as LOCOMO
from bench.longmemeval import BENCHMARK as LONGMEMEVAL
from bench.retrieval.dataset import Benchmark
from palace.testing import HashingEmbedder, LanguageModelServer, ModelRequest

YES, NO = '{"label": "yes"}', '{"label": "no"}'


class ProviderServer(LanguageModelServer):
    """Replies as its script says, and embeds whatever it is given."""

    def answer(self, request: ModelRequest) -> tuple[int, Iterator[bytes]]:
        if not request.path.endswith("/embeddings"):
            return super().answer(request)
        vectors = HashingEmbedder().embed_passages(request.texts).vectors
        data = [
            {"object": "embedding", "index": index, "embedding": vector.tolist()}
            for index, vector in enumerate(vectors)
        ]
        body = {"object": "list", "model": request.body["model"], "data": data, "usage": {"total_tokens": 1}}
        return 200, iter([json.dumps(body).encode()])


@pytest.fixture
def server(environment: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[ProviderServer]:
    """A provider that the command line finds."""
    monkeypatch.setenv("OPENAI_API_KEY", "a-key")
    monkeypatch.setenv("PALACE_EMBEDDING_MODEL", "openai/text-embedding-3-small")
    monkeypatch.setenv("PALACE_EMBEDDING_DIMENSION", "384")
    with ProviderServer() as running:
        monkeypatch.setenv("OPENAI_API_BASE", running.api_base)
        yield running


def options_of(benchmark: Benchmark, folder: Path) -> list[str]:
    """Write two made-up questions to a file, and name it and a folder for what is made of it."""
    path = folder / "questions.json"
    path.write_text(json.dumps(benchmark.made_up(2 if benchmark is LONGMEMEVAL else 1)), encoding="utf-8")
    return ["--data", str(path), "--out", str(folder / "out"), "--json"]


def printed_objects(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    """Give the JSON objects that were printed, in order."""
    return [json.loads(line) for line in capsys.readouterr().out.splitlines() if line.startswith("{")]


@pytest.mark.nightly
@pytest.mark.parametrize("benchmark", [LONGMEMEVAL, LOCOMO], ids=["longmemeval", "locomo"])
def test_answers_are_made_and_then_judged(
    benchmark: Benchmark, server: ProviderServer, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = options_of(benchmark, folder)
    server.script.extend(["Here.", "There."])
    assert main(benchmark, ["qa", *options]) == 0
    assert "generation_logs/questions-official-product--openai-gpt-4o-mini.jsonl" in capsys.readouterr().out
    server.script.extend([YES, NO])
    assert main(benchmark, ["score-qa", "--save", str(folder / "kept"), *options]) == 0
    (printed,) = printed_objects(capsys)
    assert (printed["score"]["overall"]["right"], printed["score"]["judged"]) == (1, 2)
    assert printed["costs"]["judge"]["calls"] == 2
    (kept,) = (folder / "kept").rglob("*.json")
    assert kept.parent.name == "answers"
    assert json.loads(kept.read_text()) == printed
    assert main(benchmark, ["qa", *options]) == main(benchmark, ["score-qa", *options]) == 0
    assert len([request for request in server.requests if "messages" in request.body]) == 4
    assert main(benchmark, ["drop", *options[:4]]) == 0


def judged(name: str, kind: str, right: bool, *, judging: str = "plain") -> Judged:
    """Make a line of a log."""
    return Judged(name, kind, judging, "words", right, [Call("m", 10, 0.001, 0.5, "ok")])


LINES = [
    judged("1", "near", True),
    judged("2", "near", True),
    judged("3", "near", False),
    judged("4", "far", True),
    judged("5_abs", "far", False, judging="abstention"),
    judged("6_abs", "far", True, judging="abstention"),
    judged("7", "5 adversarial", True, judging="adversarial"),
]


def test_right_answers_are_counted_by_type_and_abstentions_apart() -> None:
    figures = score(LINES, asked=9)
    assert (figures["asked"], figures["judged"]) == (9, 7)
    assert (figures["overall"]["count"], figures["overall"]["right"]) == (4, 3)
    assert figures["overall"]["value"] == 0.75
    shares = {kind: (figure["right"], figure["count"]) for kind, figure in figures["by_type"].items()}
    assert shares == {"near": (2, 3), "far": (1, 1)}
    assert (figures["abstention"]["right"], figures["abstention"]["count"]) == (2, 3)


def test_the_published_way_of_counting_takes_abstentions_in() -> None:
    published = score(LINES, asked=7)["as_published"]
    assert (published["overall"]["right"], published["overall"]["count"]) == (5, 7)
    assert published["type_mean"] == pytest.approx((2 / 3 + 2 / 3 + 1) / 3, abs=1e-6)


def test_intervals_hold_the_share_and_widen_with_doubt() -> None:
    figure = score(LINES * 10, asked=70)["overall"]
    low, high = figure["interval"]
    assert 0.5 < low < figure["value"] < high < 1
    assert score([judged("1", "near", True)], asked=1)["overall"]["interval"] == [1, 1]


def test_costs_are_summed_with_what_failed() -> None:
    failed = Judged("1", "near", "plain", "words", None, [Call("m", 0, 0.0, 2.0, "timeout")], "no reply")
    summed = {"calls": 3, "failed_calls": 1, "tokens": 20, "cost_usd": 0.002, "seconds": 3.0}
    assert costs([*LINES[:2], failed]) == summed
