"""Forgetting, undoing, moving and renaming from the command line."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

from palace_cli.diagnostics import is_at_terminal
from tests.cli.conftest import Run, mine, refused

SAID = ("The lithium pack overheated.", "Use a thicker wire.", "Derek lends me his crimping tool.")


@pytest.fixture
def mined(run: Run, tmp_path: Path) -> Path:
    """Two wings: "Efoil" with a room of three drawers, "Travel" with one of one; give the first one's file."""
    talk = mine(run, tmp_path / "talk.json", [{"role": "user", "content": text} for text in SAID], "--wing", "Efoil")
    hotel = [{"role": "user", "content": "The Seagull is a hotel in Lisbon."}]
    mine(run, tmp_path / "hotel.json", hotel, "--wing", "Travel")
    return talk


def drawers(run: Run) -> int:
    """Count what is there."""
    return int(json.loads(run("status", "--json").stdout)["drawers"])


def test_forget_says_what_will_go_asks_and_takes_no_more(
    run: Run, mined: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def agree_late(_: str) -> bool:
        run("note", "Lisbon is hilly.", "--wing", "Efoil")
        return True

    refused = run("forget", "Travel", given="n\n")
    assert (refused.exit_code, refused.stdout, drawers(run)) == (1, "", 4)
    assert "Forget wing W-002 'Travel': 1 drawer, 1 conversation, 1 room, 1 wing? [y/N]" in refused.stderr
    for nobody in (b"\xff\xfe y\n", ""):
        unread = run("forget", "Travel", given=nobody)
        assert (unread.exit_code, unread.stdout, drawers(run)) == (1, "", 4)
        assert unread.stderr.endswith("nothing was forgotten: no answer was given; use --yes to agree\n")
    agreed = run("forget", "Travel", given="y\n")
    assert (agreed.exit_code, drawers(run)) == (0, 3)
    assert agreed.stdout.startswith("forgot wing W-002 'Travel': 1 drawer, 1 conversation, 1 room, 1 wing; palace res")
    assert run("forget", "W-001/R-01/D-001", "--yes").exit_code == 0
    assert drawers(run) == 2
    monkeypatch.setattr("palace_cli.diagnostics.confirm", agree_late)
    late = run("forget", "Efoil")
    assert (late.exit_code, late.stdout, drawers(run)) == (2, "", 3)
    assert "wing W-001 'Efoil' has 3 drawers by now, not 2: nothing was forgotten" in late.stderr


def test_everything_is_forgotten_only_when_said_so_and_what_was_forgotten_stays_so_until_it_is_asked_for(
    run: Run, mined: Path
) -> None:
    run("forget", "§ W-001/R-01/D-002", "--yes")
    assert "drawers   0 new, 2 unchanged, 0 excluded, 1 forgotten" in run("mine", str(mined)).stdout
    restored = json.loads(run("mine", str(mined), "--restore-forgotten", "--json").stdout)
    assert (restored["drawers_new"], restored["drawers_forgotten"]) == (1, 0)
    wrong = {("forget",): "say what to forget", ("forget", "--everything", "Efoil", "--yes"): ""}
    assert refused(run, wrong) == []
    planned = json.loads(run("forget", "--everything", "--dry-run", "--json").stdout)
    assert (planned["dry_run"], planned["removal"]["drawers"], drawers(run)) == (True, 4, 4)
    assert run("forget", "--everything", "--yes").exit_code == 0
    assert drawers(run) == 0
    assert refused(run, {("forget", "--everything", "--yes"): "nothing to forget"}) == []


@pytest.mark.nightly
def test_a_run_is_listed_rehearsed_asked_about_and_undone(run: Run, mined: Path) -> None:
    travel, efoil = json.loads(run("runs", "--json").stdout)
    assert (efoil["drawers_kept"], travel["source"]) == (3, str(mined.with_name("hotel.json")))
    number = str(efoil["id"])
    planned = json.loads(run("undo", number, "--dry-run", "--json").stdout)
    assert (planned["dry_run"], planned["removal"]["drawers"], drawers(run)) == (True, 3, 4)
    refused = run("undo", number, given="n\n")
    assert (refused.exit_code, refused.stdout, drawers(run)) == (1, "", 4)
    assert refused.stderr.startswith(f"Undo run {number} ({mined}): 3 drawers, ")
    done = run("undo", number, given="y\n")
    assert (done.exit_code, drawers(run)) == (0, 1)
    assert done.stdout.splitlines()[-1] == "gone: 3 drawers, 1 conversation, 1 room, 1 wing"
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


def test_moving_renaming_and_merging_ask_once_at_a_terminal_and_a_script_goes_on(
    run: Run, mined: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("palace_cli.diagnostics.is_at_terminal", lambda: True)
    refused = run("rename", "Travel", "Journeys", given="n\n")
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert refused.stderr == "Rename wing W-002 'Travel' (1 room, 1 drawer) to 'Journeys'? [y/N] nothing was renamed\n"
    assert run("rename", "Travel", "Journeys", given="y\n").stdout == "Travel is now called 'Journeys'\n"
    stays = run("move", "W-001/R-01", "Journeys", given="\n")
    asked = "Move room W-001/R-01 'talk' (3 drawers) into Journeys? [y/N] nothing was moved\n"
    assert (stays.exit_code, stays.stderr) == (1, asked)
    merge = ("entities", "merge", "Derek", "Lisbon")
    asked = "Merge Derek (person, 1 mention) into Lisbon (place, 1 mention)? [y/N] nothing was merged\n"
    assert run(*merge, given="n\n").stderr == asked
    assert run(*merge, given="y\n").stdout.startswith("decision 1: Derek is Lisbon")
    assert run("move", "W-001/R-01/D-001", "Journeys").stderr.startswith("palace: a drawer stands in its room")
    assert run("move", "W-001", "Nowhere").stderr.endswith("and --create makes one\n")
    assert json.loads(run("rename", "Journeys", "Trips", "--json").stdout)["name"] == "Trips"
    assert json.loads(run("move", "W-001/R-01", "Trips", "--json").stdout)["wing"]["name"] == "Trips"
    monkeypatch.undo()


@pytest.mark.parametrize("captured", ["stdin", "stdout", "stderr", None])
def test_who_sees_or_hears_no_question_is_asked_none(captured: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    streams = {name: SimpleNamespace(isatty=partial(bool, name != captured)) for name in ("stdin", "stdout", "stderr")}
    monkeypatch.setattr("palace_cli.diagnostics.sys", SimpleNamespace(**streams))
    assert is_at_terminal() is (captured is None)


def test_without_a_terminal_moving_and_renaming_ask_nothing(run: Run, mined: Path) -> None:
    assert run("rename", "Travel", "Journeys").stderr == ""
    moved = run("move", "W-002/R-01", "Efoil")
    assert moved.stdout == "moved into W-001 Efoil\nW-002/R-01 is now W-001/R-02\n"
    assert run("move", "Efoil", "Journeys").stdout.startswith("merged 2 rooms into")


def test_a_closet_that_is_not_there_is_told_with_those_that_are(run: Run, mined: Path) -> None:
    wrong = {
        ("forget", "--closet", "Nope"): "--closet names a topic of a room: palace forget ROOM --closet 'Nope'",
        ("forget", "W-001/R-01", "--closet", "Nope", "--yes"): "there is no closet 'Nope' in the room",
    }
    assert refused(run, wrong) == []
    (closet,) = json.loads(run("ls", "W-001/R-01", "--json").stdout)["closets"]
    assert f": it has {closet['name']!r} (try" in run("forget", "W-001/R-01", "--closet", "Nope").stderr
