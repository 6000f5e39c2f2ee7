"""What an export takes and where it puts it; imported, it is exported again as the same bytes."""

from __future__ import annotations

import io
import json
import threading
from pathlib import Path

import pytest

from palace import BadRequest, NotFound, Palace, Progress
from tests.transfer.conftest import OPEN, export_of, lines_of, rows_of, sealed, write_talk


def test_an_export_of_an_import_is_the_same_bytes_and_the_palaces_are_alike(
    full: Palace, exported: Path, open_palace: OPEN
) -> None:
    other = open_palace()
    summary = other.transfer.load(exported)
    assert (summary.drawers_new, summary.drawers_unchanged, summary.drawers_forgotten) == (8, 0, 0)
    assert export_of(other) == exported.read_bytes() == export_of(full)
    for palace in (full, other):
        assert palace.show("§ W-002/R-01/D-001").drawer.content == "Where in September?"
    assert [wing.name for wing in other.tree.wings()] == [wing.name for wing in full.tree.wings()]
    assert other.status().drawers == full.status().drawers == 8
    assert other.status().passages == full.status().passages
    assert other.status().embeddings[0].pending == 0
    hit = other.recall("where in September?").hits[0]
    found = hit.question or hit.drawer
    assert (found.content, found.closet_name is None) == ("Where in September?", False)
    before = rows_of(other)
    again = other.transfer.load(exported)
    assert (again.drawers_new, again.drawers_unchanged, again.passages_pending) == (0, 8, 0)
    assert rows_of(other) == before
    text = exported.read_text()
    assert full.user not in text
    assert "user_id" not in text
    for word in ("_id", "tsv", "closet", "embedding", "passage", "cost"):
        assert f'{word}":' not in text, "no internal id and nothing of the index is in it"


@pytest.mark.nightly
def test_a_file_of_an_earlier_version_is_taken_with_what_it_had(exported: Path, open_palace: OPEN) -> None:
    header, *lines, end = lines_of(exported.read_bytes())
    kept = [{name: value for name, value in line.items() if name != "memory"} for line in lines]
    written = "".join(json.dumps(line) + "\n" for line in [header | {"version": 5}, *kept, end])
    exported.write_bytes(sealed(written.encode()))
    other = open_palace()
    assert other.transfer.load(exported).drawers_new == 8
    assert len(rows_of(other)["extraction_reply"]) == 1


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


def test_a_wing_is_exported_with_what_stands_in_it_and_comes_back_as_the_same_bytes(
    full: Palace, open_palace: OPEN, tmp_path: Path
) -> None:
    full.transfer.export(tmp_path / "trips.jsonl", wing="Trips")
    written = (tmp_path / "trips.jsonl").read_bytes()
    lines = lines_of(written)
    assert [line["name"] for line in lines if line.get("line") == "wing"] == ["Trips"]
    assert [line["content"] for line in lines if line.get("line") == "drawer"] == ["Where in September?", "Torbole."]
    assert [line["source"].rpartition("/")[2] for line in lines if line.get("line") == "run"] == ["trip.json"]
    assert len([line for line in lines if line.get("line") == "tombstone"]) == 2
    assert b"battery" not in written
    assert b'"line":"activity"' not in written
    other = open_palace()
    assert other.transfer.load(tmp_path / "trips.jsonl").drawers_new == 2
    assert export_of(other) == export_of(other, wing="W-002") == written
    with pytest.raises(NotFound, match="there is no wing 'Boots'"):
        full.transfer.export(tmp_path / "boots.jsonl", wing="Boots")
    assert not (tmp_path / "boots.jsonl").exists()


def test_a_file_that_is_there_is_replaced_whole_and_only_by_force(full: Palace, tmp_path: Path) -> None:
    target = tmp_path / "mine.jsonl"
    target.write_text("mine")
    files = sorted(tmp_path.iterdir())

    def interrupt(now: Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(BadRequest, match="replace it with --force"):
        full.transfer.export(target)
    with pytest.raises(KeyboardInterrupt):
        full.transfer.export(target, force=True, progress=interrupt)
    assert (target.read_text(), sorted(tmp_path.iterdir())) == ("mine", files)
    summary = full.transfer.export(target, force=True)
    assert summary.size_bytes == target.stat().st_size
    assert target.read_bytes() == export_of(full)
    assert target.stat().st_mode & 0o077 == 0, "its owner alone can read it"


def test_a_place_where_no_file_can_be_is_told_in_one_line(palace: Palace, tmp_path: Path) -> None:
    for target in ("nowhere/palace.jsonl", "."):
        with pytest.raises(BadRequest, match="is not a"):
            palace.transfer.export(tmp_path / target, force=True)


def test_an_export_is_of_one_moment_while_a_miner_files(full: Palace, tmp_path: Path) -> None:
    before = export_of(full)

    def mine_meanwhile(now: Progress) -> None:
        if now.done == 1:
            miner = threading.Thread(target=full.mine, args=(sources,), kwargs={"wing": "Boats"})
            miner.start()
            miner.join()

    sources = tmp_path / "more"
    sources.mkdir()
    for place in range(5):
        write_talk(sources / f"{place}.json", f"Said {place} meanwhile.", "Indeed.")
    stream = io.BytesIO()
    full.transfer.export(stream, progress=mine_meanwhile)
    assert stream.getvalue() == before
    assert full.status().drawers == 18
