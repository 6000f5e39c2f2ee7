"""What is exported and imported is exported again as the same bytes, and is as good as the first."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from palace import Palace
from tests.transfer.conftest import OPEN, export_of, lines_of, rows_of, write_talk

FIFTH = {"redacted", "said"}
"""Members that version 5 of the format brought."""


def test_an_export_of_an_import_is_the_same_bytes(full: Palace, exported: Path, open_palace: OPEN) -> None:
    other = open_palace()
    summary = other.transfer.load(exported)
    assert (summary.drawers_new, summary.drawers_unchanged, summary.drawers_forgotten) == (8, 0, 0)
    assert export_of(other) == exported.read_bytes() == export_of(full)


@pytest.mark.nightly
def test_every_kind_of_line_is_in_it(exported: Path) -> None:
    header, *lines, end = lines_of(exported.read_bytes())
    kinds = [line["line"] for line in lines]
    assert {kind: kinds.count(kind) for kind in kinds} == {
        "run": 6,
        "activity": 6,
        "wing": 2,
        "decision": 2,
        "conversation": 4,
        "room": 4,
        "drawer": 8,
        "tombstone": 8,
        "reply": 1,
    }
    assert (header["format"], header["version"], header["wing_seq"]) == ("palace-export", 5, 41)
    (replied,) = (line for line in lines if line["line"] == "reply")
    assert [drawers["content"] for drawers in lines if drawers.get("identity") in replied["drawers"]] == [
        "Which battery?",
        "A 24 V one, rather.",
    ]
    assert end["lines"] == len(lines) + 1
    assert any(line["is_revision"] for line in lines if line["line"] == "drawer")
    assert any(line["former"] == [[7, 12], [41, 7]] for line in lines if line["line"] == "room")
    assert any(line["basis"] for line in lines if line["line"] == "run")
    assert any(line["edges"] == [-7, 12] for line in lines if line["line"] == "conversation")
    drawers = {line["identity"]: line for line in lines if line["line"] == "drawer"}
    (old,) = (line for line in drawers.values() if line["replaced_at"])
    assert (old["content"], old["replaced_run"]) == ("A 12 V one.", 4)
    assert drawers[old["replaced_by"]]["content"] == "A 24 V one, rather."
    (reply,) = (line for line in drawers.values() if line["answers"])
    assert drawers[reply["answers"]]["content"] == "Where in September?"
    assert {line["said_offset"] for line in drawers.values()} >= {None, -150}


OF_FIRST = {"edges", "said_offset", "reading", "replaced_at", "replaced_by", "replaced_run", "answers"}
"""Members that version 1 did not have."""
LATER = {1: {"activity", "decision", "setting", "reply"}, 3: {"reply", "setting"}, 4: {"setting"}}
LATER[2] = LATER[1]
"""The kinds of lines that each version did not have."""


def test_a_file_of_an_earlier_version_is_taken_with_what_it_had(exported: Path, open_palace: OPEN) -> None:
    header, *lines, _ = lines_of(exported.read_bytes())
    for version, kinds in sorted(LATER.items()):
        added = FIFTH | (OF_FIRST if version == 1 else set())
        kept = [{name: line[name] for name in line if name not in added} for line in lines if line["line"] not in kinds]
        body = "".join(json.dumps(line) + "\n" for line in [header | {"version": version}, *kept]).encode()
        end = {"end": "palace-export", "lines": len(kept) + 1, "sha256": hashlib.sha256(body).hexdigest()}
        exported.write_bytes(body + json.dumps(end).encode() + b"\n")
        other = open_palace()
        assert other.transfer.load(exported).drawers_new == 8, version
        assert len(rows_of(other)["extraction_reply"]) == (version == 4)
        if version <= 2:
            assert [event.kind for event in other.activity()] == ["memory_imported"]
        if version == 1:
            again = lines_of(export_of(other))[1:-1]
            assert {line["reading"] for line in again if line["line"] == "drawer"} == {1}
            assert other.show("§ W-001/R-01/D-002").drawer.replaced_at is None


def test_decisions_come_back_once_as_they_were(full: Palace, exported: Path, open_palace: OPEN) -> None:
    other = open_palace()
    other.transfer.load(exported)
    told = [(each.verb, each.name, each.other, each.undone_at, each.is_partial) for each in full.entities.decisions()]
    assert [each[:3] for each in told] == [("merge", "D-Man", "Derek"), ("split", "Anna", "Anna (2)")]
    for _ in range(2):
        found = other.entities.decisions()
        assert [(each.verb, each.name, each.other, each.undone_at, each.is_partial) for each in found] == told
        assert [len(each.conversations) for each in found] == [0, 1]
        other.transfer.load(exported)


@pytest.mark.nightly
def test_events_come_back_once_and_an_import_adds_its_own(full: Palace, exported: Path, open_palace: OPEN) -> None:
    other = open_palace()
    other.transfer.load(exported)
    told = [(event.kind, event.happened_at, event.details) for event in full.activity()]
    for _ in range(2):
        last, *events = other.activity()
        assert last.kind == "memory_imported"
        assert [(event.kind, event.happened_at, event.details) for event in events] == told
        other.transfer.load(exported)
    assert len(told) == 6


def test_pointers_and_what_is_drawn_from_the_drawers_are_the_same(
    full: Palace, exported: Path, open_palace: OPEN
) -> None:
    other = open_palace()
    other.transfer.load(exported)
    for palace in (full, other):
        assert palace.show("§ W-002/R-01/D-001").drawer.content == "Where in September?"
    assert [wing.name for wing in other.tree.wings()] == [wing.name for wing in full.tree.wings()]
    assert other.status().drawers == full.status().drawers == 8
    assert other.status().passages == full.status().passages
    assert other.status().embeddings[0].pending == 0
    hit = other.recall("where in September?").hits[0]
    found = hit.question or hit.drawer
    assert (found.content, found.closet_name is None) == ("Where in September?", False)


@pytest.mark.nightly
def test_numbers_that_were_given_out_are_not_given_out_again(
    full: Palace, exported: Path, open_palace: OPEN, tmp_path: Path
) -> None:
    other = open_palace()
    other.transfer.load(exported)
    grown = write_talk(tmp_path / "trip.json", "Where in September?", "Torbole.", "By train?")
    for palace in (full, other):
        palace.mine(grown)
        palace.mine(write_talk(tmp_path / "oven.json", "Which oven?"), wing="Kitchen")
        palace.mine(write_talk(tmp_path / "ferry.json", "Which ferry?"), wing="Trips")
        assert palace.show("§ W-002/R-01/D-012").drawer.content == "By train?"
        assert palace.show("§ W-042/R-01/D-001").drawer.content == "Which oven?"
        assert palace.show("§ W-002/R-07/D-001").drawer.content == "Which ferry?"


@pytest.mark.nightly
def test_mining_the_sources_again_after_an_import_changes_nothing(
    exported: Path, open_palace: OPEN, tmp_path: Path
) -> None:
    other = open_palace()
    other.transfer.load(exported)
    before = export_of(other)
    assert other.mine(tmp_path / "trip.json", wing="Trips").drawers_new == 0
    assert lines_of(export_of(other))[-2] == lines_of(before)[-2]


def test_an_empty_palace_is_exported_and_imported(open_palace: OPEN, tmp_path: Path) -> None:
    first, second = open_palace(), open_palace()
    summary = first.transfer.export(tmp_path / "empty.jsonl")
    assert (summary.drawers, summary.wings, summary.runs) == (0, 0, 0)
    assert second.transfer.load(tmp_path / "empty.jsonl").drawers_new == 0
    assert export_of(second) == (tmp_path / "empty.jsonl").read_bytes()


def test_importing_twice_changes_nothing_the_second_time(exported: Path, open_palace: OPEN) -> None:
    other = open_palace()
    other.transfer.load(exported)
    before = rows_of(other)
    again = other.transfer.load(exported)
    assert (again.drawers_new, again.drawers_unchanged, again.passages_pending) == (0, 8, 0)
    assert rows_of(other) == before


def test_no_internal_id_no_name_and_no_index_is_in_it(full: Palace, exported: Path) -> None:
    text = exported.read_text()
    assert full.user not in text
    assert json.dumps(full._opened.database.user_id) not in [
        line.get("user_id") for line in lines_of(exported.read_bytes())
    ]
    for word in ("_id", "tsv", "closet", "embedding", "passage", "cost"):
        assert f'{word}":' not in text


def test_another_users_rows_do_not_show(full: Palace, open_palace: OPEN) -> None:
    other = open_palace()
    other.note("Mine alone.", wing="Boats")
    held = lines_of(export_of(other))
    assert [line["content"] for line in held if line.get("line") == "drawer"] == ["Mine alone."]
    assert b"Mine alone." not in export_of(full)
