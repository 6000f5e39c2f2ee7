"""Forgetting, undoing, moving and renaming from the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


@pytest.fixture
def mined(run: Run, tmp_path: Path) -> Path:
    """Two wings: "Efoil" with a room of three drawers, "Travel" with one of one; give the first one's file."""
    talk = tmp_path / "talk.json"
    said = ("The lithium pack overheated.", "Use a thicker wire.", "Derek lends me his crimping tool.")
    talk.write_text(json.dumps([{"role": "user", "content": text} for text in said]))
    hotel = tmp_path / "hotel.json"
    hotel.write_text(json.dumps([{"role": "user", "content": "The Seagull is a hotel in Lisbon."}]))
    run("mine", str(talk), "--wing", "Efoil")
    run("mine", str(hotel), "--wing", "Travel")
    return talk


def drawers(run: Run) -> int:
    """Count what is there."""
    return int(json.loads(run("status", "--json").stdout)["drawers"])


def test_forget_says_what_will_go_and_asks(run: Run, mined: Path) -> None:
    refused = run("forget", "Travel", given="n\n")
    assert (refused.exit_code, refused.stdout, drawers(run)) == (1, "", 4)
    assert "Forget wing W-002 'Travel': 1 drawer, 1 conversation, 1 room, 1 wing? [y/N]" in refused.stderr
    assert refused.stderr.endswith("nothing was forgotten\n")
    unread = run("forget", "Travel", given=b"\xff\xfe y\n")
    assert (unread.exit_code, unread.stdout, drawers(run)) == (1, "", 4)
    agreed = run("forget", "Travel", given="y\n")
    assert (agreed.exit_code, drawers(run)) == (0, 3)
    assert agreed.stdout.startswith(
        "forgot wing W-002 'Travel': 1 drawer, 1 conversation, 1 room, 1 wing; palace restore "
    )


