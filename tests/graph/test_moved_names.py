"""Claims go along with the names they are made of, and leave nothing behind."""

from __future__ import annotations

import pytest

from palace import NotFound, Palace
from tests.graph.mined import relations


def of(palace: Palace, subject: str) -> list[tuple[object, ...]]:
    """List what is held of one entity, by its key."""
    return [row[1:3] for row in relations(palace) if row[0] == subject]


def test_a_part_that_is_split_off_takes_its_claims_along(palace: Palace) -> None:
    one = palace.note("Ben lives in Leeds with his wife Sue.", wing="One")
    palace.note("Ben works at Bosch.", wing="Other")
    room = str(one.pointer.of_room)
    palace.entities.split("Ben", conversation=room, to="Ben Marsh")
    assert ("lives_in", "Leeds") not in of(palace, "ben")
    assert ("lives_in", "Leeds") in of(palace, "ben marsh")
    assert ("works_at", "Bosch") in of(palace, "ben")


def test_undoing_a_merge_takes_its_relations_back(palace: Palace) -> None:
    palace.note("My brother Tomas lives in Lisbon with his wife Ines. I live in Lisbon.")
    before = relations(palace)
    decided = palace.entities.merge("Tomas", "Lisbon", anyway=True)
    assert relations(palace) != before
    palace.entities.undo(decided.decision.id)
    assert relations(palace) == before


def test_a_name_with_what_no_text_can_hold_is_nobody_s(palace: Palace) -> None:
    palace.note("My brother Tomas lives in Lisbon.")
    for ask in (palace.timeline, palace.graph, palace.entities.find):
        with pytest.raises(NotFound):
            ask("a\udcffb")
    with pytest.raises(NotFound):
        palace.entities.merge("\udcff\x00b", "Tomas")
