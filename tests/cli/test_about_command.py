"""``palace about``: a page for a person, a program and a model."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from palace_cli.opening import open_palace
from tests.cli.conftest import Run, refused

SAID = (
    ("2025-03-01", "I live in Aarhus. My sister Ruth works at Bosch."),
    ("2025-07-03", "I live in Porto now. Never suggest olives."),
)


@pytest.fixture(scope="module")
def told(run_apart: Callable[[], Run]) -> Run:
    """Two notes, which are only read."""
    run = run_apart()
    for day, text in SAID:
        assert run("note", text, "--said-at", f"{day}T00:00Z").exit_code == 0
    return run


def test_a_page_has_a_heading_a_kind_and_says_what_is_not_known(told: Run) -> None:
    assert told("about").stdout.splitlines() == [
        "You",
        "",
        "Family and people",
        "  Ruth is your sister.  2025-03-01  § W-001/R-01/D-001",
        "  Ruth works at Bosch.  2025-03-01  § W-001/R-01/D-001",
        "",
        "Home",
        "  You live in Porto.  2025-07-03  § W-001/R-02/D-001",
        "",
        "Standing instructions",
        "  Never suggest olives.  2025-07-03  § W-001/R-02/D-001",
        "",
        "Nothing is known of your work, likes and dislikes or health.",
    ]
    assert "You lived in Aarhus, known from 1 March 2025 to 3 July 2025." in told("about", "--past").stdout
    assert "1 more: --limit shows them" in told("about", "--limit", "1").stdout
    ruth = told("about", "ruth").stdout.splitlines()
    assert (ruth[0], ruth[3]) == (
        "Ruth (person), also called my sister",
        "  Ruth is your sister.  2025-03-01  § W-001/R-01/D-001",
    )


def test_one_value_for_people_programs_and_models(told: Run) -> None:
    found = json.loads(told("about", "--json").stdout)
    assert [kind["name"] for kind in found["kinds"]] == ["people", "home", "rules"]
    assert found["kinds"][1]["lines"][0]["for_model"] == "The user lives in Porto."
    assert found["unknown"] == ["work", "likes and dislikes", "health"]
    block = told("about", "--block").stdout
    assert "§ W-001/R-02/D-001 | 2025-07-03 | user | The user lives in Porto." in block


def test_what_cannot_be_is_refused_in_a_line(told: Run, run_apart: Callable[[], Run]) -> None:
    wrong = {
        ("about", "Rut"): "did you mean",
        ("about", "--json", "--block"): "exclude each other",
        ("about", "--limit", "0"): "--limit",
    }
    assert refused(told, wrong) == []
    nobody = run_apart()("about")
    assert (nobody.exit_code, nobody.stderr.splitlines()[-1]) == (
        0,
        "nothing is known: `palace mine FILE` or `palace note TEXT` adds something; --me says who you are in chats",
    )


def test_an_empty_page_says_that_a_note_is_not_read_yet(run: Run) -> None:
    with open_palace(None) as palace:
        palace.note("I live in Aarhus.", background=True)
    assert run("about").stderr.splitlines()[-1].startswith("not all that was filed is read yet: try again soon")
