"""The curve that the relevance floor is chosen on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bench.longmemeval import BENCHMARK
from bench.retrieval import product
from bench.retrieval.relevance import WEIGHTS, Measured, calibrate, curve, measure
from bench.retrieval.run import ingest
from palace.errors import BadRequest
from palace.settings import Settings
from tests.bench.made_up import make_run


def test_shares_are_of_what_lies_beneath_each_floor() -> None:
    measured = [Measured(0.9, 0.2, False), Measured(0.3, 0.3, False), Measured(0.5, 0.5, True)]
    steps = {step["floor"]: step for step in curve(measured, "bundled/all-MiniLM-L6-v2")["steps"]}
    assert (steps[0.3]["false_empty"], steps[0.3]["true_empty"], steps[0.3]["abstention_empty"]) == (0, 0.5, 0)
    assert (steps[0.32]["false_empty"], steps[0.32]["true_empty"]) == (0.5, 1)
    assert steps[0.52]["abstention_empty"] == 1


def test_a_calibration_keeps_every_answer_and_nearly_all_evidence() -> None:
    found_at = dict.fromkeys(WEIGHTS, 0.5)
    measured = [
        Measured(0.9, 0.2, False, (0.9, 0.31), {**found_at, 1.2: 1.0}),
        Measured(0.47, 0.3, False, (0.35,), found_at),
        Measured(0.1, 0.1, True, (), dict.fromkeys(WEIGHTS, 0.0)),
    ]
    found = calibrate(measured, "bundled/all-MiniLM-L6-v2")
    assert found["measured"] == {"recollection": 0.46, "hit": 0.31, "similarity": 1.2}
    assert found["in_force"] == {"recollection": 0.1, "hit": 0.08, "similarity": 1.05}
    assert (found["answerable"], found["evidence_drawers"], found["found_at"]["1.20"]) == (2, 3, 0.75)
    same = [replace(each, found_at=found_at) for each in measured]
    assert calibrate(same, "unknown")["measured"]["similarity"] == 1.05
    with pytest.raises(BadRequest, match="nothing to calibrate by"):
        calibrate([Measured(0.1, 0.1, True)], "unknown")


@pytest.mark.nightly
def test_taking_the_evidence_away_makes_nothing_more_relevant(settings: Settings, folder: Path) -> None:
    run = make_run(BENCHMARK, settings, folder)
    ingest(run)
    measured = measure(run, weights=WEIGHTS)
    product.drop_schema(run.settings)
    assert len(measured) == len(run.dataset.questions)
    assert all(each.without_evidence <= each.with_evidence for each in measured)
    assert any(each.without_evidence < each.with_evidence for each in measured)
    assert all(each.evidence and max(each.evidence) <= each.with_evidence for each in measured)
    assert all(each.found_at.keys() == set(WEIGHTS) and max(each.found_at.values()) > 0 for each in measured)
