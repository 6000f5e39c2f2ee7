"""The benchmark of compression asks of what was dropped, and says how much of the evidence is left."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.compress import main
from bench.locomo import made_up


@pytest.mark.nightly
@pytest.mark.usefixtures("environment")
def test_what_was_dropped_is_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, samples = tmp_path / "made.json", made_up(2)
    for turns in (each for sample in samples for each in sample["conversation"].values() if isinstance(each, list)):  # type: ignore[attr-defined]
        turns += [{**turns[1], "dia_id": f"{turns[0]['dia_id'][:2]}:{number}"} for number in range(3, 7)]
    data.write_text(json.dumps(samples), encoding="utf-8")
    assert main(["--data", str(data), "--home", str(tmp_path), "--kept", "400", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["left_out"]["questions"] == 4
    assert found["state_of_100"]["all_evidence"] >= 0.75
    assert found["state_of_100"]["tokens"] <= 400
    assert set(found["chosen_on_the_others"]) == {"made-0", "made-1"}
