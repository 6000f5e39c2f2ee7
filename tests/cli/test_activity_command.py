"""What ``palace activity`` and ``palace move --suggest`` write."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run, refused


@pytest.fixture
def mined(run: Run, tmp_path: Path) -> Run:
    """A mine of a good file and a broken one, and a room that its wing's name does not suit."""
    talk = {"title": "Keel for the Garden house", "messages": [{"role": "user", "content": "Paint the keel."}]}
    (tmp_path / "good.json").write_text(json.dumps(talk))
    (tmp_path / "bad.json").write_text("{\x1b[31m")
    assert run("note", "The key hangs there.", "--wing", "Garden house").exit_code == 0
    assert run("mine", str(tmp_path / "good.json"), str(tmp_path / "bad.json"), "--wing", "Boats").exit_code != 0
    return run


def test_people_and_programs_read_what_was_done_and_what_failed_without_what_it_said(mined: Run) -> None:
    header, mine, failed, note = mined("activity").stdout.splitlines()
    assert header.split() == ["when", "what", "run", "how", "much", "outcome"]
    assert "1 drawer in W-002" in mine
    assert mine.rstrip().endswith("finished, 1 failed")
    assert "failed: " in failed
    assert "\x1b" not in failed
    assert "note: 1 drawer in W-001" in note
    assert mined("activity", "--limit", "1").stdout.count("drawer") == 1
    told = json.loads(mined("activity", "--json").stdout)
    assert [each["details"].get("drawers_new") for each in told] == [1, 1]
    assert json.loads(mined("activity", "--since", "2090-01-01", "--json").stdout) == []
    mined("move", "W-002/R-01", "W-001")
    mined("rename", "W-001/R-01", "Zeppelins")
    mined("rebuild")
    mined("forget", "W-001/R-01", "--yes")
    shown = mined("activity")
    forgotten, rebuilt, renamed, moved = shown.stdout.splitlines()[1:5]
    assert "room W-001/R-01: 1 drawer, 1 conversation, 1 room" in forgotten
    assert "2 drawers, 2 conversations" in rebuilt
    assert "room W-001/R-01" in renamed
    assert "1 room from W-002 to W-001" in moved
    assert "Zeppelins" not in shown.stdout
    (only,) = mined("activity", "--kind", "forgotten").stdout.splitlines()[1:]
    assert only.split() == forgotten.split()


def test_a_better_home_is_proposed_as_it_can_be_taken(mined: Run) -> None:
    header, proposed = mined("move", "--suggest").stdout.splitlines()
    assert header.split() == ["room", "to", "name", "wing", "because"]
    room, to = proposed.split()[:2]
    assert (room, to) == ("W-002/R-01", "W-001")
    assert proposed.rstrip().endswith("the title names it")
    assert mined("move", room, to).exit_code == 0
    again = mined("move", "--suggest")
    assert (again.stdout, again.exit_code) == ("", 0)
    assert json.loads(mined("move", "--suggest", "--json").stdout) == []


def test_nothing_that_happened_is_a_remark_and_what_makes_no_sense_is_one_line(run: Run) -> None:
    for options in ((), ("--kind", "restored")):
        asked = run("activity", *options)
        assert (asked.stdout, asked.exit_code, len(asked.stderr.splitlines())) == ("", 0, 1)
    wrong = {
        ("activity", "--kind", "eaten"): "mined, forgotten, taken_back, undone",
        ("move",): "",
        ("move", "W-001/R-01"): "",
        ("move", "W-001/R-01", "--suggest"): "",
    }
    assert refused(run, wrong) == []
