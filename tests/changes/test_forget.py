"""Forgetting takes everything with it, and what is forgotten stays so."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from palace import BadRequest, NotFound, Palace, Removal
from palace.db.tables import Base
from tests.changes.views import BATTERY, HOTEL, Write, everything_said
from tests.held import contents


def test_a_forgotten_drawer_is_gone_from_every_table(furnished: Palace) -> None:
    secret = BATTERY[2]
    pointer = contents(furnished)[secret]
    summary = furnished.forget(pointer, now=True)
    assert summary.removal.drawers == 1
    assert secret not in contents(furnished)
    for word in ("rattles", "throttle", "rattl"):
        assert word not in everything_said(furnished)
    assert all(hit.drawer.content != secret for hit in furnished.recall("the propeller shaft rattles", top_k=50).hits)
    with pytest.raises(NotFound):
        furnished.show(pointer)


def test_the_others_keep_their_pointers_and_the_number_is_not_given_out_again(furnished: Palace, write: Write) -> None:
    before = contents(furnished)
    furnished.forget(before[BATTERY[3]])
    grown = write("battery", (*BATTERY, "Replaced the bearing today."), title="Battery and shaft")
    furnished.mine(grown, wing="Efoil")
    after = contents(furnished)
    assert {text: after[text] for text in BATTERY[:3]} == {text: before[text] for text in BATTERY[:3]}
    assert after["Replaced the bearing today."] not in before.values()


@pytest.mark.nightly
def test_mining_again_what_is_short_and_dated_brings_nothing_back(palace: Palace, tmp_path: Path) -> None:
    said = [
        "The vet is Doctor Huber.",
        "My kayak is green.",
        "We bake with rye.",
        "The roof leaks.",
        "Anna sings.",
        "No.",
    ]
    for turns, forgotten, ids in ((3, 1, False), (4, 2, True), (6, 3, False), (6, 3, True)):
        talk = [
            {"role": "assistant" if place % 2 else "user", "content": each, "created_at": f"2026-10-01T10:0{place}:00Z"}
            | ({"id": f"m{place}"} if ids else {})
            for place, each in enumerate(said[:turns])
        ]
        (tmp_path / "talk.json").write_text(json.dumps(talk))
        palace.mine(tmp_path / "talk.json")
        for text in said[:forgotten]:
            palace.forget(contents(palace)[text])
        again = palace.mine(tmp_path / "talk.json")
        counts = (again.drawers_new, again.drawers_unchanged, again.drawers_forgotten)
        assert counts == (0, turns - forgotten, forgotten), (turns, ids)
        palace.forget_everything()


def test_mining_can_be_told_to_restore_what_was_forgotten_and_undoing_that_run_forgets_again(
    furnished: Palace, folder: Path
) -> None:
    furnished.forget("Efoil")
    restoring = furnished.mine(folder, wing="Efoil", restore_forgotten=True)
    assert (restoring.drawers_new, restoring.drawers_forgotten) == (4, 0)
    assert set(contents(furnished)) == {*BATTERY, *HOTEL}
    assert furnished.recall("lithium pack").hits
    assert furnished.tree.rooms(furnished.tree.wing("Efoil"))[0].name == "Battery and shaft"
    assert restoring.run_id is not None
    furnished.runs.undo(restoring.run_id)
    assert furnished.mine(folder).drawers_forgotten == 4
    furnished.mine(folder, wing="Efoil", restore_forgotten=True)
    furnished.forget("Efoil")
    again = furnished.mine(folder)
    assert (again.drawers_new, again.drawers_forgotten) == (0, 4)


def test_a_forgotten_wing_leaves_neither_name_nor_title(furnished: Palace, folder: Path) -> None:
    assert furnished.forget("w-2", now=True).removal == Removal(
        drawers=2, passages=2, rooms=1, wings=1, conversations=1
    )
    for word in ("seagull", "lisbon", "travel"):
        assert word not in everything_said(furnished).replace(str(folder).lower(), "")
    assert [wing.name for wing in furnished.tree.wings()] == ["Efoil"]
    assert furnished.mine(folder, wing="Travel").drawers_new == 0
    assert set(contents(furnished)) == set(BATTERY)


def test_a_closet_is_forgotten_alone_and_the_others_are_drawn_again(furnished: Palace) -> None:
    room = furnished.tree.room("W-001/R-01")
    closets = furnished.tree.closets(room)
    before = sum(closet.drawer_count for closet in closets)
    summary = furnished.forget("W-001/R-01", closet=closets[0].name)
    assert summary.removal.drawers == closets[0].drawer_count
    after = furnished.tree.closets(room) if before > closets[0].drawer_count else ()
    assert sum(closet.drawer_count for closet in after) == before - closets[0].drawer_count
    with pytest.raises(NotFound, match="no closet 'Zeppelins'"):
        furnished.forget("W-002/R-01", closet="Zeppelins")


def test_a_conversation_is_forgotten_with_all_its_rooms(palace: Palace, folder: Path) -> None:
    days = [{"user": "U1", "text": f"Said on day {day}.", "ts": f"{1767225600 + day * 86400}.0001"} for day in range(3)]
    for number, message in enumerate(days):
        path = folder / "export" / "boats" / f"2026-01-0{number + 1}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps([message | {"type": "message"}]), encoding="utf-8")
    (folder / "export" / "users.json").write_text(json.dumps([{"id": "U1", "name": "derek"}]), encoding="utf-8")
    (folder / "export" / "channels.json").write_text(json.dumps([{"id": "C1", "name": "boats"}]), encoding="utf-8")
    palace.mine(folder / "export")
    assert palace.forget("W-001/R-02", conversation=True, dry_run=True).removal.drawers == 3
    assert palace.forget("W-001/R-02").removal.drawers == 1
    rest = palace.forget("W-001/R-01/D-001", conversation=True)
    assert (rest.removal.drawers, rest.removal.rooms, rest.removal.conversations) == (2, 2, 1)
    assert palace.mine(folder / "export").drawers_new == 0


def test_a_dry_run_counts_what_would_go_and_takes_nothing(furnished: Palace) -> None:
    for what in (contents(furnished)[BATTERY[0]], "Travel"):
        before = everything_said(furnished)
        planned = furnished.forget(what, dry_run=True)
        assert everything_said(furnished) == before
        assert furnished.forget(what).removal == planned.removal


def test_an_edited_turn_of_a_forgotten_drawer_is_new(furnished: Palace, write: Write) -> None:
    furnished.forget(contents(furnished)[HOTEL[1]])
    summary = furnished.mine(write("hotel", (HOTEL[0], "The breakfast was cold.")))
    assert (summary.drawers_new, summary.drawers_forgotten) == (1, 0)
    assert "The breakfast was cold." in contents(furnished)


def test_forgetting_everything_leaves_no_row_of_the_user(furnished: Palace, folder: Path) -> None:
    furnished.forget("Travel")
    user = sa.text("SELECT palace_key, wing_seq FROM palace_user")
    with furnished._opened.session() as session:
        before = session.connection.execute(user).one()
    assert furnished.forget_everything(dry_run=True).removal.drawers == 4
    assert furnished.forget_everything().removal.drawers == 4
    with pytest.raises(NotFound, match="nothing to forget"):
        furnished.forget_everything()
    with furnished._opened.session() as session:
        for table in set(Base.metadata.tables) - {"embedding_generation", "palace_user"}:
            assert session.connection.execute(sa.text(f"SELECT count(*) FROM {table}")).scalar_one() == 0
        ((key, wing_seq),) = session.connection.execute(user).all()
    assert key != before.palace_key
    assert (before.wing_seq, wing_seq) == (2, 0)
    assert furnished.mine(folder).drawers_new == 6


@pytest.mark.nightly
def test_threads_that_file_while_everything_is_forgotten_go_on(furnished: Palace) -> None:
    def note(number: int) -> None:
        furnished.note(f"Note number {number}.", wing="Meanwhile")

    with ThreadPoolExecutor(3) as pool:
        for number in range(6):
            pool.submit(note, number)
        for _ in range(2):
            with suppress(NotFound):
                furnished.forget_everything()
    assert furnished.note("The last one.", wing="Meanwhile").content == "The last one."
    assert furnished.recall("the last one").hits


def test_the_former_name_of_a_wing_that_was_merged_into_another_forgets_nothing(furnished: Palace) -> None:
    furnished.tree.move("Travel", "W-001")
    before = contents(furnished)
    with pytest.raises(BadRequest, match=r"former name of wing W-001 'Efoil', with 6 drawers: `palace forget W-001`"):
        furnished.forget("Travel")
    assert contents(furnished) == before
    assert furnished.forget("Efoil", dry_run=True).removal.drawers == 6


def test_what_cannot_be_forgotten_is_told_in_a_line_and_nothing_changes(furnished: Palace) -> None:
    refused: list[tuple[str, dict[str, Any], str]] = [
        ("W-009/R-01/D-001", {}, "no drawer § W-009/R-01/D-001"),
        ("W-001/R-09", {}, "no room W-001/R-09"),
        ("Nowhere", {}, "no wing 'Nowhere'"),
        ("W-001/R-01/", {}, "no wing"),
        ("Efoil", {"closet": "Battery"}, "is no room"),
        ("W-001/R-01/D-001", {"closet": "Battery"}, "named with its room"),
        ("W-001/R-01", {"closet": "Battery", "conversation": True}, "exclude each other"),
    ]
    before = everything_said(furnished)
    for what, options, told in refused:
        with pytest.raises(BadRequest, match=told):
            furnished.forget(what, **options)
    assert everything_said(furnished) == before
