"""``palace timeline``, ``relations`` and ``graph``: what they write, and how they refuse."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest

Run = Callable[..., Any]

SAID = (
    ("2026-03-01", "The efoil's battery is 12V20Ah."),
    ("2026-07-03", "The efoil's battery is 24V20Ah now."),
    ("2026-07-04", "I bought the efoil in May 2025."),
    ("2026-07-05", "We live in Aarhus. We move to Porto in June 2060."),
)


@pytest.fixture
def told(run: Run) -> Run:
    """Four notes: a battery that was changed, a purchase, a move that is to come."""
    for day, text in SAID:
        assert run("note", text, "--said-at", day).exit_code == 0
    return run


def test_a_timeline_is_read_from_top_to_bottom_and_marks_what_holds_and_what_is_to_come(told: Run) -> None:
    assert told("timeline", "EFOIL").stdout.splitlines() == [
        "efoil (item)",
        "",
        "     when                                    who    what         whom or what  evidence",
        "now  since May 2025                          I      own          efoil         § W-001/R-03/D-001",
        "     known from 1 March 2026 to 3 July 2026  efoil  has battery  12V20Ah       § W-001/R-01/D-001",
        "now  known since 3 July 2026                 efoil  has battery  24V20Ah       § W-001/R-02/D-001",
    ]
    mine = told("timeline", "me").stdout.splitlines()
    assert mine[-1].split("  ")[0] == "to come"
    assert "from June 2060" in mine[-1]
    short = told("timeline", "me", "--limit", "1")
    assert (len(short.stdout.splitlines()), short.stderr) == (
        4,
        "the latest 1: --limit shows more, --about narrows it\n",
    )
    asked = told("timeline", "me", "--about", "where do I live").stdout.splitlines()[3:]
    assert [line.split()[-3] for line in asked] == ["Aarhus", "Porto"]
    assert told("timeline", "me", "--about", "which wifi").stderr == "nothing of that is known of it\n"


def test_a_day_is_asked_for_with_its_end_and_beliefs_likewise(told: Run) -> None:
    def values(*options: str) -> list[str]:
        return [each["object"] for each in json.loads(told("relations", "efoil", "--json", *options).stdout)]

    assert values("--as-of", "2026-07-02", "--about", "battery") == ["12V20Ah"]
    assert values("--as-of", "2026-07-03", "--about", "battery") == ["24V20Ah"]
    assert values("--believed", "2026-07-02") == ["12V20Ah"]
    assert values("--as-of", "2026-06-01", "--believed", "2026-07-04") == ["12V20Ah", "efoil"]


def test_relations_are_one_value_for_people_and_programs(told: Run) -> None:
    (found,) = json.loads(told("relations", "--about", "which battery", "--json").stdout)
    assert (found["subject"], found["predicate"], found["object"]) == ("efoil", "has_battery", "24V20Ah")
    assert (found["valid_from"], found["from_precision"]) == ("2026-07-03T00:00:00+00:00", "moment")
    assert found["evidence"] == ["§ W-001/R-02/D-001"]
    assert told("relations", "efoil", "--about", "wifi").stderr == "nothing of that is known\n"
    never = told("relations", "efoil", "--as-of", "1990-01-01", "--about", "wifi").stderr
    assert never == "nothing of that is known for then\n"
    refused = told("relations", "--about", " ")
    assert (refused.exit_code, refused.stderr) == (2, "palace: about must be a question, not ' '\n")


def test_a_graph_is_written_in_each_format(told: Run) -> None:
    tree = told("graph", "me", "--hops", "2").stdout
    assert tree.splitlines()[0] == "I"
    assert "   └─ has battery → 24V20Ah  (known since 3 July 2026)" in tree
    assert told("graph", "me", "--format", "table").stdout.splitlines()[0].split() == [
        "who",
        "what",
        "whom",
        "or",
        "what",
        "when",
        "evidence",
    ]
    drawn = ElementTree.fromstring(told("graph", "me", "--hops", "2", "--format", "svg").stdout)
    assert drawn.tag == "{http://www.w3.org/2000/svg}svg"
    assert told("graph", "efoil", "--format", "dot").stdout.startswith("digraph {\n")
    same = [json.loads(told("graph", "efoil", *how).stdout) for how in (("--json",), ("--format", "json"))]
    assert [member["name"] for member in same[0]["members"]] == ["efoil", "24V20Ah", "I"]
    assert same[0]["members"] == same[1]["members"]


def test_what_is_left_out_is_said(told: Run) -> None:
    short = told("graph", "efoil", "--limit", "2")
    assert short.stderr == "at least 1 more left out: --limit shows them\n"


def test_a_drawer_tells_what_it_says_above_its_words(told: Run) -> None:
    assert told("show", "W-001/R-01/D-001").stdout.splitlines()[3:] == [
        "@i efoil",
        "says: efoil has battery 12V20Ah, known from 1 March 2026 to 3 July 2026, then § W-001/R-02/D-001",
        "",
        SAID[0][1],
    ]
    ending = told("show", "W-001/R-02/D-001").stdout.splitlines()
    assert ending[5].startswith("ends: efoil has battery 12V20Ah, known from")
    assert ending[5].endswith("(§ W-001/R-01/D-001)")


@pytest.mark.parametrize(
    ("command", "line"),
    [
        (
            ("graph", "efoil", "--hops", "50"),
            "hops must be from 0 to 5, not 50: what is further away is about anything",
        ),
        (("timeline", "efiol"), "nobody and nothing is called 'efiol'; did you mean 'efoil'?"),
        (("timeline", "  "), "entity must be a name, with a letter or a digit in it"),
        (("relations", "--as-of", "someday"), "--as-of 'someday' is not a date; write"),
    ],
)
def test_what_cannot_be_answered_is_one_clear_line(told: Run, command: tuple[str, ...], line: str) -> None:
    refused = told(*command)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert refused.stderr.startswith(f"palace: {line}")
    assert refused.stderr.count("\n") == 1


def test_two_formats_at_once_are_refused(told: Run) -> None:
    refused = told("graph", "efoil", "--json", "--format", "dot")
    assert json.loads(refused.stderr)["message"] == "--json and --format dot exclude each other: give one of them"
