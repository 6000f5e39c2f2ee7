"""What ``palace recent`` writes: for people, for a program, for a model."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Run, mine, refused

NOW = ("--now", "2026-09-01T20:00")
LEAKS = "The \x1b[31mboiler leaks\u202e."
SEALS = "I sanded the mast. I still need to order the shaft seal."


@pytest.fixture(scope="module")
def mined(run_apart: Callable[[], Run], tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Two conversations of the week, in two wings; they are only read."""
    run, folder = run_apart(), tmp_path_factory.mktemp("recent")
    for name, day, said in (
        ("Efoil", "2026-09-01", (SEALS, "Which propeller pitch suits five kilowatts?")),
        ("Home", "2026-08-30", ("My dentist appointment is on the 12th of September.", LEAKS)),
    ):
        turns = [{"role": "user", "content": text, "created_at": f"{day}T10:00:00Z"} for text in said]
        mine(run, folder / f"{name}.json", turns, "--wing", name)
    return run


def test_a_person_reads_what_is_coming_what_is_open_and_what_was_told_by_wing(mined: Run) -> None:
    assert mined("recent", *NOW).stdout.splitlines() == [
        "What was said from 2026-08-25 to 2026-09-01.",
        "",
        "Coming up",
        "  in 11 days  2026-09-12: My dentist appointment is on the 12th of September.  § W-002/R-01/D-001",
        "",
        "What stands open",
        "  today       not answered: Which propeller pitch suits five kilowatts?  § W-001/R-01/D-002",
        "  today       I still need to order the shaft seal.                      § W-001/R-01/D-001",
        "",
        "Efoil  W-001",
        "  today       I sanded the mast.  § W-001/R-01/D-001",
        "",
        "Home  W-002",
        "  2 days ago  The ␛[31mboiler leaks<U+202E>.  § W-002/R-01/D-002",
    ]


def test_a_program_reads_the_record(mined: Run) -> None:
    found = json.loads(mined("recent", *NOW, "--json", "--limit", "1", "--wing", "home").stdout)
    assert [item["drawer"]["pointer"] for item in found["coming"]] == ["§ W-002/R-01/D-001"]
    assert found["coming"][0]["due"] == {"start": "2026-09-12T00:00:00+00:00", "end": "2026-09-13T00:00:00+00:00"}
    assert (found["open"], found["told"][0]["why"], found["is_earlier"]) == ([], "said", False)
    assert found["told"][0]["sentence"] == {"start": 0, "end": 23}


def test_a_model_reads_a_block_within_a_budget(mined: Run) -> None:
    block = mined("recent", *NOW, "--block").stdout
    assert block.splitlines()[0] == "<memory_context>"
    assert "§ W-001/R-01/D-002 | 2026-09-01, open | user | Which propeller pitch suits five kilowatts?" in block
    assert len(mined("recent", *NOW, "--block", "--budget", "40").stdout) <= 161
    nothing = mined("recent", *NOW, "--block", "--budget", "1")
    assert (nothing.stdout, nothing.stderr.strip()) == ("", "nothing to tell, and nothing open")


def test_how_many_more_are_coming_is_said(run: Run, tmp_path: Path) -> None:
    turns = [{"role": "user", "content": f"Exam {day} is on {day} September.", "created_at": NOW[1]} for day in (4, 5)]
    mine(run, tmp_path / "exams.json", turns)
    assert "Coming up (1 more)" in run("recent", *NOW, "--limit", "1").stdout.splitlines()


def test_days_without_a_word_give_the_latest_and_one_line_says_so(mined: Run) -> None:
    lines = mined("recent", "--now", "2026-12-01", "--days", "3").stdout.splitlines()
    assert lines[0] == (
        "Nothing was said in the days asked for; these are the latest days in which something was: from 2026-08-29 to"
        " 2026-09-01, 2 months ago."
    )
    assert [line for line in lines if "dentist" in line or "sanded" in line] == [
        "  2 months ago  I sanded the mast.  § W-001/R-01/D-001",
        "  3 months ago  My dentist appointment is on the 12th of September.  § W-002/R-01/D-001",
    ]


def test_an_empty_palace_says_so_in_one_line(run: Run) -> None:
    found = run("recent", *NOW)
    assert (found.exit_code, found.stdout) == (0, "Nothing that tells was said from 2026-08-25 to 2026-09-01.\n")


def test_what_makes_no_sense_is_refused_in_one_line(mined: Run) -> None:
    wrong = {
        ("--since", "2026-10-01"): "since must be earlier than now",
        ("--since", "whenever"): "--since 'whenever' is not a date",
        ("--wing", "Nowhere"): "there is no wing 'Nowhere'",
        ("--json", "--block"): "--json and --block exclude each other",
        ("--days", "0"): "--days",
        ("--days", "1000000000"): "--days",
        ("--budget", "0"): "--budget",
    }
    assert refused(mined, {("recent", *NOW, *options): told for options, told in wrong.items()}) == []
