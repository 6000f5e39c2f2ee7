"""The verbs that answer and judge, as they are typed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bench.command import main
from bench.locomo import BENCHMARK as LOCOMO
from bench.longmemeval import BENCHMARK as LONGMEMEVAL
from bench.retrieval.dataset import Benchmark
from palace.testing import HashingEmbedder, LanguageModelServer, ModelRequest

pytestmark = pytest.mark.nightly

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
