"""What the signals of the ranking are found to buy."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.locomo import BENCHMARK as LOCOMO
from bench.signals import Case, main, measure, tables
from palace.config.settings import BUNDLED_MODEL
from palace.models import Compared
from palace.recall.comparison import Comparison
from palace.recall.intent import read_intent
from palace.recall.propose import NO_WORDS
from tests.recall.ranked import CALIBRATIONS, NOW, Background, drawer


def case(*drawers: Compared, gold: str) -> Case:
    background = Background(read_intent("Which wire melted?", NOW))
    found = Comparison(list(drawers), background, CALIBRATIONS[BUNDLED_MODEL], NO_WORDS)
    return Case(found, {each.id: f"t{each.id}" for each in drawers}, frozenset({gold}))


def test_what_only_its_words_tell_counts_for_the_keywords_and_against_the_vector() -> None:
    near = drawer(1, 0.51)
    worded = drawer(2, 0.5, keyword=4.0, coverage=1.0)
    found = measure([case(near, worded, gold="t2")] * 5)
    assert (found["questions"], found["product"]["mrr"]["value"]) == (5, 1.0)
    gains = {name: gain["mrr"]["value"] for name, gain in found["gains"].items() if gain["mrr"]["value"]}
    assert gains == {"vector": 0.5, "without-keyword": 0.5}
    head, _, row = tables([{"set": "wires", **found}]).splitlines()[2:5]
    assert head.startswith("| in percent | product | vector | keywords | similarity | keyword |")
    assert row.startswith("| wires (5) | 100.0 | **+50.0** |  |  | **+50.0** |")


def test_of_what_no_question_shows_nothing_is_said() -> None:
    found = measure([case(drawer(1, 0.5), drawer(2, 0.3), gold="t1")] * 5)
    assert all(gain["value"] == 0 for gain in found["gains"]["without-kind"].values())
    assert "+" not in tables([{"set": "wires", **found}])


@pytest.mark.nightly
@pytest.mark.usefixtures("environment")
def test_a_file_is_mined_and_measured_and_the_table_is_of_all_that_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tmp_path.chmod(0o711)
    data, out = tmp_path / "made.json", tmp_path / "signals"
    data.write_text(json.dumps(LOCOMO.made_up(2)), encoding="utf-8")
    assert main(["--home", str(tmp_path / "home"), "--out", str(out), "--locomo", str(data)]) == 0
    measured = json.loads((out / "locomo.json").read_text(encoding="utf-8"))
    assert (measured["questions"], measured["product"]["any@5"]["value"]) == (4, 1.0)
    capsys.readouterr()
    assert main(["--out", str(out)]) == 0
    assert "| locomo (4) | 100.0 |" in capsys.readouterr().out
