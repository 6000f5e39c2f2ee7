"""Messages that cannot be read: the others are filed, and what a damaged file lacks is not taken for gone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from palace import Palace
from tests.held import drawers

SAID = (
    "Which wire do I take from the battery to the controller of the efoil?",
    "Take silicone wire of 8 AWG, it carries a hundred amperes without getting warm.",
    "And which connectors go with it, the yellow ones or the green ones?",
    "The yellow XT90 with an anti-spark resistor, or it sparks each time you plug it.",
    "How long can the cables get before the voltage drops too far?",
)
TALK = [{"role": "user" if n % 2 == 0 else "assistant", "content": text} for n, text in enumerate(SAID)]
WITH_IDS = [{**message, "id": f"m{n}"} for n, message in enumerate(TALK)]


def write(path: Path, value: object) -> Path:
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def damaged(talk: list[dict[str, Any]], at: int) -> list[dict[str, Any]]:
    return [{**message, "role": None} if n == at else message for n, message in enumerate(talk)]


@pytest.mark.nightly
@pytest.mark.parametrize(("talk", "about", "at"), [(TALK, {}, 0), (TALK, {"id": "c1"}, 4), (WITH_IDS, {}, 2)])
def test_a_repaired_file_files_the_message_that_was_missing_once(
    palace: Palace, tmp_path: Path, talk: list[dict[str, Any]], about: dict[str, str], at: int
) -> None:
    path = write(tmp_path / "talk.json", {**about, "messages": damaged(talk, at)})
    first = palace.mine(path)
    assert (first.drawers_new, len(first.failures)) == (4, 1)
    assert dict(first.left_out) == {"messages that could not be read": 1}
    assert f"message {at + 1}: the message has no role" in first.failures[0].message
    assert palace.mine(path).drawers_new == 0
    write(path, {**about, "messages": talk})
    assert palace.mine(path).drawers_new == 1
    assert palace.mine(path).drawers_new == 0
    assert [drawer.content for drawer in sorted(drawers(palace), key=lambda drawer: drawer.position)] == list(SAID)
    assert not any(drawer.replaced_at for drawer in drawers(palace))


@pytest.mark.parametrize("talk", [TALK, pytest.param(WITH_IDS, marks=pytest.mark.nightly)])
def test_what_a_damaged_file_lacks_is_not_taken_for_gone(
    palace: Palace, tmp_path: Path, talk: list[dict[str, Any]]
) -> None:
    path = write(tmp_path / "talk.json", {"id": "c1", "messages": talk})
    palace.mine(path)
    write(path, {"id": "c1", "messages": damaged(talk, 2)})
    assert palace.mine(path).drawers_new == 0
    assert not any(drawer.replaced_at for drawer in drawers(palace))


def test_a_log_that_is_cut_off_is_filed_and_goes_on_when_it_is_whole(palace: Palace, tmp_path: Path) -> None:
    lines = [json.dumps(message) for message in TALK]
    path = tmp_path / "log.jsonl"
    path.write_text("\n".join(lines)[:-20], encoding="utf-8")
    summary = palace.mine(path)
    assert summary.drawers_new == 4
    assert [failure.message for failure in summary.failures] == [f"{path}, line 5: the line is cut off"]
    assert dict(summary.left_out) == {"lines that could not be read": 1}
    path.write_text("\n".join(lines), encoding="utf-8")
    assert palace.mine(path).drawers_new == 1
    assert len(drawers(palace)) == 5


def test_an_empty_export_is_no_error(palace: Palace, tmp_path: Path) -> None:
    summary = palace.mine(write(tmp_path / "export.json", {"conversations": []}))
    assert (summary.failures, dict(summary.left_out)) == ((), {"empty lists of conversations": 1})
