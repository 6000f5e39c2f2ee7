"""What is named that is not there, or stands elsewhere, or is another command's."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


def test_a_note_that_stands_in_another_wing_says_so(run: Run) -> None:
    run("note", "The key is under the mat.", "--wing", "Boats", "--id", "key")
    moved = run("note", "The key is with Derek.", "--wing", "Houses", "--id", "key")
    assert moved.exit_code == 0
    there = "the note stands in the wing 'Boats' already; `palace move` takes its room to another"
    assert moved.stderr == f"palace: warning: {there}\n"
    assert run("note", "The key is with Mara.", "--wing", "boats", "--id", "key").stderr == ""
    assert run("note", "The key is with Jo.", "--id", "key").stderr == ""


@pytest.mark.parametrize(
    ("command", "place", "told"),
    [
        ("show", "W-001", "W-001 is a wing: `palace ls W-001` lists its rooms"),
        (
            "show",
            "W-001/R-02/C-1",
            "a closet has a name and no number: `palace ls 'W-001/R-02'` lists those of the room",
        ),
        ("ls", "W-001/R-02/C-1", "a closet has a name and no number: `palace ls 'W-001/R-02'` lists those of the room"),
        (
            "ls",
            "§ W-001/R-02/D-003",
            "§ W-001/R-02/D-003 is a drawer: `palace show '§ W-001/R-02/D-003'` gives it back",
        ),
    ],
)
def test_a_pointer_given_to_the_wrong_command_names_the_right_one(
    run: Run, command: str, place: str, told: str
) -> None:
    result = run(command, place)
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"palace: {told}\n")


def test_a_mistyped_speaker_names_those_who_are_like_it(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "talk.json"
    file.write_text(json.dumps([{"role": "user", "name": "Caroline", "content": "The lantern festival is in August."}]))
    run("mine", str(file))
    result = run("recall", "lantern", "--speaker", "Carolyne")
    assert (result.exit_code, result.stdout) == (2, "")
    told = "there is no speaker 'Carolyne'; did you mean 'Caroline'? (`palace ls W-001/R-01` says who spoke in a room)"
    assert result.stderr == f"palace: {told}\n"


@pytest.mark.parametrize(
    ("place", "told"),
    [
        ("W-099", "there is no wing 'W-099'; `palace ls` lists them"),
        ("Sourdogh", "there is no wing 'Sourdogh'; did you mean 'Sourdough'? `palace ls` lists them"),
        ("W-001/R-07", "there is nothing at W-001/R-07; `palace ls` lists what there is"),
    ],
)
def test_browse_refuses_what_is_not_there_before_it_takes_the_screen(
    run: Run, monkeypatch: pytest.MonkeyPatch, place: str, told: str
) -> None:
    run("note", "The starter wants flour.", "--wing", "Sourdough")
    began: list[str | None] = []
    monkeypatch.setattr("palace_cli.output.is_terminal", lambda: True)
    monkeypatch.setattr("palace_cli.commands.browse._input_is_terminal", lambda: True)
    monkeypatch.setattr("palace_cli.commands.browse._run", lambda _, at: began.append(at))
    result = run("browse", place)
    assert (result.exit_code, result.stdout, result.stderr, began) == (2, "", f"palace: {told}\n", [])
    assert run("browse", "sourdough").exit_code == 0
    assert began == ["sourdough"]
