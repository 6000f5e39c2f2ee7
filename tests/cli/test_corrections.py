"""Putting right what is known: kept through rebuilds and exports, taken back, and one person's own."""

from __future__ import annotations

import json
import uuid
from pathlib import Path

from tests.cli.conftest import Run, refused

SAID = (("2026-03-01", "I live in Kessel now."), ("2026-03-02", "I work at AXA."), ("2026-03-03", "We live in Aarhus."))


def test_what_a_person_puts_right_stays_until_they_take_it_back(run: Run, tmp_path: Path) -> None:
    def known(*options: str) -> dict[str, str]:
        found = json.loads(run("relations", "me", "--json", *options).stdout)
        return {each["object"]: f"{each['valid_from']} {each['valid_to']}"[:7] for each in found}

    for day, text in SAID:
        run("note", text, "--said-at", day)
    assert known() == {"Aarhus": "2026-03", "AXA": "2026-03"}
    pointer = run("relations", "reject", "me", "live in", "aarhus").stdout.strip()
    assert run("relations", "add", "I", "works_at", "Monzo", "--from", "2026-05").exit_code == 0
    assert run("relations", "add", "Finn", "has dentist", "Dr Sato").exit_code == 0
    assert run("relations", "end", "me", "live in", "Kessel", "--until", "2026-04").exit_code == 0
    right = {"Monzo": "2026-05"}
    assert (known(), set(known("--as-of", "2026-03-20"))) == (right, {"Kessel", "AXA"})
    assert run("rebuild").exit_code == 0
    assert run("note", "We live in Aarhus.", "--wing", "Diary", "--said-at", "2026-03-03").exit_code == 0
    run("export", str(tmp_path / "all.jsonl"))
    other = f"user-{uuid.uuid4()}"
    assert run("import", str(tmp_path / "all.jsonl"), "--user", other, "--new-user").exit_code == 0
    assert known() == known("--user", other) == right
    assert json.loads(run("relations", "Finn", "--json").stdout)[0]["object"] == "Dr Sato"
    found = json.loads(run("recall", "Do I live in Aarhus?", "--json").stdout)["hits"]
    until = {each["drawer"]["content"]: each["drawer"]["until"] for each in found}
    assert (pointer in str(found), until["We live in Aarhus."]) == (False, None)
    run("forget", pointer, "--yes", "--user", other)
    assert (known("--user", other), known()) == ({"Aarhus": "2026-03"} | right, right)
    run("forget", "--everything", "--yes", "--user", other)
    run("note", "I work at AXA.", "--said-at", "2026-03-02", "--user", other, "--new-user")
    assert known("--user", other) == {"AXA": "2026-03"}
    assert run("note", "It is not so: I | work at | Monzo (organisation)").exit_code == 0
    assert json.loads(run("activity", "--limit", "9", "--json").stdout)[-1]["details"]["source"] == "note"
    assert run("undo", str(json.loads(run("runs", "--json").stdout)[5]["id"]), "--yes").exit_code == 0
    assert known() == {"Aarhus": "2026-03"} | right
    assert run("relations", "reject", "I", "lives_in", "Aarhus").exit_code == 0
    assert run("note", "We live in Aarhus again.", "--said-at", "2060-01-01").exit_code == 0
    assert (known(), set(known("--as-of", "2060-01-02"))) == (right, {"Aarhus", "Monzo"})


def test_what_cannot_be_put_right_is_refused_with_one_line(run: Run) -> None:
    run("note", "I live in Kessel now.", "--said-at", "2026-03-01")
    known = run("relations", "--json").stdout
    calls = {
        ("me", "live in"): "name whom to show, or add, end or reject",
        ("reject", "me", "live in", "Oslo"): "nothing says that I live in Oslo",
        ("reject", "Nobody", "live in", "Kessel"): "nothing says that Nobody lives in Kessel",
        ("reject", "me", "live in", "Kessel", "--until", "2026"): "--from is for add",
        ("add",): "name whom to show, or add, end or reject",
        ("--from", "2026"): "name whom to show, or add, end or reject",
        ("end", "me", "live in", "Kessel", "--as-of", "2026-01-01"): "--as-of, --believed and --about are for showing",
        ("add", "me", "live in", "Oslo", "--from", "May"): "dates like 2026",
        ("add", "me", "live | in", "Oslo"): "predicates are words",
        ("add", "me", "live in", "Os | lo"): "without '|'",
        ("end", "me", "live in", "Kessel", "--until", "2025-02-30"): "dates like 2026",
    }
    assert refused(run, {("relations", *call): told for call, told in calls.items()}) == []
    assert run("relations", "--json").stdout == known
