"""Kinds are kept with names and entities, and follow what is said, forgotten and decided."""

from __future__ import annotations

import pytest

from palace import EntityType, Palace


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


@pytest.mark.nightly
def test_a_pet_or_a_van_without_a_capital_is_no_person_and_who_shares_its_name_is_one(palace: Palace) -> None:
    told = {
        "rufus": "we have a greyhound called rufus. rufus is slow",
        "bertha": "we have a campervan called bertha. bertha broke down",
        "oskar": "i have a beagle. his name is oskar",
    }
    for name, text in told.items():
        tell(palace, name, text)
        assert palace.entities.find(name).type is EntityType.ITEM, name
    tell(palace, "one", "I have a dog, Max.", "My brother Max works at Bosch.")
    assert palace.entities.find("Max").type is EntityType.PERSON
