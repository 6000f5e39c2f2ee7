"""The benchmarks of the turn measure turns, and their facts are a hundred that can be told apart."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from bench.turn import facts, main


def test_there_are_a_hundred_facts_each_with_an_answer_of_its_own() -> None:
    every = list(facts())
    assert len({fact.answer for fact in every}) == len({fact.question for fact in every}) == len(every) == 100
    assert all(fact.answer in fact.told and fact.answer not in fact.question for fact in every)
    assert every == list(facts())


@pytest.mark.nightly
@pytest.mark.usefixtures("environment")
def test_facts_are_told_in_one_process_and_asked_in_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("bench.turn.facts", lambda: list(facts())[:4])
    user = f"facts-{tmp_path.name}-{os.getpid()}"
    assert main(["facts", "--home", str(tmp_path), "--user", user, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    # Eight messages, and three memories: "before I forget it" is not understood without what stands before.
    assert (found["drawers_filed"], found["facts"]) == (11, 100)
    assert found["in_the_block"] >= 3
    monkeypatch.setattr("bench.turn.WARM_UP", 1)
    assert main(["latency", "--home", str(tmp_path), "--user", user, "--count", "3", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["turn_ms"]["p50"] > 0
