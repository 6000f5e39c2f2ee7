"""What ``palace recall`` writes: for whom, marked or not, with the bundled model."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

WIRE = "I tried a 12-AWG silicone wire and it overheated after ten minutes."

Run = Callable[..., Any]


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    """A conversation about a battery."""
    file = tmp_path / "Efoil rebuild.json"
    said = (WIRE, "Use an 8-AWG wire between the battery and the motor controller.")
    file.write_text(json.dumps([{"role": "user", "content": content} for content in said]))
    return file


def test_the_numbers_are_shown_on_request(run: Run, talk: Path) -> None:
    run("mine", str(talk))
    assert run("recall", "which wire overheated?", "-v").stdout.splitlines()[4].startswith("score ")


def test_matched_words_are_marked_where_colour_is_asked_for_and_nowhere_else(run: Run, talk: Path) -> None:
    run("mine", str(talk))
    marked = "\x1b[1;4mwire\x1b[0m and it \x1b[1;4moverheated\x1b[0m"
    assert marked in run("recall", "which wires overheated?", "--color").stdout
    for options in ((), ("--no-color",), ("--json",), ("--json", "--color"), ("--format", "block", "--color")):
        assert "\x1b" not in run("recall", "which wires overheated?", *options).stdout


def test_dates_are_told_from_now_for_people_and_the_block_is_the_same_whenever_it_is_asked(
    run: Run, tmp_path: Path
) -> None:
    file = tmp_path / "talk.json"
    file.write_text(json.dumps([{"role": "user", "content": WIRE, "created_at": "2026-04-30T18:20:00Z"}]))
    run("mine", str(file))
    blocks = set()
    for now, told in (("2026-04-30T20:00Z", "today"), ("2026-05-01", "yesterday"), ("2026-06-01", "4 weeks ago")):
        asked = ("recall", "which wire overheated?", "--now", now)
        assert run(*asked).stdout.splitlines()[1] == f"user, 2026-04-30 18:20, {told}"
        blocks.add(run(*asked, "--format", "block").stdout)
    assert blocks == {f"<memory_context>\n§ W-001/R-01/D-001 | 2026-04-30 | user | {WIRE}\n</memory_context>\n"}


def test_a_question_is_told_in_full_in_a_pipe_and_a_neighbour_once(run: Run, tmp_path: Path) -> None:
    asked = "Which wire should go between the battery and the motor controller so that nothing at all gets hot again?"
    said = [
        ("user", asked),
        ("assistant", "Take an 8-AWG wire."),
        ("user", "And the wire of the charger stays as it is."),
    ]
    file = tmp_path / "talk.json"
    file.write_text(json.dumps([{"role": role, "content": content} for role, content in said]))
    run("mine", str(file))
    shown = run("recall", "which wire between battery and motor controller?", "--context", "3").stdout
    assert f"user: {asked}\n" in shown
    assert all(shown.count(content) == 1 for _, content in said)
    block = run("recall", "which wire between battery and motor?", "--context", "3", "--format", "block").stdout
    assert all(block.count(content) == 1 for _, content in said)
