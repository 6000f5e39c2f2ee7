"""What an export takes, when, and where it puts it."""

from __future__ import annotations

import io
import threading
from pathlib import Path

import pytest
import sqlalchemy as sa

from palace import Palace
from palace.errors import BadRequest, NotFound
from palace.records import Progress
from tests.transfer.conftest import OPEN, execute, export_of, lines_of, write_talk


def test_a_wing_is_exported_with_what_stands_in_it(full: Palace) -> None:
    lines = lines_of(export_of(full, wing="Trips"))
    assert [line["name"] for line in lines if line.get("line") == "wing"] == ["Trips"]
    assert [line["content"] for line in lines if line.get("line") == "drawer"] == ["Where in September?", "Torbole."]
    assert [line["source"].rpartition("/")[2] for line in lines if line.get("line") == "run"] == ["trip.json"]
    assert len([line for line in lines if line.get("line") == "tombstone"]) == 2
    assert "battery" not in export_of(full, wing="Trips").decode()


def test_a_wing_comes_back_as_the_same_bytes_and_with_its_number(
    full: Palace, open_palace: OPEN, tmp_path: Path
) -> None:
    full.transfer.export(tmp_path / "trips.jsonl", wing="Trips")
    other = open_palace()
    assert other.transfer.load(tmp_path / "trips.jsonl").drawers_new == 2
    assert export_of(other) == export_of(other, wing="W-002") == (tmp_path / "trips.jsonl").read_bytes()


def test_the_rest_of_a_palace_can_follow_a_wing(
    full: Palace, exported: Path, open_palace: OPEN, tmp_path: Path
) -> None:
    full.transfer.export(tmp_path / "trips.jsonl", wing="Trips")
    other = open_palace()
    other.transfer.load(tmp_path / "trips.jsonl")
    summary = other.transfer.load(exported)
    assert (summary.drawers_new, summary.drawers_unchanged) == (6, 2)
    assert other.show("§ W-001/R-01/D-001").drawer.content == "Which battery?"


def test_a_conversation_in_two_wings_gives_each_its_slices_and_neither_the_tombstones(
    open_palace: OPEN, tmp_path: Path
) -> None:
    palace = open_palace()
    palace.mine(write_talk(tmp_path / "a.json", "One.", "Two."), wing="First")
    palace.mine(write_talk(tmp_path / "b.json", "Three."), wing="Second")
    execute(
        palace,
        "INSERT INTO room (user_id, wing_id, number, conversation_id, slice, name)"
        " SELECT r.user_id, w.id, 2, r.conversation_id, '2026-03-02', 'Later' FROM room r JOIN wing w"
        " ON w.user_id = r.user_id AND w.slug = 'second' AND r.wing_id <> w.id"
        " WHERE r.user_id = :user_id AND r.slice = ''",
        "UPDATE drawer SET room_id = r.id, closet_id = NULL FROM room r"
        " WHERE drawer.user_id = :user_id AND drawer.content = 'Two.'"
        " AND r.user_id = drawer.user_id AND r.slice = '2026-03-02'",
        "INSERT INTO tombstone (user_id, identity, conversation_id, position)"
        " SELECT user_id, decode(md5(content), 'hex'), conversation_id, 5 FROM drawer WHERE user_id = :user_id"
        " AND content = 'One.'",
    )
    first, second = lines_of(export_of(palace, wing="First")), lines_of(export_of(palace, wing="Second"))
    assert [line["content"] for line in first if line.get("line") == "drawer"] == ["One."]
    assert sorted(line["content"] for line in second if line.get("line") == "drawer") == ["Three.", "Two."]
    assert not [line for line in first + second if line.get("line") == "tombstone"]
    assert [line for line in lines_of(export_of(palace)) if line.get("line") == "tombstone"]


def test_a_wing_that_is_not_there_is_not_found_and_leaves_no_file(full: Palace, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="there is no wing 'Boots'"):
        full.transfer.export(tmp_path / "boots.jsonl", wing="Boots")
    assert not list(tmp_path.glob("*.jsonl"))


def test_a_file_that_is_there_is_replaced_only_by_force(full: Palace, tmp_path: Path) -> None:
    target = tmp_path / "mine.jsonl"
    target.write_text("mine")
    with pytest.raises(BadRequest, match="replace it with --force"):
        full.transfer.export(target)
    assert target.read_text() == "mine"
    summary = full.transfer.export(target, force=True)
    assert summary.size_bytes == target.stat().st_size
    assert target.read_bytes() == export_of(full)


@pytest.mark.parametrize("target", ["nowhere/palace.jsonl", "."])
def test_a_place_where_no_file_can_be_is_told_in_one_line(target: str, full: Palace, tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="is not a"):
        full.transfer.export(tmp_path / target, force=True)


def test_an_export_that_breaks_off_leaves_what_was_there(full: Palace, tmp_path: Path) -> None:
    target = tmp_path / "palace.jsonl"
    full.transfer.export(target)
    before, files = target.read_bytes(), sorted(tmp_path.iterdir())

    def interrupt(now: Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        full.transfer.export(target, force=True, progress=interrupt)
    assert target.read_bytes() == before
    assert sorted(tmp_path.iterdir()) == files


def test_an_export_can_be_read_by_its_owner_alone(exported: Path) -> None:
    assert exported.stat().st_mode & 0o077 == 0


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


def test_a_snapshot_cannot_write(full: Palace) -> None:
    opened = full._opened
    with (
        pytest.raises(Exception, match="read-only"),
        opened.database.transaction(snapshot=True) as session,
    ):
        session.connection.execute(
            sa.text("UPDATE wing SET room_seq = 0 WHERE user_id = :id"), {"id": opened.database.user_id}
        )
    with opened.session() as session:
        assert session.connection.execute(sa.text("SHOW transaction_isolation")).scalar_one() == "read committed"


def test_many_conversations_are_exported_in_order(open_palace: OPEN, tmp_path: Path) -> None:
    palace, other = open_palace(), open_palace()
    palace.note("The first.")
    execute(
        palace,
        "INSERT INTO conversation (user_id, identity, reader, run_id)"
        " SELECT c.user_id, 'test:' || n, 'test', c.run_id FROM conversation c, generate_series(1, 1203) n"
        " WHERE c.user_id = :user_id",
        "INSERT INTO tombstone (user_id, identity, conversation_id, position)"
        " SELECT user_id, decode(md5(identity), 'hex'), id, 0 FROM conversation WHERE user_id = :user_id"
        " AND reader = 'test'",
    )
    palace.transfer.export(tmp_path / "many.jsonl")
    identities = [line["identity"] for line in lines_of(export_of(palace)) if line.get("line") == "conversation"]
    assert identities == sorted(identities)
    assert len(identities) == 1204
    other.transfer.load(tmp_path / "many.jsonl")
    assert export_of(other) == (tmp_path / "many.jsonl").read_bytes()
