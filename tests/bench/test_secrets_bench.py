"""The measure of redaction counts what was found, missed and taken for a secret, and says what is wrong with a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.secrets import SPLIT, Message, main, measure, read_messages

SETS = Path(__file__).parents[2] / "bench" / "secrets" / "sets"


def test_found_missed_and_false_are_counted() -> None:
    measured = measure(
        [
            Message("my password is Otter-Bramble-19 ok", (("Otter-Bramble-19", "password"),)),
            Message("the thing is Otter", (("Otter", "password"),)),
            Message("password is Kite7vane", ()),
            Message("nothing", ()),
        ]
    )
    figures = measured.figures()
    assert (figures["planted"], figures["found"], figures["without"], figures["false"]) == (2, 1, 2, 1)
    assert len(measured.missed) == len(measured.wrong) == 1


def test_what_splits_the_secrets_of_a_set_is_taken_out(tmp_path: Path) -> None:
    line = {"message": f"pin: 47{SPLIT}11", "secrets": [{"text": f"47{SPLIT}11", "kind": "password"}]}
    file = tmp_path / "set.jsonl"
    file.write_text(json.dumps(line) + "\n\n" + json.dumps(line, ensure_ascii=False), encoding="utf-8")
    assert list(read_messages(file)) == [Message("pin: 4711", (("4711", "password"),))] * 2


def test_a_bad_line_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "set.jsonl"
    file.write_text('{"message": "a"}\n{"text": 1}\n', encoding="utf-8")
    assert main(["--messages", str(file)]) == 1
    assert "line 2" in capsys.readouterr().err


def test_the_sets_are_found_as_wanted(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("tune", "apart", "second", "third", "fourth"):
        assert main(["--messages", str(SETS / f"{name}.jsonl"), "--json"]) == 0
        figures = json.loads(capsys.readouterr().out)
        assert figures["found"] >= figures["planted"] * 58 / 60, name
        assert figures["false"] <= 2, name
