"""The curve that the relevance floor is chosen on."""

from __future__ import annotations

from pathlib import Path

from bench.longmemeval.__main__ import BENCHMARK
from bench.retrieval import product
from bench.retrieval.clarity import STEPS, Clarity, curve, measure
from bench.retrieval.run import ingest
from palace.settings import Settings
from tests.bench.made_up import make_run


def test_shares_are_of_what_lies_beneath_each_floor() -> None:
    measured = [Clarity(0.9, 0.2, False), Clarity(0.3, 0.3, False), Clarity(0.5, 0.5, True)]
    steps = {step["floor"]: step for step in curve(measured)["steps"]}
    assert (steps[0.3]["false_empty"], steps[0.3]["true_empty"], steps[0.3]["abstention_empty"]) == (0, 0.5, 0)
    assert (steps[0.32]["false_empty"], steps[0.32]["true_empty"]) == (0.5, 1)
    assert steps[0.52]["abstention_empty"] == 1


def test_nothing_asked_has_no_shares() -> None:
    assert curve([])["steps"][0] == {
        "floor": STEPS[0],
        "false_empty": None,
        "true_empty": None,
        "abstention_empty": None,
    }


def test_taking_the_evidence_away_makes_no_palace_clearer(settings: Settings, folder: Path) -> None:
    run = make_run(BENCHMARK, settings, folder)
    ingest(run)
    measured = measure(run)
    product.drop_schema(run.settings)
    assert len(measured) == len(run.dataset.questions)
    assert all(each.without_evidence <= each.with_evidence for each in measured)
    assert any(each.without_evidence < each.with_evidence for each in measured)
