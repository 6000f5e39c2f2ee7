"""Taking runs back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from palace import BadRequest, DatabaseRefused, NotFound, Palace, Phase, Progress, RunState
from tests.changes.views import BATTERY, HOTEL, Write, counted, everything_said
from tests.held import contents


def run_ids(palace: Palace) -> list[int]:
    """The runs in the order they began."""
    return [run.id for run in reversed(palace.runs.list())]


def test_runs_are_listed_the_latest_first_with_what_is_left_of_them(furnished: Palace, folder: Path) -> None:
    furnished.mine(folder)  # nothing new: no run of interest
    travel, efoil = furnished.runs.list()
    assert efoil.source.endswith("battery.json")
    assert (efoil.drawers_filed, efoil.drawers_kept, travel.drawers_filed) == (4, 4, 2)
    assert efoil.state is travel.state is RunState.FINISHED
    furnished.forget(contents(furnished)[BATTERY[0]])
    assert furnished.runs.list()[1].drawers_kept == 3
    assert furnished.runs.list(limit=1) == (furnished.runs.list()[0],)


def test_undoing_a_run_takes_all_it_filed_and_mining_again_files_it_again(furnished: Palace, folder: Path) -> None:
    efoil, _ = run_ids(furnished)
    before = contents(furnished)
    summary = furnished.runs.undo(efoil)
    assert (summary.removal.drawers, summary.removal.rooms, summary.removal.wings) == (4, 1, 1)
    assert [run.state for run in summary.runs] == [RunState.UNDONE]
    assert set(contents(furnished)) == set(HOTEL)
    assert "lithium" not in everything_said(furnished)
    assert counted(furnished, "tombstone") == 0
    assert furnished.mine(folder, wing="Efoil").drawers_new == 4
    again = contents(furnished)
    assert set(again) == set(before)
    assert not {again[text] for text in BATTERY} & set(before.values())


def test_a_run_that_a_later_one_built_on_is_not_undone_alone(furnished: Palace, write: Write) -> None:
    first, _ = run_ids(furnished)
    second = furnished.mine(write("battery", (*BATTERY, "Bearing replaced."))).run_id
    third = furnished.mine(write("battery", (*BATTERY, "Bearing replaced.", "It is quiet now."))).run_id
    before = everything_said(furnished)
    with pytest.raises(BadRequest, match=f"run {second} .*and run {third} .*--cascade"):
        furnished.runs.undo(first)
    assert everything_said(furnished) == before
    summary = furnished.runs.undo(first, cascade=True)
    assert [run.id for run in summary.runs] == [first, second, third]
    assert set(contents(furnished)) == set(HOTEL)


def claude_code(path: Path, session: str, uuids: list[str]) -> Path:
    about = {"type": "user", "sessionId": session, "cwd": "/home/derek/boat", "timestamp": "2026-03-01T10:00:00Z"}
    lines = [
        about | {"uuid": uuid, "message": {"role": "user", "content": f"Turn {uuid} of the session."}} for uuid in uuids
    ]
    path.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    return path


def test_a_run_that_left_turns_out_because_they_were_filed_elsewhere_built_on_that(
    palace: Palace, folder: Path
) -> None:
    first = palace.mine(claude_code(folder / "a.jsonl", "s1", ["u1", "u2"])).run_id
    second = palace.mine(claude_code(folder / "b.jsonl", "s2", ["u1", "u2", "u3"])).run_id
    assert first is not None
    assert len(contents(palace)) == 3
    with pytest.raises(BadRequest, match=f"run {second}"):
        palace.runs.undo(first)
    palace.runs.undo(first, cascade=True)
    assert contents(palace) == {}


def test_undo_of_what_is_not_there_is_told_in_a_line(furnished: Palace) -> None:
    first, _ = run_ids(furnished)
    furnished.runs.undo(first)
    before = everything_said(furnished)
    with pytest.raises(BadRequest, match=f"run {first} is undone already"):
        furnished.runs.undo(first)
    with pytest.raises(NotFound, match="no run 999999"):
        furnished.runs.undo(999_999)
    with pytest.raises(BadRequest, match="limit must be from 1"):
        furnished.runs.list(limit=0)
    assert everything_said(furnished) == before


def test_a_run_that_is_undone_while_it_mines_files_nothing_more(palace: Palace, folder: Path, write: Write) -> None:
    for number in range(4):
        write(f"{number}", (f"This is conversation {number}.",))

    def undo_at_once(progress: Progress) -> None:
        filed = [run for run in palace.runs.list() if run.drawers_kept]
        if progress.phase is Phase.FILE and filed:
            palace.runs.undo(filed[0].id)

    with pytest.raises(DatabaseRefused, match="was undone while it was mining"):
        palace.mine(folder, progress=undo_at_once)
    assert contents(palace) == {}


def test_a_note_is_a_run_that_can_be_undone(palace: Palace) -> None:
    palace.note("The spare key is under the third stone.")
    (run,) = palace.runs.list()
    assert run.source == "note"
    palace.runs.undo(run.id)
    assert contents(palace) == {}


def test_forgotten_turns_of_an_undone_run_stay_forgotten(furnished: Palace, folder: Path) -> None:
    first, _ = run_ids(furnished)
    furnished.forget(contents(furnished)[BATTERY[1]])
    furnished.runs.undo(first)
    assert furnished.mine(folder, wing="Efoil").drawers_new == 3
    assert BATTERY[1] not in contents(furnished)
