"""The benchmark of the gate counts what was skipped and should not have been, by language and kind."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.gate import main
from tests.architecture.sizes import ROOT

LINES = (
    {"message": "hi", "history": [], "needs_memory": False, "kind": "greeting", "language": "en"},
    {"message": "What is entropy?", "history": [], "needs_memory": True, "kind": "odd"},
    {"message": "What is a Zephyrion?", "history": [], "needs_memory": True, "kind": "own", "known": ["Zephyrion"]},
    {"message": "how much?", "history": ["What did I pay?"], "needs_memory": True, "kind": "own"},
)


def test_what_was_skipped_is_counted_and_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "messages.jsonl"
    path.write_text("\n".join(map(json.dumps, LINES)), encoding="utf-8")
    assert main(["--messages", str(path), "--json", "--missed"]) == 0
    shown = capsys.readouterr()
    found = json.loads(shown.out)
    assert (found["needed"], found["needed_skipped"], found["others"], found["others_skipped"]) == (3, 1, 1, 1)
    assert found["by_kind"]["own"]["needed_skipped_share"] == 0
    assert found["by_language"]["en"]["needed_skipped_share"] is None
    assert shown.err == "skipped  ? odd (knowledge): 'What is entropy?'\n"


def test_a_file_that_is_none_is_told_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "messages.jsonl"
    for written in ("", "{", '{"message": 3, "needs_memory": true}', '{"message": "x"}', "[]"):
        path.write_text(written, encoding="utf-8")
        assert main(["--messages", str(path)]) == 1
        assert capsys.readouterr().err.count("\n") == 1, written
    assert main(["--messages", str(tmp_path / "none")]) == 1


def test_the_sets_are_those_that_were_measured(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("tune", "held", "late", "last"):
        assert main(["--messages", str(ROOT / "bench" / "gate" / "sets" / f"{name}.jsonl"), "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        kept = json.loads((ROOT / "bench" / "baselines" / "gate" / f"{name}.json").read_text(encoding="utf-8"))
        del found["milliseconds"], kept["milliseconds"]
        assert found == kept, name
        assert found["needed_skipped"] == 0
