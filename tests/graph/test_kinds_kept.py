"""Kinds are kept with names and entities, and follow what is said, forgotten and decided."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from palace import Palace
from palace.mining.steps.kinds import KINDS
from palace.records.graph import EntityType


def kinds_of(palace: Palace, name: str) -> tuple[str, ...]:
    (found,) = (each for each in palace.entities.list() if each.name == name)
    return found.kinds


def tell(palace: Palace, id: str, *said: str) -> None:
    palace.file([{"role": "user", "content": each} for each in said], id=id)


def test_an_entity_has_the_kinds_that_all_conversations_tell(palace: Palace) -> None:
    tell(palace, "one", "My dog Oskar ate the slippers.")
    assert kinds_of(palace, "Oskar")[0] == "dog"
    tell(palace, "two", "My dog Oskar is a beagle, after all.")
    assert {"dog", "beagle", "pet"} <= set(kinds_of(palace, "Oskar"))


def test_what_was_forgotten_tells_no_kind(palace: Palace) -> None:
    tell(palace, "one", "My dog Oskar ate the slippers.", "Oskar is a beagle.")
    assert "beagle" in kinds_of(palace, "Oskar")
    palace.forget("W-001/R-01/D-002")
    assert "beagle" not in kinds_of(palace, "Oskar")
    palace.embeddings.backfill()
    assert kinds_of(palace, "Oskar")[0] == "dog"
    assert "beagle" not in kinds_of(palace, "Oskar")


def test_what_is_merged_has_the_kinds_of_both(palace: Palace) -> None:
    tell(palace, "one", "My dog Oskar ate the slippers.")
    tell(palace, "two", "Ronja is a beagle.")
    palace.entities.merge("Ronja", "Oskar", anyway=True)
    assert {"dog", "beagle"} <= set(kinds_of(palace, "Oskar"))
    palace.entities.undo(palace.entities.decisions()[0].id)
    assert "beagle" not in kinds_of(palace, "Oskar")


def test_a_palace_that_was_read_before_waits_for_its_kinds_alone(palace: Palace) -> None:
    tell(palace, "one", "My dog Oskar ate the slippers.")
    with palace._opened.session() as session:
        for change in (
            "UPDATE alias SET kinds = NULL WHERE user_id = :user_id",
            "UPDATE entity SET kinds = NULL WHERE user_id = :user_id",
            f"DELETE FROM index_step WHERE user_id = :user_id AND step = '{KINDS.name}'",
        ):
            session.execute(sa.text(change))
    assert {step.name: step.pending for step in palace.status().steps if step.pending} == {KINDS.name: 1}
    palace.embeddings.backfill()
    assert kinds_of(palace, "Oskar")[0] == "dog"
    assert not any(step.pending for step in palace.status().steps)


def test_a_rebuild_gives_the_same_kinds(palace: Palace) -> None:
    tell(palace, "one", "My dog Oskar ate the slippers.")
    tell(palace, "two", "The band Halbmond played at the harbour.")
    before = {each.name: each.kinds for each in palace.entities.list()}
    palace.rebuild()
    assert {each.name: each.kinds for each in palace.entities.list()} == before


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("we have a greyhound called rufus. rufus is slow", "rufus"),
        ("our campervan, bertha, broke down", "bertha"),
        ("bertha is our campervan", "bertha"),
        ("my van bertha needs a new clutch", "bertha"),
        ("i have a greyhound. his name is rufus", "rufus"),
    ],
)
def test_a_pet_or_a_van_without_a_capital_is_no_person(palace: Palace, said: str, name: str) -> None:
    tell(palace, "one", said)
    assert palace.entities.find(name).type is EntityType.ITEM


def test_who_a_dog_shares_a_name_with_stays_a_person(palace: Palace) -> None:
    tell(palace, "one", "I have a dog, Max.", "My brother Max works at Bosch.")
    assert palace.entities.find("Max").type is EntityType.PERSON
