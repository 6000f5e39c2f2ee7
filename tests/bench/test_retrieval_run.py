"""Whole runs through the product: mined, asked, logged, scored, taken up again, and gone afterwards."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bench.command import main
from bench.locomo import BENCHMARK as LOCOMO
from bench.longmemeval import BENCHMARK as LONGMEMEVAL
from bench.retrieval import product
from bench.retrieval.dataset import Benchmark
from bench.retrieval.run import Run, ingest, load_variant, retrieve, schema_name
from palace import Settings
from palace.testing import HashingEmbedder


@pytest.fixture(scope="module")
def mined(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """A run whose haystacks are mined."""
    folder = tmp_path_factory.mktemp("mined")
    path = folder / "made.json"
    path.write_text(json.dumps(LONGMEMEVAL.made_up(2)), encoding="utf-8")
    dataset = LONGMEMEVAL.read(path)
    schema = schema_name(LONGMEMEVAL.name, "official", dataset.sha256)
    own = settings.model_copy(update={"database_schema": schema, "home": folder})
    run = Run(LONGMEMEVAL, dataset, "official", load_variant("product"), own, HashingEmbedder(), folder)
    assert ingest(run)["drawers"] == 32
    yield run
    product.drop_schema(run.settings)


def logged_elsewhere(run: Run, folder: Path) -> Run:
    """Give the same run with a log of its own."""
    return replace(run, out=folder)


@pytest.mark.nightly
@pytest.mark.usefixtures("environment")
@pytest.mark.parametrize("benchmark", [LONGMEMEVAL, LOCOMO], ids=["longmemeval", "locomo"])
def test_smoke_does_everything_and_ends_with_one_json_object(
    benchmark: Benchmark, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(benchmark, ["smoke", "--out", str(folder), "--json"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("mined: ") and "10 haystacks" in line for line in lines)
    printed = json.loads(lines[-1])
    overall = printed["score"]["overall"]
    assert overall["count"] >= 9
    assert overall["sessions"]["any@5"]["value"] > 0.5
    assert overall["sessions"]["any@5"]["value"] >= overall["sessions"]["all@5"]["value"]
    assert printed["manifest"]["dataset"]["name"] == "smoke"
    assert not (folder / "home").exists()


@pytest.mark.usefixtures("environment")
def test_an_error_is_one_line_and_the_exit_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(LONGMEMEVAL, ["score-retrieval", "--data", str(tmp_path / "none.json"), "--out", str(tmp_path)]) == 1
    assert capsys.readouterr().err == f"error: {tmp_path / 'none.json'}: cannot be read: No such file or directory\n"


@pytest.mark.nightly
def test_the_log_names_real_sessions_and_turns(mined: Run, tmp_path: Path) -> None:
    run = logged_elsewhere(mined, tmp_path)
    retrieve(run)
    for entry, question in zip(run.log.read(), run.dataset.questions, strict=True):
        haystack = run.dataset.haystacks[question.haystack]
        turns = {turn.id for session in haystack.sessions for turn in session.turns}
        assert {name for name, _ in entry.ranking.sessions} <= {session.id for session in haystack.sessions}
        assert {name for name, _ in entry.ranking.turns} <= turns
        assert 1 <= len(entry.ranking.delivered) <= 5
        assert entry.ranking.delivered == [name for name, _ in entry.ranking.turns[:5]]
        # What answers a question stands in front of it; both are shown as one.
        assert {name for name, _ in entry.ranking.turns[:2]} & set(entry.gold_turns)
        assert entry.question_date == "2024/04/01 (Mon) 09:00"
        assert entry.asked_at == "2024-04-01T09:00:00+00:00"
        assert {"embed", "keyword", "semantic", "total"} <= entry.ranking.timings_ms.keys()


@pytest.mark.nightly
def test_two_runs_are_the_same_or_the_questions_that_are_not_are_named(
    mined: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = [logged_elsewhere(mined, tmp_path / name) for name in ("one", "other")]
    logs = [str(retrieve(run)) for run in runs]
    assert main(LONGMEMEVAL, ["same", *logs]) == 0
    assert capsys.readouterr().out == "the same for each of 2 questions\n"
    lines = runs[1].log.path.read_text(encoding="utf-8").splitlines()
    entry = json.loads(lines[1])
    entry["ranking"]["turns"][-1][1] += 1e-6
    runs[1].log.path.write_text("\n".join([lines[0], json.dumps(entry), ""]), encoding="utf-8")
    assert main(LONGMEMEVAL, ["same", *logs]) == 1
    assert capsys.readouterr().err == "error: 1 of 2 questions were answered differently: made_1\n"
    runs[1].log.path.write_text(lines[0] + "\n", encoding="utf-8")
    assert main(LONGMEMEVAL, ["same", *logs]) == 1
