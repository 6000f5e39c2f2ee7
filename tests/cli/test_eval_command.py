"""``palace eval``: capturing is switched, and what was captured is asked again and deleted."""

from __future__ import annotations

import json

from tests.cli.conftest import Run


def test_questions_are_captured_asked_again_and_deleted(run: Run) -> None:
    run("note", "The new battery overheated in July.")
    assert "no: palace eval capture on" in run("eval").stdout
    assert "palace eval capture on" in run("eval", "replay").stderr
    assert "yes" in run("eval", "capture", "on").stdout
    found = json.loads(run("recall", "Which battery overheated?", "--json").stdout)
    (pointer,) = (hit["drawer"]["pointer"] for hit in found["hits"])
    assert "1 question," in run("eval").stdout
    shown = run("eval", "replay").stdout
    assert "same hits" in shown
    assert "1 of 1" in shown
    assert "no longer found" not in shown
    (query,) = json.loads(run("eval", "replay", "--json").stdout)["queries"]
    assert (query["query"], query["before"], query["now"]) == ("Which battery overheated?", [pointer], [pointer])
    assert "deleted 1 question" in run("eval", "clear").stdout
    run("eval", "capture", "off")
    run("recall", "Which battery overheated?")
    assert json.loads(run("eval", "--json").stdout) == {"capturing": False, "queries": 0, "latest": None}


def test_what_is_no_longer_found_is_shown(run: Run) -> None:
    for text in ("The boat has a battery.", "The battery overheated."):
        run("note", text)
    run("eval", "capture", "on")
    run("recall", "battery")
    run("settings", "set", "top_k", "1")
    shown = run("eval", "replay").stdout
    assert "0 of 1" in shown
    assert "no longer found" in shown
    assert "50.0%" in shown
