"""What an export takes, when, and where it puts it."""

from __future__ import annotations

import io
import threading
from pathlib import Path

import pytest

from palace import BadRequest, NotFound, Palace, Progress
from tests.transfer.conftest import OPEN, export_of, lines_of, write_talk


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