def test_forget_takes_no_more_than_it_asked_about(run: Run, mined: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def agree_late(_: str) -> bool:
        run("note", "The Seagull has a new roof.", "--wing", "Travel")
        return True

    monkeypatch.setattr("palace_cli.diagnostics.confirm", agree_late)
    result = run("forget", "Travel")
    assert (result.exit_code, result.stdout, drawers(run)) == (2, "", 5)
    assert "wing W-002 'Travel' has 2 drawers by now, not 1: nothing was forgotten" in result.stderr


def test_without_anybody_to_ask_nothing_is_forgotten(run: Run, mined: Path) -> None:
    result = run("forget", "W-001/R-01/D-001", given="")
    assert (result.exit_code, drawers(run)) == (1, 4)
    assert run("forget", "W-001/R-01/D-001", "--yes").exit_code == 0
    assert drawers(run) == 3


def test_a_forgotten_drawer_stays_so_until_it_is_asked_for(run: Run, mined: Path) -> None:
    run("forget", "§ W-001/R-01/D-002", "--yes")
    again = run("mine", str(mined))
    assert "drawers   0 new, 2 unchanged, 0 excluded, 1 forgotten" in again.stdout
    restored = json.loads(run("mine", str(mined), "--restore-forgotten", "--json").stdout)
    assert (restored["drawers_new"], restored["drawers_forgotten"]) == (1, 0)


def test_everything_is_forgotten_only_when_said_so(run: Run, mined: Path) -> None:
    result = run("forget")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "say what to forget" in result.stderr
    assert run("forget", "--everything", "Efoil", "--yes").exit_code == 2
    planned = json.loads(run("forget", "--everything", "--dry-run", "--json").stdout)
    assert (planned["dry_run"], planned["removal"]["drawers"]) == (True, 4)
    assert run("forget", "--everything", "--yes").exit_code == 0
    assert drawers(run) == 0
    nothing = run("forget", "--everything", "--yes")
    assert nothing.exit_code == 2
    assert nothing.stderr.count("\n") == 1
    assert "nothing to forget" in nothing.stderr


def test_a_run_is_listed_and_undone(run: Run, mined: Path) -> None:
    travel, efoil = json.loads(run("runs", "--json").stdout)
    assert (efoil["drawers_kept"], travel["source"]) == (3, str(mined.with_name("hotel.json")))
    undone = run("undo", str(efoil["id"]), "--yes")
    assert undone.exit_code == 0
    assert undone.stdout.splitlines()[-1] == "gone: 3 drawers, 1 conversation, 1 room, 1 wing"
    assert drawers(run) == 1
    listed = run("runs").stdout.splitlines()
    assert listed[0].split() == ["run", "began", "source", "drawers", "state"]
    assert listed[2].split()[-2:] == ["(3)", "undone"]


def test_undo_names_the_later_run_and_offers_the_cascade(run: Run, mined: Path) -> None:
    first = json.loads(run("runs", "--json").stdout)[1]["id"]
    turns = json.loads(mined.read_text())
    mined.write_text(json.dumps([*turns, {"role": "assistant", "content": "Return it on Monday."}]))
    second = json.loads(run("mine", str(mined), "--json").stdout)["run_id"]
    refused = run("undo", str(first), "--yes")
    assert (refused.exit_code, drawers(run)) == (2, 5)
    assert f"run {second} ({mined}) built on run {first}" in refused.stderr
    assert "--cascade" in refused.stderr
    assert run("undo", str(first), "--cascade", "--yes").exit_code == 0
    assert drawers(run) == 1


def test_undo_says_what_will_go_and_asks(run: Run, mined: Path) -> None:
    efoil = json.loads(run("runs", "--json").stdout)[1]
    planned = json.loads(run("undo", str(efoil["id"]), "--dry-run", "--json").stdout)
    assert (planned["dry_run"], planned["removal"]["drawers"], drawers(run)) == (True, 3, 4)
    refused = run("undo", str(efoil["id"]), given="n\n")
    assert (refused.exit_code, refused.stdout, drawers(run)) == (1, "", 4)
    assert refused.stderr.startswith(f"Undo run {efoil['id']} ({mined}): 3 drawers, ")
    assert refused.stderr.endswith("nothing was undone\n")
    done = run("undo", str(efoil["id"]), "--json", given="y\n")
    assert json.loads(done.stdout)["removal"] == planned["removal"]
    assert drawers(run) == 1


def test_undo_of_a_run_that_only_marked_says_how_many_marks_it_takes_back(run: Run, mined: Path) -> None:
    turns = json.loads(mined.read_text())
    turns += [{"role": "user", "content": f"Sentence {n} of a longer talk about that battery."} for n in range(4)]
    mined.write_text(json.dumps(turns))
    run("mine", str(mined))
    mined.write_text(json.dumps([*turns[:4], *turns[5:]]))
    marking = str(json.loads(run("mine", str(mined), "--json").stdout)["run_id"])
    planned = run("undo", marking, "--dry-run").stdout.splitlines()
    assert planned[1:] == ["would take back 1 mark: what was replaced, or no longer in its source, stands again"]
    refused = run("undo", marking, given="n\n")
    assert refused.stderr.startswith(f"Undo run {marking} ({mined}): 1 mark taken back?")
    assert json.loads(run("undo", marking, "--json", "--yes").stdout)["marks"] == 1


def test_undo_of_an_unknown_run_is_one_line(run: Run, mined: Path) -> None:
    result = run("undo", "424242")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "palace: there is no run 424242; `palace runs` lists them\n"


def test_a_room_is_moved_and_its_old_pointer_still_shows_it(run: Run, mined: Path) -> None:
    moved = run("move", "W-002/R-01", "Efoil")
    assert moved.stdout == "moved into W-001 Efoil\nW-002/R-01 is now W-001/R-02\n"
    old, new = (run("show", f"{room}/D-001", "--raw").stdout for room in ("W-002/R-01", "W-001/R-02"))
    assert old == new == "The Seagull is a hotel in Lisbon."


def test_a_wing_is_merged_and_renamed(run: Run, mined: Path) -> None:
    assert run("move", "Travel", "Efoil").stdout.startswith("merged 1 room into W-001 Efoil\n")
    assert run("rename", "Efoil", "Everything").stdout == "Efoil is now called 'Everything'\n"
    assert [wing["name"] for wing in json.loads(run("ls", "--json").stdout)] == ["Everything"]
    for name in ("Travel", "Efoil", "W-002"):
        assert json.loads(run("recall", "hotel in Lisbon", "--wing", name, "--json").stdout)["hits"]


@pytest.mark.parametrize(
    "command",
    [
        ("forget", "W-009/R-01/D-001", "--yes"),
        ("forget", "Nowhere", "--yes"),
        ("move", "W-001/R-01", "Nowhere"),
        ("move", "W-001/R-01/D-001", "Travel"),
        ("rename", "Efoil", "Travel"),
        ("rename", "W-001/R-77", "x"),
    ],
)
def test_what_is_not_there_is_one_line_and_exit_code_2(run: Run, mined: Path, command: tuple[str, ...]) -> None:
    result = run(*command)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert result.stderr.startswith("palace: ")
    assert drawers(run) == 4
