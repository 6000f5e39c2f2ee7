"""The verbs that answer and judge, as they are typed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bench.command import main
from bench.locomo.__main__ import BENCHMARK as LOCOMO
from bench.longmemeval.__main__ import BENCHMARK as LONGMEMEVAL
from bench.retrieval.dataset import Benchmark
from palace.testing import Answer, HashingEmbedder, LanguageModelServer, ModelRequest

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


def test_the_models_may_be_others(server: ProviderServer, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = [*options_of(LOCOMO, folder), "--reader", "openai/gpt-4.1-nano", "--judge", "openai/gpt-4.1"]
    server.script.extend(["Here.", "There.", YES, YES])
    assert main(LOCOMO, ["full", *options]) == 0
    asked = [request.body["model"] for request in server.requests if "messages" in request.body]
    assert asked == [*["gpt-4.1-nano"] * 2, *["gpt-4.1"] * 2]
    manifest = printed_objects(capsys)[-1]["manifest"]
    assert (manifest["reader"]["model"], manifest["judge"]["model"]) == ("openai/gpt-4.1-nano", "openai/gpt-4.1")


def test_full_scores_retrieval_and_answers_apart_and_leaves_no_palace(
    server: ProviderServer, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server.script.extend(["Here.", "There.", YES, YES])
    options = options_of(LONGMEMEVAL, folder)
    assert main(LONGMEMEVAL, ["full", *options]) == 0
    retrieval, answers = printed_objects(capsys)
    assert "sessions" in retrieval["score"]["overall"]
    assert answers["score"]["overall"]["value"] == 1
    assert "sessions" not in answers["score"]["overall"]
    assert "reader" not in retrieval["manifest"]
    assert not (folder / "out" / "home").exists()
    assert main(LONGMEMEVAL, ["retrieve", "--fresh", *options]) == 1


def test_a_failure_is_told_and_the_same_command_goes_on(
    server: ProviderServer, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = options_of(LONGMEMEVAL, folder)
    server.script.extend([Answer.REFUSED, "There.", YES])
    assert main(LONGMEMEVAL, ["full", *options]) == 1
    told = capsys.readouterr()
    assert "error: 1 questions are without an answer; the same command tries them again." in told.err
    assert "judged: 1 of 2 questions; the others are not counted" in told.out
    server.script.extend(["Here.", YES])
    assert main(LONGMEMEVAL, ["full", *options]) == 0
    assert printed_objects(capsys)[-1]["score"]["judged"] == 2
    assert not server.script


@pytest.mark.parametrize("choice", [[], ["--no-qa"]], ids=["no key", "not wanted"])
def test_full_asks_no_model_without_a_key_or_when_told_not_to(
    choice: list[str],
    server: ProviderServer,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    # The embedder has its key in either case: the judge's is what is missing.
    judge = ["--judge", "mistral/mistral-large-latest"] if not choice else []
    monkeypatch.delenv("MISTRAL_API_KEY", raising=False)
    assert main(LONGMEMEVAL, ["full", *options_of(LONGMEMEVAL, folder), *choice, *judge]) == 0
    assert all("messages" not in request.body for request in server.requests)
    printed = capsys.readouterr()
    assert ("answers are not measured: no MISTRAL_API_KEY is set" in printed.err) == (not choice)
    assert "judged:" not in printed.out


def test_full_without_a_file_takes_the_usual_one(
    server: ProviderServer, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fetched = folder / "out" / "data" / "locomo10.json"
    fetched.parent.mkdir(parents=True)
    fetched.write_text(json.dumps(LOCOMO.made_up(1)), encoding="utf-8")
    assert main(LOCOMO, ["full", "--no-qa", "--json", "--out", str(folder / "out")]) == 0
    assert printed_objects(capsys)[-1]["manifest"]["dataset"]["name"] == "locomo10"


@pytest.mark.parametrize("arguments", [["qa"], ["full", "--qa"]], ids=["qa", "full"])
def test_a_baseline_answers_nothing(
    arguments: list[str], server: ProviderServer, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(LOCOMO, [*arguments, *options_of(LOCOMO, folder), "--variant", "bm25"]) == 1
    assert capsys.readouterr().err.startswith("error: answers are made from what the product recalls: bm25 is none")
    assert server.requests == []


def test_judging_what_was_not_answered_says_what_to_run(
    server: ProviderServer, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(LOCOMO, ["score-qa", *options_of(LOCOMO, folder)]) == 1
    assert "run `qa` first" in capsys.readouterr().err
