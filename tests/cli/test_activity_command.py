"""What ``palace activity`` and ``palace move --suggest`` write."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


@pytest.fixture
def mined(run: Run, tmp_path: Path) -> Run:
    """A mine of a good file and a broken one, and a room that its wing's name does not suit."""
    (tmp_path / "good.json").write_text(
        json.dumps({"title": "Keel for the Garden house", "messages": [{"role": "user", "content": "Paint the keel."}]})
    )
    (tmp_path / "bad.json").write_text("{\x1b[31m")
    assert run("note", "The key hangs there.", "--wing", "Garden house").exit_code == 0
    mined = run("mine", str(tmp_path / "good.json"), str(tmp_path / "bad.json"), "--wing", "Boats")
    assert mined.exit_code != 0
    return run


def test_a_person_reads_what_landed_where_and_what_failed(mined: Run) -> None:
    header, mine, failed, note = mined("activity").stdout.splitlines()
    assert header.split() == ["when", "what", "run", "how", "much", "outcome"]
    assert "1 drawer in W-002" in mine
    assert mine.rstrip().endswith("finished, 1 failed")
    assert "failed: " in failed
    assert "\x1b" not in failed
    assert "note: 1 drawer in W-001" in note
    assert mined("activity", "--limit", "1").stdout.count("drawer") == 1


def test_a_program_reads_the_same(mined: Run) -> None:
    mine, note = json.loads(mined("activity", "--json").stdout)
    assert (mine["kind"], mine["details"]["drawers_new"], len(mine["details"]["failures"])) == ("memory_mined", 1, 1)
    assert note["details"]["source"] == "note"
    assert json.loads(mined("activity", "--since", "2090-01-01", "--json").stdout) == []


def test_what_else_was_done_is_told_without_what_it_said(mined: Run) -> None:
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


def test_a_kind_that_there_is_not_is_one_line(mined: Run) -> None:
    refused = mined("activity", "--kind", "eaten")
    assert refused.exit_code == 2
    assert len(refused.stderr.strip().splitlines()) == 1
    assert "mined, forgotten, taken_back, undone" in refused.stderr
    none = mined("activity", "--kind", "restored")
    assert (none.stdout, "no such event" in none.stderr) == ("", True)


def test_where_nothing_happened_it_says_so(run: Run) -> None:
    asked = run("activity")
    assert (asked.stdout, asked.exit_code) == ("", 0)
    assert "nothing happened yet" in asked.stderr


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


@pytest.mark.parametrize("words", [(), ("W-001/R-01",), ("W-001/R-01", "--suggest")])
def test_what_makes_no_sense_is_one_line(mined: Run, words: tuple[str, ...]) -> None:
    refused = mined("move", *words)
    assert refused.exit_code == 2
    assert len(refused.stderr.strip().splitlines()) == 1
