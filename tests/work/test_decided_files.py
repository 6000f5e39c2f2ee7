"""Which decision bears on a file: the one that names it, until it is taken back."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from palace import Palace, WorkKind
from tests.work.sessions import BEGAN, Session
from tests.work.test_lasting import bears

DECIDED = "In b/sums.py always use decimals."


def test_a_decision_that_names_the_file_goes_before_one_said_beside_it_and_one_about_a_command_is_about_none(
    palace: Palace, tmp_path: Path
) -> None:
    session = Session("n-1").asks("don't use pandas in hivelog/export.py, it is too big for the Pi")
    session.edits("hivelog/export.py").says("Done.").asks("No, we never round here.").edits("hivelog/export.py")
    session.edits("b/g2.py").asks("from now on run tests with `pytest -x`, and never with plain pytest").runs("ls")
    session.asks("and from now on commit messages are in English").runs("ls").edits("b/g2.py").asks("always pytest -x")
    palace.mine(session.says("Noted.").write(tmp_path), wing="api")
    found = bears(palace, file="hivelog/export.py")
    assert found is not None
    assert found.text.startswith("don't use pandas")
    beside = bears(palace, file="b/g2.py")
    assert beside is None or beside.text == "No, we never round here."


@pytest.mark.parametrize(
    ("said", "is_off"),
    [
        ("I changed my mind about b/sums.py, floats are fine there.", True),
        ("Forget the decimals in b/sums.py, floats are ok.", True),
        ("Undo the decimals thing in b/sums.py.", True),
        ("Sorry, I was wrong about the decimals in b/sums.py.", True),
        ("The decimals in b/sums.py were a bad idea.", True),
        ("Floats are fine in b/sums.py after all.", True),
        ("Ich habe es mir bei b/sums.py anders überlegt.", True),
        ("Don't forget the decimals in b/sums.py.", False),
        ("Undo the last change in b/sums.py.", False),
        ("The decimals in b/sums.py were a mistake, never use them.", False),
    ],
)
def test_a_rule_that_was_taken_back_is_silent_and_marked(
    palace: Palace, tmp_path: Path, said: str, is_off: bool
) -> None:
    palace.mine(Session("t-1").asks(DECIDED).edits("b/sums.py").write(tmp_path), wing="api")
    later = Session("t-2", began=BEGAN + timedelta(days=9)).asks(said).says("Noted.")
    palace.mine(later.edits("b/other.py").write(tmp_path), wing="api")
    assert (bears(palace, file="b/sums.py") is None) is is_off
    decided = [each.text for each in palace.work(file="b/sums.py").entries if each.kind is WorkKind.DECISION]
    assert decided[0] == (f"{DECIDED} (taken back on 2026-03-11)" if is_off else DECIDED)


@pytest.mark.parametrize(
    "said",
    [
        "In b/rates.py don't import numpy.",
        "Please don't touch Makefile. In b/rates.py don't import scipy.",
        "ok. In b/rates.py we use semicolons, because the treasurer uses Excel.",
        "Also in b/rates.py we use tabs.",
        "And in b/rates.py don't import numpy.",
        "I prefer dataclasses over dicts in b/rates.py",
    ],
)
def test_an_instruction_behind_the_file_that_it_is_about_is_a_decision(
    palace: Palace, tmp_path: Path, said: str
) -> None:
    palace.mine(Session("i-1").asks(said).says("Noted.").edits("b/other.py").write(tmp_path), wing="api")
    found = bears(palace, file="b/rates.py")
    assert found is not None
    assert "b/rates.py" in found.text
    session = Session("i-2").asks("In b/rates.py please add a flag.").says("Done.").edits("b/rates.py")
    palace.mine(session.write(tmp_path), wing="api")
    entries = palace.work(file="b/rates.py").entries
    assert not any("flag" in each.text for each in entries if each.kind is WorkKind.DECISION)


def test_a_sentence_with_a_secret_decides_nothing(palace: Palace, tmp_path: Path) -> None:
    session = Session("k-1").asks("look").edits("b/key.py").says("Which key?")
    session.asks("The API token for the depots is ghp_16C7e42F292c6912E7710c838347Ae178B4a and it always stays so")
    palace.mine(session.edits("b/key.py").write(tmp_path), wing="api")
    assert bears(palace, file="b/key.py") is None
    assert not [each for each in palace.work(file="b/key.py").entries if each.kind is WorkKind.DECISION]
