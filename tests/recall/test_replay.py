"""Queries that are captured on this computer, asked again."""

from __future__ import annotations

import os
import stat
import uuid

import pytest

from palace import Palace, Palaces
from palace.operations import capturing
from palace.operations.recall import captured_path

SAID = ("The boat has a new battery.", "The battery overheated in July.", "Grandma's apple cake needs cinnamon.")


def captured_file(palace: Palace) -> bytes:
    return captured_path(palace._opened).read_bytes()


def test_nothing_is_captured_unless_asked(palace: Palace) -> None:
    palace.note(SAID[0])
    palace.recall("Which battery?")
    assert not palace.evaluation.is_capturing
    assert palace.evaluation.captured() == ()
    palace.evaluation.capture(on=True)
    palace.recall("Which battery?")
    palace.evaluation.capture(on=False)
    palace.recall("Which cake?")
    assert [each.query for each in palace.evaluation.captured()] == ["Which battery?"]
    assert palace.evaluation.clear() == 1
    assert palace.evaluation.captured() == ()


def test_the_file_is_the_owners_and_has_no_secret_and_no_text_of_a_drawer(palaces: Palaces, palace: Palace) -> None:
    palace.note(SAID[0])
    palace.evaluation.capture(on=True)
    palace.recall("battery of ghp_" + "a1B2c3D4e5F6" * 3)
    written = captured_file(palace)
    assert b"a1B2c3D4" not in written
    assert b"new battery" not in written
    assert stat.S_IMODE(captured_path(palace._opened).stat().st_mode) == 0o600
    assert palaces.palace(f"user-{uuid.uuid4()}").evaluation.captured() == ()


def test_the_same_program_finds_the_same(palace: Palace) -> None:
    for text in SAID:
        palace.note(text)
    palace.evaluation.capture(on=True)
    for query in ("Which battery overheated?", "Which cake?", "Which battery overheated?"):
        palace.recall(query)
    replay = palace.evaluation.replay()
    assert (len(replay.queries), replay.same, replay.same_first, replay.kept) == (2, 2, 2, 1.0)
    assert len(palace.evaluation.captured()) == 3


def test_what_is_no_longer_found_is_named(palace: Palace) -> None:
    for text in SAID[:2]:
        palace.note(text)
    palace.evaluation.capture(on=True)
    found = [str(hit.drawer.pointer) for hit in palace.recall("battery").hits]
    assert len(found) == 2
    palace.settings.set("top_k", 1)
    replay = palace.evaluation.replay()
    assert replay.queries[0].lost == tuple(found[1:])
    assert (replay.same, replay.same_first, replay.kept) == (0, 1, 0.5)


def test_what_was_filed_or_forgotten_since_does_not_count(palace: Palace) -> None:
    for text in SAID:
        palace.note(text)
    palace.evaluation.capture(on=True)
    first = palace.recall("Which battery overheated?", top_k=1).hits[0].drawer
    palace.recall("Which cake needs cinnamon?", top_k=1)
    palace.note("Which battery overheated? The one of the bicycle overheated.")
    palace.forget(str(palace.recall("apple cake with cinnamon", top_k=1).hits[0].drawer.pointer))
    palace.evaluation.capture(on=False)
    by_query = {each.query: each for each in palace.evaluation.replay().queries}
    assert by_query["Which battery overheated?"].now == (str(first.pointer),)
    cake = by_query["Which cake needs cinnamon?"]
    assert (cake.before, cake.lost) == ((), ())


def test_a_memory_that_was_superseded_since_does_not_count(palace: Palace) -> None:
    palace.memories.store("I live in Ghent.")
    palace.evaluation.capture(on=True)
    assert palace.recall("Where do I live?").hits
    palace.memories.store("I moved to Bruges.")
    (query,) = palace.evaluation.replay().queries
    assert (query.before, query.lost) == ((), ())


def test_a_line_cut_off_is_left_out(palace: Palace) -> None:
    palace.note(SAID[0])
    palace.evaluation.capture(on=True)
    palace.recall("Which battery?")
    with captured_path(palace._opened).open("ab") as file:
        file.write(b'{"query": "half')
    palace.recall("What overheated?")
    assert [each.query for each in palace.evaluation.captured()] == ["What overheated?", "Which battery?"]


def test_a_full_file_makes_room_for_the_latest(palace: Palace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(capturing, "LARGEST", 2_000)
    palace.note(SAID[0])
    palace.evaluation.capture(on=True)
    for number in range(12):
        palace.recall(f"Which battery is number {number}?")
    assert palace.evaluation.captured()[0].query == "Which battery is number 11?"
    assert len(captured_file(palace)) <= 2_000


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another account")
def test_a_folder_that_cannot_be_read_fails_no_recall(palace: Palace) -> None:
    palace.note(SAID[0])
    palace.evaluation.capture(on=True)
    os.seteuid(65_534)
    try:
        found = palace.recall("Which battery?")
        assert found.hits
        assert found.warnings[-1].startswith("the query was not captured: ")
    finally:
        os.seteuid(0)


def test_who_is_deleted_leaves_no_captured_queries(palace: Palace) -> None:
    palace.note(SAID[0])
    palace.evaluation.capture(on=True)
    palace.recall("Which battery?")
    palace.forget_everything()
    assert not captured_path(palace._opened).exists()
    assert not palace.evaluation.is_capturing
