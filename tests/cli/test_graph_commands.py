"""``palace timeline``, ``relations`` and ``graph``: what they write, and how they refuse."""

from __future__ import annotations

import json
from collections.abc import Callable
from xml.etree import ElementTree

import pytest

from tests.cli.conftest import Run, refused

SAID = (
    ("2026-03-01", "The efoil's battery is 12V20Ah."),
    ("2026-07-03", "The efoil's battery is 24V20Ah now."),
    ("2026-07-04", "I bought the efoil in May 2025."),
    ("2026-07-05", "We live in Aarhus. We move to Porto in June 2060."),
)


@pytest.fixture(scope="module")
def told(run_apart: Callable[[], Run]) -> Run:
    """Four notes: a battery that was changed, a purchase, a move that is to come; they are only read."""
    run = run_apart()
    for day, text in SAID:
        assert run("note", text, "--said-at", f"{day}T00:00Z").exit_code == 0
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
    assert (len(short.stdout.splitlines()), "--limit shows more" in short.stderr) == (4, True)
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


def test_a_graph_is_written_in_each_format_and_says_what_it_leaves_out(told: Run) -> None:
    tree = told("graph", "me", "--hops", "2").stdout
    assert tree.splitlines()[0] == "I"
    assert "   └─ has battery → 24V20Ah  (known since 3 July 2026)" in tree
    header = told("graph", "me", "--format", "table").stdout.splitlines()[0]
    assert header.split() == ["who", "what", "whom", "or", "what", "when", "evidence"]
    drawn = ElementTree.fromstring(told("graph", "me", "--hops", "2", "--format", "svg").stdout)
    assert drawn.tag == "{http://www.w3.org/2000/svg}svg"
    assert told("graph", "efoil", "--format", "dot").stdout.startswith("digraph {\n")
    same = [json.loads(told("graph", "efoil", *how).stdout) for how in (("--json",), ("--format", "json"))]
    assert [member["name"] for member in same[0]["members"]] == ["efoil", "24V20Ah", "I"]
    assert same[0]["members"] == same[1]["members"]
    assert "at least 1 more left out" in told("graph", "efoil", "--limit", "2").stderr


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


def test_what_cannot_be_answered_is_one_clear_line(told: Run) -> None:
    wrong = {
        ("graph", "efoil", "--hops", "50"): "hops must be from 0 to 5, not 50",
        ("graph", "efoil", "--json", "--format", "dot"): "--json and --format dot exclude each other",
        ("graph", "me", "--format", "png"): "'png' is not one of 'tree', 'table', 'svg', 'dot', 'json'.",
        ("timeline", "efiol"): "nobody and nothing is called 'efiol'; did you mean 'efoil'?",
        ("timeline", "  "): "entity must be a name, with a letter or a digit in it",
        ("timeline", "me", "--limit", "0"): "it must be greater than or equal to 1",
        ("relations", "--as-of", "someday"): "--as-of 'someday' is not a date; write",
        ("relations", "--about", " "): "about must be a question, not ' '",
    }
    assert refused(told, wrong) == []
